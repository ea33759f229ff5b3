#include "board.h"

#include <string.h>

static const char *const NAMES[GAMES] = {"backgammon", "portes", "pin", "hypergammon", "fevga"};

const char *game_name(enum game game) { return NAMES[game]; }

bool game_named(const char *name, enum game *game) {
    for (int each = 0; each < GAMES; each++) {
        if (strcmp(NAMES[each], name) == 0) {
            *game = (enum game)each;
            return true;
        }
    }
    return false;
}

int checkers_of(enum game game) { return game == HYPERGAMMON ? 3 : CHECKERS; }

/* What one checker adds to a board's key: numbers without a pattern. */
static const uint64_t KEYS[PLACES] = {
    0xe220a8397b1dcdafu, 0x6e789e6aa1b965f5u, 0x06c45d188009454fu,
    0xf88bb8a8724c81edu, 0x1b39896a51a8749bu, 0x53cb9f0c747ea2ebu,
    0x2c829abe1f4532e1u, 0xc584133ac916ab3du, 0x3ee5789041c98ac3u,
    0xf3b8488c368cb0a7u, 0x657eecdd3cb13d09u, 0xc2d326e0055bdef7u,
    0x8621a03fe0bbdb7bu, 0x8e1f7555983aa92fu, 0xb54e0f1600cc4d19u,
    0x84bb3f97971d80abu, 0x7d29825c75521255u, 0xc3cf17102b7f7f87u,
    0x3466e9a083914f65u, 0xd81a8d2b5a4485adu, 0xdb01602b100b9ed7u,
    0xa9038a921825f10du, 0xedf5f1d90dca2f6bu, 0x54496ad67bd2634du,
    0xdd7c01d4f5407269u, 0x935e82f1db4c4f7bu,
};

void board_seal(struct board *board) {
    board->key = 0;
    for (int n = 0; n < PLACES; n++) {
        board->key += KEYS[n] * (uint64_t)board->own[n];
    }
}

struct board board_start(enum game game) {
    static const int8_t PLACED[4][2] = {{24, 2}, {13, 5}, {8, 3}, {6, 5}};
    struct board board = {0};
    if (game == PIN || game == FEVGA) {
        board.own[MOTHER] = board.opp[MOTHER] = CHECKERS;
    } else if (game == HYPERGAMMON) {
        for (int n = 22; n <= 24; n++) {
            board.own[n] = board.opp[n] = 1;
        }
    } else {
        for (int i = 0; i < 4; i++) {
            board.own[PLACED[i][0]] = board.opp[PLACED[i][0]] = PLACED[i][1];
        }
    }
    board_seal(&board);
    return board;
}

static int pips(const int8_t *men) {
    int sum = 0;
    for (int n = 1; n < PLACES; n++) {
        sum += n * men[n];
    }
    return sum;
}

static struct outcome won(enum game game, const int8_t *loser) {
    int kind = 1;
    if (loser[OFF] == 0) {
        kind = 2;
        for (int n = BAR - HOME; n < PLACES && !doubles_only(game); n++) {
            if (loser[n]) {
                kind = 3;
            }
        }
    }
    return (struct outcome){game == PIN ? kind * pips(loser) : kind, kind};
}

bool board_outcome(enum game game, const struct board *board, struct outcome *outcome) {
    if (board->own[OFF] == checkers_of(game)) {
        *outcome = won(game, board->opp);
        return true;
    }
    if (board->opp[OFF] == checkers_of(game)) {
        *outcome = won(game, board->own);
        outcome->points = -outcome->points;
        return true;
    }
    int own = board_own_pinned(board, MOTHER), opp = board_opp_pinned(board, MOTHER);
    if (own && opp) {
        *outcome = (struct outcome){0, 0};
        return true;
    }
    if ((own && board->opp[MOTHER] == 0) || (opp && board->own[MOTHER] == 0)) {
        *outcome = (struct outcome){own ? -2 : 2, 0};
        return true;
    }
    return false;
}

/* A turn under way.  Any legal turn can be made from back to front: nothing that stands farther
 * forward frees a checker that stands farther back; so origins never rise within one order.  Only
 * Fevga's first checker frees all others once it is past. */
