#include "rows.h"

#include <string.h>

static const int8_t STEP_AT[STEPS] = {1, 2, 3, 4, 5, 7};
static const int8_t SHOTS_AT[SHOT_STEPS] = {1, 3, 6, 9, 11, 13, 15, 18, 21, 24, 28, 32};

/* What stands where for one side, as bits by its own numbers. */
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
    for (int n = 1; n < PLACES; n++) {
        uint32_t bit = 1u << n;
        int count = men[n] - (int)(pinned >> n & 1u);
        if (count == 0) {
            continue;
        }
        view.free |= bit;
        if (n == BAR) {
            continue;
        }
        if (enemy_pinned >> (BAR - n) & 1u) {
            view.pinning |= bit;
            view.held |= bit;
        } else if (count == 1 && game != FEVGA) {
            view.alone |= bit;
        } else {
            view.held |= bit;
        }
    }
    return view;
}

static int rear(const struct view *view) {
    return view->free ? 31 - __builtin_clz(view->free) : 0;
}

static void put(struct active *active, int row) { active->rows[active->count++] = (int16_t)row; }

static int steps(struct active *active, int row, int count, const int8_t *at, int length) {
    for (int i = 0; i < length && count >= at[i]; i++) {
        put(active, row + i);
    }
    return row + length;
}

static int window_rows(uint32_t points, struct active *active, int row) {
    put(active, row + (int)(points & (WINDOW - 1)));
    return row + WINDOW;
}

static int men_rows(enum game game, const struct view *view, int class, struct active *active,
                    int row) {
    for (int n = 1; n <= POINTS; n++) {
        int count = view->men[n] - (int)(view->pinned >> n & 1u);
        if (count) {
            steps(active, row + (n - 1) * STEPS, count, STEP_AT, STEPS);
        }
    }
    row += POINTS * STEPS;
    for (int i = 0; i < view->men[OFF]; i++) {
        put(active, row + i);
    }
    row += CHECKERS;
    if (class == RACE) {
        return row;
    }
    if (game == FEVGA) {
        return row;
    }
    if (game != PIN) {
        for (int i = 0; i < BAR_STEPS && i < view->men[BAR]; i++) {
            put(active, row + i);
        }
        return row + BAR_STEPS;
    }
    for (uint32_t left = view->pinning; left; left &= left - 1) {
        int n = __builtin_ctz(left);
        for (int i = 0; i < PIN_STEPS && i < view->men[n]; i++) {
            put(active, row + (n - 1) * PIN_STEPS + i);
        }
    }
    return row + POINTS * PIN_STEPS;
}

/* My points as the enemy's last checker meets them on its way: bit 0 is the next. */
static uint32_t ahead_of(const struct view *mine, const struct view *theirs) {
    int last = rear(theirs);
    if (mine->game != FEVGA) {
        return (uint32_t)((uint64_t)mine->held >> (BAR + 1 - last));
    }
    uint32_t ahead = 0;
    for (uint32_t left = mine->held; left; left &= left - 1) {
        int number = across(FEVGA, __builtin_ctz(left));
        ahead |= number < last ? 1u << (last - 1 - number) : 0;
    }
    return ahead;
}

static int prime_rows(uint32_t ahead, struct active *active, int row) {
    uint32_t wall = ahead & ahead >> 1;
    for (int i = 0; i < PRIME_STEPS && (wall &= ahead >> (i + 2)); i++) {
        put(active, row + i);
    }
    row += PRIME_STEPS;
    return window_rows(ahead, active, row);
}

/* How many pips Fevga's first checker has to go to the enemy's start, at most 12; 0 when it is past. */
static int way_left(const struct view *mine) {
    int first = OFF;
    while (mine->men[first] == 0 && first < BAR) {
        first++;
    }
    int left = first - ACROSS;
    return left < 0 ? 0 : left > WAY_STEPS ? WAY_STEPS : left;
}

enum { DISTANCES = 12, ALL_DISTANCES = (1 << DISTANCES) - 1 };
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

void feature_begin(void) {
    for (uint32_t distances = 0; distances <= ALL_DISTANCES; distances++) {
        shots[distances] = (uint8_t)shots_at(distances);
    }
}

static int shot_rows(uint32_t targets, const struct view *shooter, struct active *active, int row) {
    uint32_t distances = 0;
    for (uint32_t left = targets; left; left &= left - 1) {
        distances |= shooter->free >> (BAR + 1 - __builtin_ctz(left)) & ALL_DISTANCES;
    }
    if (distances) {
        steps(active, row, shots[distances], SHOTS_AT, SHOT_STEPS);
    }
    return row + SHOT_STEPS;
}

/* Bit i: some checker can move i + 1 points; Fevga's limits on the end of a turn are ignored. */
static uint32_t movable_dice(const struct view *mine, const struct view *theirs) {
    uint32_t dice = 0, closed = 0, movers = mine->free;
    for (uint32_t left = theirs->held; left; left &= left - 1) {
        closed |= 1u << across(mine->game, __builtin_ctz(left));
    }
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

static int contact_rows(enum game game, const struct view *mine, const struct view *theirs,
                        struct active *active, int row) {
    uint32_t ahead = ahead_of(mine, theirs);
    row = prime_rows(ahead, active, row);
    if (game == FEVGA) {
        row = window_rows(ahead >> HOME, active, row);
        for (int i = 0; i < way_left(mine); i++) {
            put(active, row + i);
        }
        return window_rows(movable_dice(mine, theirs), active, row + WAY_STEPS);
    }
    row = shot_rows(mine->alone, theirs, active, row);
    if (game == PIN) {
        return shot_rows(mine->alone & 1u << MOTHER, theirs, active, row);
    }
    row = window_rows(ahead >> HOME, active, row);
    row = window_rows(mine->held >> 1, active, row);
    uint32_t direct = 0;
    for (uint32_t left = mine->alone; left; left &= left - 1) {
        direct |= theirs->free >> (BAR + 1 - __builtin_ctz(left)) & (WINDOW - 1);
    }
    return window_rows(direct, active, row);
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

int feature_rows(enum game game, int class) {
    int side = POINTS * STEPS + CHECKERS;
    if (class != RACE) {
        side += game == PIN ? POINTS * PIN_STEPS : game == FEVGA ? 0 : BAR_STEPS;
        for (const struct block *block = contact_blocks(game); block->rows; block++) {
            side += block->rows;
        }
    }
    return 1 + 2 * side;
}

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

int feature_list(enum game game, const struct board *board, struct active *active) {
    struct view own = view_of(game, board->own, board->own_pinned, board->opp_pinned);
    struct view opp = view_of(game, board->opp, board->opp_pinned, board->own_pinned);
    int class = class_of(game, board, rear(&own), rear(&opp));
    active->count = 0;
    put(active, 0);
    int row = men_rows(game, &own, class, active, 1);
    row = men_rows(game, &opp, class, active, row);
    if (class != RACE) {
        row = contact_rows(game, &own, &opp, active, row);
        row = contact_rows(game, &opp, &own, active, row);
    }
    return class;
}
