/* Alpha-beta for Cannon: iterative deepening, a transposition table, and at the leaves a search of
 * what takes a soldier.
 */
#define _POSIX_C_SOURCE 200809L

#include "search.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIN = 100000, WON = WIN - 1000, INFINITE = WIN + 1, MOST_PLY = 64, CLOCK_EVERY = 1024 };
enum { NOTHING, UPPER, LOWER, EXACT };
enum { DANGER_DEPTH = -1, LAST_DEPTH = -4 };
enum { FIRST_BITS = 12, LAST_BITS = 20, NONE = 0xffff, TURN_KEY = 256 };
enum { SOLDIER, STEP, ADVANCE, RING, GUARD, THREAT, TEMPO };

#define RANK_TABLE ((int64_t)1 << 60)
#define RANK_SHOT ((int64_t)1 << 51)
#define RANK_CAPTURE ((int64_t)1 << 50)
#define RANK_KILLER ((int64_t)1 << 48)

typedef struct {
    uint64_t key;
    int32_t value;
    int8_t depth;
    uint8_t bound;
    uint16_t action;
} Entry;

typedef struct {
    const int32_t *weights;
    Entry *table;
    uint64_t mask, keys[TURN_KEY + 1];
    Points killers[MOST_PLY + 1][2];
    int64_t history[2][128][128];
    int64_t nodes, most_nodes;
    int64_t end_ns;
    bool stopped;
} Search;

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* splitmix64, by Sebastiano Vigna, in the public domain. */
uint64_t mixed(uint64_t number) {
    number = (number + 1) * 0x9e3779b97f4a7c15;
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
    number = (number ^ number >> 27) * 0x94d049bb133111eb;
    return number ^ number >> 31;
}

/* Evaluation */

static int steps_of(Points soldiers, int side, Points empty) {
    const int turn = side == LIGHT ? 1 : -1;
    return count(shifted(soldiers, turn * 10) & empty) +
           count(shifted(soldiers, turn * 11) & empty) +
           count(shifted(soldiers, turn * 12) & empty);
}

/* Rows from the own edge, summed over the soldiers: bit by bit of the row's number. */
static int advance_of(Points soldiers, int side) {
    const Points ones = ROW << 11 | ROW << 33 | ROW << 55 | ROW << 77 | ROW << 99;
    const Points twos = ROW << 22 | ROW << 33 | ROW << 66 | ROW << 77;
    const Points fours = ROW << 44 | ROW << 55 | ROW << 66 | ROW << 77;
    const Points eights = ROW << 88 | ROW << 99;
    const int rows = count(soldiers & ones) + 2 * count(soldiers & twos) +
                     4 * count(soldiers & fours) + 8 * count(soldiers & eights);
    return side == LIGHT ? rows : 9 * count(soldiers) - rows;
}

static Points ring(Points town) { return beside(beside(town)) & BOARD; }

static int marks(const int32_t *w, Points soldiers, Points town, Points enemy, Points enemy_town,
                 Points empty, Points strikes, int side) {
    return w[SOLDIER] * count(soldiers) + w[STEP] * steps_of(soldiers, side, empty) +
           w[ADVANCE] * advance_of(soldiers, side) +
           w[RING] * count(soldiers & ring(enemy_town)) + w[GUARD] * count(soldiers & ring(town)) +
           w[THREAT] * count(strikes & enemy);
}

static int evaluate(const int32_t *w, const Position *p, Points empty, Points own_strikes,
                    Points foe_strikes) {
    return w[TEMPO] +
           marks(w, p->own, p->own_town, p->foe, p->foe_town, empty, own_strikes, p->side) -
           marks(w, p->foe, p->foe_town, p->own, p->own_town, empty, foe_strikes, p->side ^ 1);
}

/* Search */

static bool is_over_limit(Search *s) {
    if (s->nodes >= s->most_nodes) return true;
    return s->nodes % CLOCK_EVERY == 0 && now_ns() >= s->end_ns;
}

static uint64_t key_of(const Search *s, const Position *p) {
    uint64_t key = p->side == LIGHT ? 0 : s->keys[TURN_KEY];
    for (Points left = p->own; left; left &= left - 1) key ^= s->keys[128 * p->side + first_of(left)];
    for (Points left = p->foe; left; left &= left - 1)
        key ^= s->keys[128 * (p->side ^ 1) + first_of(left)];
    return key;
}

static uint64_t key_after(const Search *s, uint64_t key, const Action *action, int side) {
    key ^= s->keys[TURN_KEY];
    if (action->changed)
        key ^= s->keys[128 * side + action->from] ^ s->keys[128 * side + action->to];
    if (action->lost) key ^= s->keys[128 * (side ^ 1) + action->to];
    return key;
}