struct walk {
    enum game game;
    const struct board *before;
    int8_t landing[PLACES]; /* what a landing meets at first: 0 open, 1 a blot, 2 closed */
    int dice[4];
    int length;
    int most;
    int limits;        /* Fevga: how many of its limits on ends are kept */
    bool higher_alone; /* the higher die can be played and not both: the lower alone may not */
    struct board now;
    struct results *results;
    int16_t table[2 * RESULTS_MAX];
};

static void keep(struct walk *walk) {
    const struct board *now = &walk->now;
    struct results *results = walk->results;
    size_t slot = (size_t)(now->key >> 40) % (2 * RESULTS_MAX);
    while (walk->table[slot] >= 0) {
        const struct board *there = &results->boards[walk->table[slot]];
        if (there->key == now->key && memcmp(there->own, now->own, sizeof now->own) == 0 &&
            memcmp(there->opp, now->opp, sizeof now->opp) == 0) {
            return;
        }
        slot = (slot + 1) % (2 * RESULTS_MAX);
    }
    walk->table[slot] = (int16_t)results->count;
    results->boards[results->count++] = *now;
}

/* Whether a checker at `top` and those on the five points ahead of it leave none of these open. */
static bool holds_six(const int8_t *own, int top) {
    for (int n = top; n > top - HOME; n--) {
        if (own[n] == 0) {
            return false;
        }
    }
    return true;
}

/* Fevga: the six points directly ahead of all enemies on one point, who are not at home yet. */
static bool shuts_in(const struct board *now) {
    for (int n = HOME + 1; n <= MOTHER; n++) {
        if (now->opp[n] == CHECKERS) {
            for (int step = 1; step <= HOME; step++) {
                if (now->own[across(FEVGA, n - step)] == 0) {
                    return false;
                }
            }
            return true;
        }
    }
    return false;
}

/* Whether a turn may end so: in Fevga not with six points of the starting quarter held, nor so that
 * all enemies are shut in.  Where no turn keeps both, the second gives way and then the first. */
static bool may_end(const struct walk *walk) {
    return !(walk->limits > 0 && holds_six(walk->now.own, MOTHER)) &&
           !(walk->limits > 1 && shuts_in(&walk->now));
}

static void reach(struct walk *walk, int depth) {
    if ((depth == 1 && walk->higher_alone) || !may_end(walk)) {
        return;
    }
    if (depth > walk->most) {
        walk->most = depth;
        walk->results->count = 0;
        memset(walk->table, 0xff, sizeof walk->table);
    }
    if (depth == walk->most) {
        keep(walk);
    }
}

static bool stands_above(const struct board *board, int number) {
    for (int n = number + 1; n < PLACES; n++) {
        if (board->own[n]) {
            return true;
        }
    }
    return false;
}

static bool stands_below(const struct board *board, int number) {
    for (int n = number - 1; n >= OFF; n--) {
        if (board->own[n]) {
            return true;
        }
    }
    return false;
}

/* Fevga: whether no checker has reached the enemy's start yet. */
static bool first_is_coming(const struct walk *walk) {
    return walk->game == FEVGA && !stands_below(&walk->now, ACROSS + 1);
}

static bool fits(const struct walk *walk, int origin, int die) {
    const struct board *now = &walk->now;
    int target = origin - die;
    if (now->own[origin] == 0 || board_own_pinned(now, origin)) {
        return false;
    }
    if (first_is_coming(walk) && stands_below(now, origin)) {
        return false;
    }
    if (origin < BAR && now->own[BAR]) {
        return false;
    }
    if (target > 0) {
        return walk->landing[target] < 2;
    }
    return !stands_above(now, target == 0 ? HOME : origin);
}

