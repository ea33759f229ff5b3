#include "rows.h"

#include <string.h>

static const int8_t SHOTS_AT[SHOT_STEPS] = {1, 3, 6, 9, 11, 13, 15, 18, 21, 24, 28, 32};

/* What stands where for one side, as sets of places by its own numbers. */
struct view {
    enum game game;
    const int8_t *men;
    uint32_t pinned;
    uint32_t held;   /* closed to the enemy */
    uint32_t alone;  /* may be struck */
    uint32_t free;   /* a checker that can move, the bar too */
    uint32_t pinning;
};

static struct view view_of(enum game game, const int8_t *men, uint32_t pinned,
                           uint32_t enemy_pinned) {
    struct view view = {.game = game, .men = men, .pinned = pinned};
    uint32_t one = places_of(men, 1) & ~1u, two = places_of(men, 2);
    if (pinned | enemy_pinned) {
        one = (one & ~pinned) | (two & pinned);
        two = (two & ~pinned) | (places_of(men, 3) & pinned);
        view.pinning = one & across(PIN, enemy_pinned);
    }
    view.free = one;
    view.held = (game == FEVGA ? one : two | view.pinning) & ON_POINTS;
    view.alone = one & ON_POINTS & ~view.held;
    return view;
}

static int rear(const struct view *view) {
    return view->free ? 31 - __builtin_clz(view->free) : 0;
}

static uint8_t at_most(int most, int count) { return (uint8_t)(count < most ? count : most); }

/* A point's count reaches 1, 2, 3, 4, 5, 7. */
static uint8_t men_level(uint8_t count) {
    return (uint8_t)((count < 5 ? count : 5) + (count < 7 ? 0 : 1));
}

/* Here the compiler takes many at once. */
static void point_levels(const int8_t *restrict men, uint8_t *restrict level) {
    for (int n = 0; n < POINTS; n++) {
        level[n] = men_level((uint8_t)men[n]);
    }
}

static uint8_t window_level(uint32_t places) { return (uint8_t)(1 + (places & (WINDOW - 1))); }

static uint8_t *men_levels(const struct view *view, int class, uint8_t *level) {
    point_levels(view->men + 1, level);
    for (uint32_t left = view->pinned; left; left &= left - 1) {
        int n = __builtin_ctz(left);
        level[n - 1] = men_level((uint8_t)(view->men[n] - 1));
    }
    level += POINTS;
    *level++ = (uint8_t)view->men[OFF];
    if (class == RACE || view->game == FEVGA) {
        return level;
    }
    if (view->game != PIN) {
        *level++ = at_most(BAR_STEPS, view->men[BAR]);
        return level;
    }
    memset(level, 0, POINTS);
    for (uint32_t left = view->pinning; left; left &= left - 1) {
        int n = __builtin_ctz(left);
        level[n - 1] = at_most(PIN_STEPS, view->men[n]);
    }
    return level + POINTS;
}

/* My points as the enemy's last checker meets them on its way: bit 0 is the next. */
static uint32_t ahead_of(const struct view *mine, const struct view *theirs) {
    uint32_t held = mine->game == FEVGA ? mirrored(across(FEVGA, mine->held)) : mine->held;
    return (uint32_t)((uint64_t)held >> (BAR + 1 - rear(theirs)));
}

static uint8_t prime_level(uint32_t ahead) {
    uint32_t wall = ahead & ahead >> 1;
    uint8_t level = 0;
    while (level < PRIME_STEPS && (wall &= ahead >> (level + 2))) {
        level++;
    }
    return level;
}

/* How many pips Fevga's first checker has to go to the enemy's start, at most 12; 0 when it is past. */
static uint8_t way_left(const struct view *mine) {
    uint32_t men = mine->free | 1u << BAR | (mine->men[OFF] > 0);
    int left = __builtin_ctz(men) - ACROSS;
    return left < 0 ? 0 : at_most(WAY_STEPS, left);
}

enum { DISTANCES = 12, ALL_DISTANCES = (1 << DISTANCES) - 1 };
/* How many of SHOTS_AT so many of 36 rolls reach that hit at these distances, whatever stands
 * between. */
static uint8_t shots[ALL_DISTANCES + 1];

