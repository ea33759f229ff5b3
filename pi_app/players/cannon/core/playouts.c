/* Plain Monte Carlo, the yardstick of the search: every action is tried, then both sides play by
 * chance to the end, except that a town that can be taken is.  levels.py has the same in Python.
 */
#include "search.h"


enum { MOST_TURNS = 200 };

typedef struct {
    uint64_t seed, drawn;
} Lots;

static uint32_t draw(Lots *lots, uint32_t number) {
    return (uint32_t)((mixed(lots->seed + lots->drawn++) >> 32) * number >> 32);
}

static uint64_t seed_of(const Position *p) {
    uint64_t seed = (uint64_t)p->side;
    const Points sets[] = {p->own, p->foe};
    for (int i = 0; i < 2; i++) {
        seed = mixed(seed ^ (uint64_t)sets[i]);
        seed = mixed(seed ^ (uint64_t)(sets[i] >> 64));
    }
    return seed;
}

/* 1: who is to move wins; -1: loses; 0: it takes too long. */
static int play_out(Position position, Lots *lots) {
    Action actions[MOST_ACTIONS];
    int sign = 1;
    for (int turn = 0; turn < MOST_TURNS; turn++, sign = -sign) {
        const Position *p = &position;
        const Points empty = BOARD & ~(p->own | p->own_town | p->foe | p->foe_town);
        if (!p->own_town) return -sign;
        if (struck(p->own, empty, p->side) & p->foe_town) return sign;
        const int number = list_actions(p, false, actions);
        if (number == 0) return -sign;
        position = made(p, &actions[draw(lots, (uint32_t)number)]);
    }
    return 0;
}

int32_t spotter_cannon_playouts(const cannon_position *asked, const cannon_action *actions,
                                int32_t number, int64_t playouts, int64_t *gains) {
    Position position;
    Action action;
    if (!read_position(asked, &position)) return -1;
    Lots lots = {seed_of(&position), 0};
    for (int i = 0; i < number; i++) {
        if (!find_action(&position, &actions[i], &action)) return -2;
        const Position next = made(&position, &action);
        gains[i] = 0;
        for (int64_t n = 0; n < playouts; n++) gains[i] -= play_out(next, &lots);
    }
    return 0;
}
