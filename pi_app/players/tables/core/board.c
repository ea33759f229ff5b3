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

static uint64_t key_of(const int8_t *men) {
    uint64_t key = 0;
    for (int n = 0; n < PLACES; n++) {
        key += KEYS[n] * (uint64_t)men[n];
    }
    return key;
}

void board_seal(struct board *board) { board->key = key_of(board->own); }

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

/* The results found: those whose keys begin alike hang in one chain. */
enum { CHAINS = 256, CHAIN_SHIFT = 56 };
struct chains {
    int16_t first[CHAINS]; /* -1 ends a chain */
    int16_t next[RESULTS_MAX];
};

/* A turn under way.  Any legal turn can be made from back to front: nothing that stands farther
 * forward frees a checker that stands farther back; so origins never rise within one order.  Only
 * Fevga's first checker frees all others once it is past. */
struct walk {
    enum game game;
    uint32_t closed; /* no checker may land here */
    uint32_t blots;  /* a landing hits at first */
    int dice[4];
    int length;
    int most;
    int limits;        /* Fevga: how many of its limits on ends are kept */
    bool higher_alone; /* the higher die can be played and not both: the lower alone may not */
    struct board now;
    uint64_t opp_key;
    struct results *results;
    struct chains *chains;
};

/* Single enemies under the mover's checkers, by the enemy's numbers. */
static uint32_t struck(const struct board *now) {
    uint32_t single = places_of(now->opp, 1) & ~places_of(now->opp, 2);
    return single & across(PIN, places_of(now->own, 1) & ~now->own_pinned);
}

/* Keep the board as the other side sees it, who is on roll next. */
static void keep(struct walk *walk) {
    const struct board *now = &walk->now;
    struct results *results = walk->results;
    int16_t *first = &walk->chains->first[now->key >> CHAIN_SHIFT];
    for (int i = *first; i >= 0; i = walk->chains->next[i]) {
        const struct board *there = &results->boards[i];
        if (memcmp(there->opp, now->own, sizeof now->own) == 0 &&
            memcmp(there->own, now->opp, sizeof now->opp) == 0) {
            return;
        }
    }
    struct board *kept = &results->boards[results->count];
    memcpy(kept->own, now->opp, sizeof kept->own);
    memcpy(kept->opp, now->own, sizeof kept->opp);
    kept->own_pinned = walk->game == PIN ? struck(now) : 0;
    kept->opp_pinned = now->own_pinned;
    kept->key = walk->opp_key;
    walk->chains->next[results->count] = *first;
    *first = (int16_t)results->count++;
}

/* The six places from n on. */
static uint32_t six_from(int n) { return (uint32_t)((1 << HOME) - 1) << n; }

/* Fevga: whether the six points directly ahead of all enemies on one point are held, who are not at
 * home yet. */
static bool shuts_in(const struct board *now) {
    uint32_t enemies = places_of(now->opp, CHECKERS) & ON_POINTS;
    if (enemies >> (HOME + 1) == 0) {
        return false;
    }
    uint32_t ahead = six_from(__builtin_ctz(enemies) - HOME);
    return (across(FEVGA, places_of(now->own, 1)) & ahead) == ahead;
}

/* Whether a turn may end so: in Fevga not with six points of the starting quarter held, nor so that
 * all enemies are shut in.  Where no turn keeps both, the second gives way and then the first. */
static bool may_end(const struct walk *walk) {
    uint32_t quarter = six_from(BAR - HOME);
    return !(walk->limits > 0 && (places_of(walk->now.own, 1) & quarter) == quarter) &&
           !(walk->limits > 1 && shuts_in(&walk->now));
}

static void reach(struct walk *walk, int depth) {
    if ((depth == 1 && walk->higher_alone) || !may_end(walk)) {
        return;
    }
    if (depth > walk->most) {
        walk->most = depth;
        walk->results->count = 0;
        memset(walk->chains->first, 0xff, sizeof walk->chains->first);
    }
    if (depth == walk->most) {
        keep(walk);
    }
}

/* Fevga: whether no checker has reached the enemy's start yet. */
static bool first_is_coming(const struct walk *walk, uint32_t men) {
    return walk->game == FEVGA && (men & ((2u << ACROSS) - 1)) == 0;
}

/* Where a checker may go from with this die; `men` is where own ones are. */
static uint32_t movers(const struct walk *walk, uint32_t men, int die) {
    uint32_t able = men & ~1u & ~walk->now.own_pinned & ~(walk->closed << die);
    if (men >> BAR) {
        return able & 1u << BAR;
    }
    if (first_is_coming(walk, men)) {
        return able & men & -men;
    }
    if (men >> (HOME + 1)) {
        return able & ~((2u << die) - 1);
    }
    uint32_t last = 1u << (31 - __builtin_clz(men | 1)); /* the only one that may go past off */
    return able & (~((1u << die) - 1) | last);
}

static void go(struct walk *walk, int depth, int top) {
    struct board *now = &walk->now;
    int die = walk->dice[depth];
    uint32_t men = places_of(now->own, 1), left = movers(walk, men, die) & ((2u << top) - 1);
    while (left) {
        int origin = 31 - __builtin_clz(left), target = origin > die ? origin - die : OFF;
        bool hits = walk->blots >> target & 1u && now->opp[BAR - target] == 1;
        left -= 1u << origin;
        now->own[origin]--;
        now->own[target]++;
        now->key += KEYS[target] - KEYS[origin];
        if (hits) {
            now->opp[BAR - target] = 0;
            now->opp[BAR]++;
            walk->opp_key += KEYS[BAR] - KEYS[BAR - target];
        }
        reach(walk, depth + 1);
        if (depth + 1 < walk->length) {
            go(walk, depth + 1, first_is_coming(walk, men) ? BAR : origin);
        }
        if (hits) {
            now->opp[BAR - target] = 1;
            now->opp[BAR]--;
            walk->opp_key -= KEYS[BAR] - KEYS[BAR - target];
        }
        now->key += KEYS[origin] - KEYS[target];
        now->own[target]--;
        now->own[origin]++;
    }
}

static void look(struct walk *walk) {
    const struct board *now = &walk->now;
    uint32_t enemies = across(walk->game, places_of(now->opp, 1));
    walk->closed = across(walk->game, places_of(now->opp, 2));
    walk->blots = 0;
    if (walk->game == PIN) {
        walk->closed |= now->own_pinned;
    } else if (walk->game == FEVGA) {
        walk->closed = enemies;
    } else {
        walk->blots = enemies & ~walk->closed;
    }
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
    struct chains chains;
    struct walk walk = {.game = game, .now = *board, .results = results, .chains = &chains};
    walk.opp_key = key_of(board->opp);
    look(&walk);
    results->count = 0;
    for (walk.limits = game == FEVGA ? 2 : 0; results->count == 0; walk.limits--) {
        walk_through(&walk, high, low);
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