/* Points are unordered: a slide and the slide back have one history. */
static int64_t *history_of(Search *s, const Action *action, int side) {
    return action->from < action->to ? &s->history[side][action->from][action->to]
                                     : &s->history[side][action->to][action->from];
}

/* The numbers of the actions, the most promising first; alike ones stay in their order. */
static void sort_actions(Search *s, Action *actions, int number, int first, int side, int ply,
                         uint16_t *order) {
    for (int i = 0; i < number; i++) {
        Action *action = &actions[i];
        if (i == first) action->rank = RANK_TABLE;
        else if (action->lost) action->rank = action->changed ? RANK_CAPTURE : RANK_SHOT;
        else if (action->changed == s->killers[ply][0]) action->rank = 2 * RANK_KILLER;
        else if (action->changed == s->killers[ply][1]) action->rank = RANK_KILLER;
        else action->rank = *history_of(s, action, side);
        int place = i;
        for (; place > 0 && actions[order[place - 1]].rank < action->rank; place--)
            order[place] = order[place - 1];
        order[place] = (uint16_t)i;
    }
}

static void reward(Search *s, const Action *action, int side, int ply, int depth) {
    if (action->lost || depth < 1) return;
    if (s->killers[ply][0] != action->changed) {
        s->killers[ply][1] = s->killers[ply][0];
        s->killers[ply][0] = action->changed;
    }
    *history_of(s, action, side) += depth * depth;
}

/* Wins are kept as seen from the position itself, not from the root. */
static int kept_value(int value, int ply) {
    return value >= WON ? value + ply : value <= -WON ? value - ply : value;
}

static int told_value(int value, int ply) {
    return value >= WON ? value - ply : value <= -WON ? value + ply : value;
}

static void keep(Search *s, uint64_t key, int depth, int value, int bound, int action, int ply) {
    s->table[key & s->mask] = (Entry){
        .key = key,
        .value = kept_value(value, ply),
        .depth = (int8_t)depth,
        .bound = (uint8_t)bound,
        .action = (uint16_t)action,
    };
}

static int explore(Search *s, const Position *p, uint64_t key, int depth, int alpha, int beta,
                   int ply);

/* Only what takes a soldier, or nothing. */
static int settle(Search *s, const Position *p, uint64_t key, int depth, int alpha, int beta,
                  int ply, int standing) {
    const bool is_hopeless = standing + s->weights[SOLDIER] * 2 <= alpha;
    if (standing >= beta || is_hopeless || depth <= LAST_DEPTH || ply >= MOST_PLY) return standing;
    if (standing > alpha) alpha = standing;
    int best = standing;
    Action actions[MOST_ACTIONS];
    uint16_t order[MOST_ACTIONS];
    const int number = list_actions(p, true, actions);
    sort_actions(s, actions, number, -1, p->side, ply, order);
    for (int i = 0; i < number; i++) {
        const Action *action = &actions[order[i]];
        const Position next = made(p, action);
        const int value = -explore(s, &next, key_after(s, key, action, p->side), depth - 1, -beta,
                                   -alpha, ply + 1);
        if (s->stopped) return 0;
        if (value > best) best = value;
        if (value > alpha) alpha = value;
        if (alpha >= beta) break;
    }
    return best;
}

/* Late quiet actions are looked at one turn less deep, and again in full if they surprise. */
static int reduction(const Action *action, int i, int depth, bool in_danger) {
    return depth >= 3 && i >= 4 && !action->lost && !in_danger ? 1 : 0;
}

static int try_action(Search *s, const Position *next, uint64_t key, int depth, int less, int alpha,
                      int beta, int ply, bool is_first) {
    if (is_first) return -explore(s, next, key, depth, -beta, -alpha, ply);
    int value = -explore(s, next, key, depth - less, -alpha - 1, -alpha, ply);
    if (less && value > alpha && !s->stopped)
        value = -explore(s, next, key, depth, -alpha - 1, -alpha, ply);
    if (value > alpha && value < beta && !s->stopped)
        value = -explore(s, next, key, depth, -beta, -alpha, ply);
    return value;
}