static int shots_at(uint32_t distances) {
    int sum = 0;
    for (int a = 1; a <= FACES; a++) {
        for (int b = 1; b <= FACES; b++) {
            uint32_t reach = 1u << (a - 1) | 1u << (b - 1) | 1u << (a + b - 1);
            for (int all = 3 * a; a == b && all <= 4 * a && all <= DISTANCES; all += a) {
                reach |= 1u << (all - 1);
            }
            sum += (reach & distances) != 0;
        }
    }
    return sum;
}

static uint8_t shots_level(int count) {
    uint8_t level = 0;
    while (level < SHOT_STEPS && count >= SHOTS_AT[level]) {
        level++;
    }
    return level;
}

/* The distances, bit 0 is 1, at which the shooter's checkers are from these targets. */
static uint32_t distances_to(uint32_t targets, const struct view *shooter) {
    uint32_t distances = 0;
    for (uint32_t left = targets; left; left &= left - 1) {
        distances |= shooter->free >> (BAR + 1 - __builtin_ctz(left));
    }
    return distances & ALL_DISTANCES;
}

/* Bit i: some checker can move i + 1 points; Fevga's limits on the end of a turn are ignored. */
static uint32_t movable_dice(const struct view *mine, const struct view *theirs) {
    uint32_t dice = 0, closed = across(mine->game, theirs->held), movers = mine->free;
    if (way_left(mine)) {
        movers &= -movers;
    }
    for (int die = 1; die <= FACES; die++) {
        uint32_t targets = movers >> die & ~closed;
        bool bears_off = rear(mine) <= HOME && ((targets & 1u) || rear(mine) < die);
        dice |= (targets & ~1u) || bears_off ? 1u << (die - 1) : 0;
    }
    return dice;
}

static uint8_t *contact_levels(const struct view *mine, const struct view *theirs, uint8_t *level) {
    uint32_t ahead = ahead_of(mine, theirs);
    *level++ = prime_level(ahead);
    *level++ = window_level(ahead);
    if (mine->game == FEVGA) {
        *level++ = window_level(ahead >> HOME);
        *level++ = way_left(mine);
        *level++ = window_level(movable_dice(mine, theirs));
        return level;
    }
    uint32_t distances = distances_to(mine->alone, theirs);
    *level++ = shots[distances];
    if (mine->game == PIN) {
        *level++ = shots[distances_to(mine->alone & 1u << MOTHER, theirs)];
        return level;
    }
    *level++ = window_level(ahead >> HOME);
    *level++ = window_level(mine->held >> 1);
    *level++ = window_level(distances);
    return level;
}

const char *feature_name(enum game game) {
    return game == PIN ? "tables-1" : game == FEVGA ? "tables-3" : "tables-2";
}

const struct block *contact_blocks(enum game game) {
    static const struct block PIN_BLOCKS[] = {
        {PRIME_STEPS, true}, {WINDOW, false}, {SHOT_STEPS, true}, {SHOT_STEPS, true}, {0}};
    static const struct block FEVGA_BLOCKS[] = {{PRIME_STEPS, true}, {WINDOW, false},
                                                {WINDOW, false},     {WAY_STEPS, true},
                                                {WINDOW, false},     {0}};
    static const struct block HITTING_BLOCKS[] = {{PRIME_STEPS, true}, {WINDOW, false},
                                                  {SHOT_STEPS, true},  {WINDOW, false},
                                                  {WINDOW, false},     {WINDOW, false},
                                                  {0}};
    return game == PIN ? PIN_BLOCKS : game == FEVGA ? FEVGA_BLOCKS : HITTING_BLOCKS;
}

/* Where the rows of each block begin. */
struct layout {
    int blocks;
    int rows;
    int16_t first[BLOCKS_MAX];
    bool steps[BLOCKS_MAX];
};
static struct layout layouts[GAMES][2]; /* with contact, and of races */

static void lay(struct layout *layout, int times, struct block block) {
    for (int i = 0; i < times; i++) {
        layout->first[layout->blocks] = (int16_t)layout->rows;
        layout->steps[layout->blocks++] = block.steps;
        layout->rows += block.rows;
    }
}