static void go(struct walk *walk, int depth, int top) {
    int die = walk->dice[depth];
    bool frees = first_is_coming(walk);
    for (int origin = top; origin > 0; origin--) {
        if (!fits(walk, origin, die)) {
            continue;
        }
        struct board *now = &walk->now;
        int target = origin > die ? origin - die : OFF;
        bool hits = target > 0 && walk->landing[target] == 1 && now->opp[BAR - target] == 1;
        now->own[origin]--;
        now->own[target]++;
        now->key += KEYS[target] - KEYS[origin];
        if (hits) {
            now->opp[BAR - target] = 0;
            now->opp[BAR]++;
        }
        reach(walk, depth + 1);
        if (depth + 1 < walk->length) {
            go(walk, depth + 1, frees ? BAR : origin);
        }
        if (hits) {
            now->opp[BAR - target] = 1;
            now->opp[BAR]--;
        }
        now->key += KEYS[origin] - KEYS[target];
        now->own[target]--;
        now->own[origin]++;
    }
}

static void look(struct walk *walk) {
    for (int n = 1; n < BAR; n++) {
        int there = walk->before->opp[across(walk->game, n)];
        walk->landing[n] = (int8_t)(there > 1 ? 2 : there);
        if (walk->game == PIN) {
            walk->landing[n] = there > 1 || board_own_pinned(walk->before, n) ? 2 : 0;
        } else if (walk->game == FEVGA) {
            walk->landing[n] = there ? 2 : 0;
        }
    }
}

/* The other side is on roll; in the Pin game single enemies under the mover's checkers are pinned. */
static void pass_on(enum game game, struct board *board) {
    struct board seen = *board;
    uint32_t struck = 0;
    for (int n = 1; game == PIN && n < BAR; n++) {
        if (board->opp[n] == 1 && !board_own_pinned(board, BAR - n) && board->own[BAR - n]) {
            struck |= 1u << n;
        }
    }
    memcpy(seen.own, board->opp, sizeof seen.own);
    memcpy(seen.opp, board->own, sizeof seen.opp);
    seen.own_pinned = struck;
    seen.opp_pinned = board->own_pinned;
    board_seal(&seen);
    *board = seen;
}

static void walk_through(struct walk *walk, int high, int low) {
    bool doublet = high == low;
    walk->most = -1;
    walk->length = doublet ? 4 : 2;
    for (int order = 0; order < (doublet ? 1 : 2); order++) {
        for (int i = 0; i < walk->length; i++) {
            walk->dice[i] = (i + order) % 2 == 0 ? high : low;
        }
        walk->higher_alone = order == 1 && walk->most == 1;
        if (order == 0) {
            reach(walk, 0);
        }
        go(walk, 0, BAR);
    }
}

void board_results(enum game game, const struct board *board, int high, int low,
                   struct results *results) {
    struct walk walk = {.game = game, .before = board, .now = *board, .results = results};
    look(&walk);
    results->count = 0;
    for (walk.limits = game == FEVGA ? 2 : 0; results->count == 0; walk.limits--) {
        walk_through(&walk, high, low);
    }
    for (int i = 0; i < results->count; i++) {
        pass_on(game, &results->boards[i]);
    }
}

static bool read_men(const char **text, int8_t *men) {
    for (int n = BAR; n >= 0; n--, (*text)++) {
        char c = **text;
        int value = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (value < 0) {
            return false;
        }
        men[n] = (int8_t)value;
    }
    while (**text == ' ') {
        (*text)++;
    }
    return true;
}

bool board_read(const char *text, struct board *board) {
    int8_t own_pinned[PLACES], opp_pinned[PLACES];
    memset(board, 0, sizeof *board);
    if (!read_men(&text, board->own) || !read_men(&text, board->opp) ||
        !read_men(&text, own_pinned) || !read_men(&text, opp_pinned)) {
        return false;
    }
    for (int n = 0; n < PLACES; n++) {
        board->own_pinned |= (uint32_t)(own_pinned[n] != 0) << n;
        board->opp_pinned |= (uint32_t)(opp_pinned[n] != 0) << n;
    }
    board_seal(board);
    return true;
}

void board_write(const struct board *board, char text[112]) {
    char *at = text;
    for (int part = 0; part < 4; part++) {
        for (int n = BAR; n >= 0; n--) {
            int value = part == 0   ? board->own[n]
                        : part == 1 ? board->opp[n]
                        : part == 2 ? board_own_pinned(board, n)
                                    : board_opp_pinned(board, n);
            *at++ = "0123456789abcdef"[value];
        }
        *at++ = part < 3 ? ' ' : '\0';
    }
}