static int explore(Search *s, const Position *p, uint64_t key, int depth, int alpha, int beta,
                   int ply) {
    s->nodes++;
    if (is_over_limit(s)) s->stopped = true;
    if (s->stopped) return 0;
    const Points empty = BOARD & ~(p->own | p->own_town | p->foe | p->foe_town);
    const Points own_strikes = struck(p->own, empty, p->side);
    if (own_strikes & p->foe_town) return WIN - ply - 1;
    const Points foe_strikes = struck(p->foe, empty, p->side ^ 1);
    const bool in_danger = foe_strikes & p->own_town;
    if ((depth < 1 && !(in_danger && depth > DANGER_DEPTH)) || ply >= MOST_PLY) {
        const int standing = evaluate(s->weights, p, empty, own_strikes, foe_strikes);
        return settle(s, p, key, depth, alpha, beta, ply, standing);
    }

    int first = NONE;
    const Entry *entry = &s->table[key & s->mask];
    if (entry->key == key && entry->bound != NOTHING) {
        first = entry->action;
        const int value = told_value(entry->value, ply);
        if (entry->depth >= depth &&
            (entry->bound == EXACT || (entry->bound == LOWER ? value >= beta : value <= alpha)))
            return value;
    }

    Action actions[MOST_ACTIONS];
    uint16_t order[MOST_ACTIONS];
    const int number = list_actions(p, false, actions);
    if (number == 0) return -WIN + ply;
    sort_actions(s, actions, number, first, p->side, ply, order);
    int best = -INFINITE, best_action = NONE;
    const int floor = alpha;
    for (int i = 0; i < number; i++) {
        const Action *action = &actions[order[i]];
        const Position next = made(p, action);
        const int value = try_action(s, &next, key_after(s, key, action, p->side), depth - 1,
                                     reduction(action, i, depth, in_danger), alpha, beta, ply + 1,
                                     i == 0);
        if (s->stopped) return 0;
        if (value > best) {
            best = value;
            best_action = order[i];
        }
        if (value > alpha) alpha = value;
        if (alpha >= beta) {
            reward(s, action, p->side, ply, depth);
            break;
        }
    }
    const int bound = best >= beta ? LOWER : best > floor ? EXACT : UPPER;
    keep(s, key, depth, best, bound, best_action, ply);
    return best;
}

/* The root */

typedef struct {
    Search *search;
    const Position *position;
    const Action *actions;
    int count;
    uint64_t key;
} Root;

static int value_at_root(const Root *root, int index, int depth, int alpha, bool is_first) {
    const Action *action = &root->actions[index];
    if (action->lost & root->position->foe_town) return WIN - 1;
    const Position next = made(root->position, action);
    const uint64_t key = key_after(root->search, root->key, action, root->position->side);
    return try_action(root->search, &next, key, depth - 1, 0, alpha, INFINITE, 1, is_first);
}

static void to_front(int *order, int index) {
    int place = 0;
    while (order[place] != index) place++;
    memmove(order + 1, order, (size_t)place * sizeof *order);
    order[0] = index;
}

/* One depth; the best there is so far goes to the front.  Returns whether it was finished. */
static bool deepen(const Root *root, int *order, int depth, int *value) {
    int alpha = -INFINITE, best = -1;
    for (int i = 0; i < root->count && !root->search->stopped; i++) {
        const int found = value_at_root(root, order[i], depth, alpha, i == 0);
        if (!root->search->stopped && found > alpha) {
            alpha = found;
            best = order[i];
        }
    }
    if (best >= 0 && !(root->search->stopped && best == order[0])) {
        *value = alpha;
        to_front(order, best);
    }
    return !root->search->stopped;
}

/* Every action by itself, so that each has a value and not only a bound. */
static bool rate_all(const Root *root, int depth, int32_t *worths) {
    int32_t found[MOST_ACTIONS];
    for (int i = 0; i < root->count; i++) {
        found[i] = value_at_root(root, i, depth, -INFINITE, true);
        if (root->search->stopped) return false;
    }
    memcpy(worths, found, (size_t)root->count * sizeof *found);
    return true;
}

static void find_best(const Root *root, const cannon_limits *limits, int64_t begun,
                      cannon_findings *told, int *value) {
    Search *s = root->search;
    int order[MOST_ACTIONS];
    for (int i = 0; i < root->count; i++) order[i] = i;
    for (int depth = 1; depth <= limits->depth; depth++) {
        if (!deepen(root, order, depth, value)) break;
        told->depth = depth;
        if (*value >= WON || *value <= -WON) break;
        s->most_nodes = limits->nodes;
        s->end_ns = begun + (int64_t)limits->milliseconds * 800000;
    }
    told->best = order[0];
}

/* One turn deep in any case, then as deep as a quarter of the nodes goes, odd or even as the best. */
static void rate_rest(const Root *root, const cannon_limits *limits, int64_t begun,
                      cannon_findings *told) {
    Search *s = root->search;
    s->stopped = false;
    s->most_nodes = s->end_ns = INT64_MAX;
    rate_all(root, 1, told->worths);
    told->rated_depth = 1;
    s->most_nodes = s->nodes + limits->nodes / 4;
    s->end_ns = begun + (int64_t)limits->milliseconds * 1000000;
    for (int depth = 2 + told->depth % 2; depth <= told->depth; depth += 2) {
        if (!rate_all(root, depth, told->worths)) break;
        told->rated_depth = depth;
    }
}