static struct layout layout_of(enum game game, bool race) {
    struct layout layout = {.rows = 1};
    for (int side = 0; side < 2; side++) {
        lay(&layout, POINTS, (struct block){STEPS, true});
        lay(&layout, 1, (struct block){CHECKERS, true});
        if (game == PIN && !race) {
            lay(&layout, POINTS, (struct block){PIN_STEPS, true});
        } else if (game != FEVGA && !race) {
            lay(&layout, 1, (struct block){BAR_STEPS, true});
        }
    }
    for (int side = 0; side < 2 && !race; side++) {
        for (const struct block *block = contact_blocks(game); block->rows; block++) {
            lay(&layout, 1, *block);
        }
    }
    return layout;
}

void feature_begin(void) {
    for (uint32_t distances = 0; distances <= ALL_DISTANCES; distances++) {
        shots[distances] = shots_level(shots_at(distances));
    }
    for (int game = 0; game < GAMES; game++) {
        layouts[game][0] = layout_of((enum game)game, false);
        layouts[game][1] = layout_of((enum game)game, true);
    }
}

int feature_rows(enum game game, int class) { return layouts[game][class == RACE].rows; }

static int class_of(enum game game, const struct board *board, int own_rear, int opp_rear) {
    bool own = game == PIN ? board->own_pinned != 0 : own_rear >= BAR - HOME;
    bool opp = game == PIN ? board->opp_pinned != 0 : opp_rear >= BAR - HOME;
    bool pins = board->own_pinned || board->opp_pinned;
    bool past = game == FEVGA ? own_rear <= ACROSS && opp_rear <= ACROSS : own_rear + opp_rear <= BAR;
    if (!pins && past) {
        return RACE;
    }
    return CONTACT + (own ? OWN_BEHIND : 0) + (opp ? OPP_BEHIND : 0);
}

int feature_levels(enum game game, const struct board *board, struct levels *levels) {
    struct view own = view_of(game, board->own, board->own_pinned, board->opp_pinned);
    struct view opp = view_of(game, board->opp, board->opp_pinned, board->own_pinned);
    int class = class_of(game, board, rear(&own), rear(&opp));
    uint8_t *level = men_levels(&own, class, levels->of);
    level = men_levels(&opp, class, level);
    if (class != RACE) {
        level = contact_levels(&own, &opp, level);
        level = contact_levels(&opp, &own, level);
    }
    memset(level, 0, sizeof(uint64_t)); /* whole words are compared */
    return class;
}

static void put(struct active *active, int row) { active->rows[active->count++] = (int16_t)row; }

static void change(const struct layout *layout, int block, int old, int new,
                   struct active *come, struct active *gone) {
    int row = layout->first[block];
    if (layout->steps[block]) {
        struct active *list = old < new ? come : gone;
        int i = old < new ? old : new, end = old < new ? new : old;
        do {
            put(list, row + i);
        } while (++i < end);
        return;
    }
    if (new) {
        put(come, row + new - 1);
    }
    if (old) {
        put(gone, row + old - 1);
    }
}

void feature_changes(enum game game, int class, const struct levels *before,
                     const struct levels *now, struct active *come, struct active *gone) {
    const struct layout *layout = &layouts[game][class == RACE];
    for (int half = 0; half < layout->blocks; half += 64) {
        uint64_t differ = 0;
        for (int at = half; at < layout->blocks && at < half + 64; at += 8) {
            uint64_t was, is;
            memcpy(&was, before->of + at, sizeof was);
            memcpy(&is, now->of + at, sizeof is);
            was ^= is;
            differ |= (uint64_t)bytes_from(1, &was) << (at - half);
        }
        for (; differ; differ &= differ - 1) {
            int block = half + __builtin_ctzll(differ);
            change(layout, block, before->of[block], now->of[block], come, gone);
        }
    }
}

int feature_list(enum game game, const struct board *board, struct active *active) {
    static const struct levels NOTHING;
    struct levels levels;
    struct active gone = {.count = 0};
    int class = feature_levels(game, board, &levels);
    active->count = 0;
    put(active, 0);
    feature_changes(game, class, &NOTHING, &levels, active, &gone);
    return class;
}