static void answer(const Root *root, const cannon_limits *limits, cannon_findings *told) {
    const int64_t begun = now_ns();
    int value = 0;
    find_best(root, limits, begun, told, &value);
    rate_rest(root, limits, begun, told);
    for (int i = 0; i < root->count; i++) {
        if (i == told->best) told->worths[i] = value;
        else if (told->worths[i] >= value) told->worths[i] = value - 1;
    }
    told->nodes = root->search->nodes;
}

static Search *new_search(const int32_t *weights, int64_t nodes) {
    int bits = FIRST_BITS;
    while (bits < LAST_BITS && (int64_t)1 << bits < nodes / 2) bits++;
    Search *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->table = calloc((size_t)1 << bits, sizeof *s->table);
    if (!s->table) {
        free(s);
        return NULL;
    }
    s->weights = weights;
    s->mask = ((uint64_t)1 << bits) - 1;
    s->most_nodes = s->end_ns = INT64_MAX;
    for (int i = 0; i <= TURN_KEY; i++) s->keys[i] = mixed((uint64_t)i);
    return s;
}

/* What the program calls */

static Points joined(cannon_points points) { return (Points)points.high << 64 | points.low; }

static cannon_points parted(Points points) {
    return (cannon_points){(uint64_t)points, (uint64_t)(points >> 64)};
}

bool read_position(const cannon_position *asked, Position *position) {
    Points sets[4], all = 0;
    for (int i = 0; i < 4; i++) {
        sets[i] = joined(i < 2 ? asked->soldiers[i] : asked->town[i - 2]);
        if (sets[i] & ~BOARD || sets[i] & all || count(sets[i]) > (i < 2 ? SOLDIERS : 1))
            return false;
        all |= sets[i];
    }
    const int side = asked->mover == DARK;
    *position = (Position){sets[side], sets[2 + side], sets[!side], sets[2 + !side], side};
    return true;
}

bool find_action(const Position *position, const cannon_action *asked, Action *action) {
    Action legal[MOST_ACTIONS];
    const int number = list_actions(position, false, legal);
    for (int i = 0; i < number; i++) {
        if (legal[i].changed == joined(asked->changed) && legal[i].lost == joined(asked->lost)) {
            *action = legal[i];
            return true;
        }
    }
    return false;
}

static int64_t perft(const Position *p, int depth) {
    Action actions[MOST_ACTIONS];
    if (!p->own_town || !p->foe_town) return 0;
    const int number = list_actions(p, false, actions);
    if (depth <= 1) return number;
    int64_t sum = 0;
    for (int i = 0; i < number; i++) {
        const Position next = made(p, &actions[i]);
        sum += perft(&next, depth - 1);
    }
    return sum;
}

int64_t spotter_cannon_perft(const cannon_position *asked, int32_t depth) {
    Position position;
    return read_position(asked, &position) ? perft(&position, depth) : -1;
}

int32_t spotter_cannon_actions(const cannon_position *asked, cannon_action *found) {
    Position position;
    Action actions[MOST_ACTIONS];
    if (!read_position(asked, &position)) return -1;
    const int number = list_actions(&position, false, actions);
    for (int i = 0; i < number; i++)
        found[i] = (cannon_action){parted(actions[i].changed), parted(actions[i].lost)};
    return number;
}

int32_t spotter_cannon_evaluate(const cannon_position *asked, const int32_t *weights) {
    Position p;
    if (!read_position(asked, &p)) return -INFINITE;
    const Points empty = BOARD & ~(p.own | p.own_town | p.foe | p.foe_town);
    const Points strikes = struck(p.own, empty, p.side);
    return evaluate(weights, &p, empty, strikes, struck(p.foe, empty, p.side ^ 1));
}

int32_t spotter_cannon_search(const cannon_position *asked, const int32_t *weights,
                              const cannon_action *actions, int32_t number,
                              const cannon_limits *limits, cannon_findings *findings) {
    Position position;
    Action legal[MOST_ACTIONS];
    if (!read_position(asked, &position)) return -1;
    if (number < 1 || number > MOST_ACTIONS) return -2;
    for (int i = 0; i < number; i++)
        if (!find_action(&position, &actions[i], &legal[i])) return -2;
    Search *s = new_search(weights, limits->nodes);
    if (!s) return -3;
    const Root root = {s, &position, legal, number, key_of(s, &position)};
    *findings = (cannon_findings){0};
    answer(&root, limits, findings);
    free(s->table);
    free(s);
    return 0;
}
