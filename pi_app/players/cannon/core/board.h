/* Cannon's board and what its pieces can do, on sets of points.
 *
 * Bit i of a set is character i of the position text, rows 10 to 1 with a slash between them, as in
 * pi_app/rules/cannon.py: the slash's column holds no piece, so a set shifted over the edge
 * falls into it.  Actions come in the order that it has them in.
 */
#ifndef SPOTTER_CANNON_BOARD_H
#define SPOTTER_CANNON_BOARD_H

#include <stdbool.h>
#include <stdint.h>

typedef unsigned __int128 Points;

enum { WIDTH = 11, POINTS_AND_SLASHES = 110, SOLDIERS = 15, MOST_ACTIONS = 320 };
enum { LIGHT, DARK };

#define ROW ((Points)0x3ff)
#define BOARD                                                                                      \
    (ROW | ROW << 11 | ROW << 22 | ROW << 33 | ROW << 44 | ROW << 55 | ROW << 66 | ROW << 77 |     \
     ROW << 88 | ROW << 99)

#define INLINE static inline __attribute__((always_inline))

/* Seen by the mover: the pieces are his own and the enemy's; `side` is his. */
typedef struct {
    Points own, own_town, foe, foe_town;
    int side;
} Position;

/* Where the mover's soldiers change (none: a shot), and what the other side loses. */
typedef struct {
    Points changed, lost;
    int64_t rank;
    uint8_t from, to;
} Action;

INLINE Points shifted(Points points, int step) {
    return step > 0 ? points << step : points >> -step;
}

INLINE int count(Points points) {
    return __builtin_popcountll((uint64_t)points) + __builtin_popcountll((uint64_t)(points >> 64));
}

INLINE int first_of(Points points) {
    const uint64_t low = (uint64_t)points;
    return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(points >> 64));
}

INLINE Points beside(Points points) {
    const Points row = points | points << 1 | points >> 1;
    return row << WIDTH | row >> WIDTH | points << 1 | points >> 1;
}

/* The foremost points of the cannons that face in one direction and have an empty point before them. */
INLINE Points muzzles(Points soldiers, int step, Points empty) {
    return soldiers & shifted(soldiers, step) & shifted(soldiers, 2 * step) & shifted(empty, -step);
}

INLINE Points shots_along(Points soldiers, int step, Points empty) {
    const Points second = shifted(muzzles(soldiers, step, empty), 2 * step) & BOARD;
    return second | shifted(second, step);
}

INLINE Points shots(Points soldiers, Points empty) {
    return shots_along(soldiers, -12, empty) | shots_along(soldiers, -11, empty) |
           shots_along(soldiers, -10, empty) | shots_along(soldiers, -1, empty) |
           shots_along(soldiers, 1, empty) | shots_along(soldiers, 10, empty) |
           shots_along(soldiers, 11, empty) | shots_along(soldiers, 12, empty);
}

INLINE Points forward(Points soldiers, int side) {
    return side == LIGHT ? soldiers << 10 | soldiers << 11 | soldiers << 12
                         : soldiers >> 12 | soldiers >> 11 | soldiers >> 10;
}

/* Every point on which an enemy would be taken, by capture or shot. */
INLINE Points struck(Points soldiers, Points empty, int side) {
    return forward(soldiers, side) | soldiers << 1 | soldiers >> 1 | shots(soldiers, empty);
}

/* Every action of the mover once, or only those that take a soldier; returns how many. */
int list_actions(const Position *position, bool strikes_only, Action *found);

/* What the other side sees once an action has been made. */
INLINE Position made(const Position *position, const Action *action) {
    return (Position){
        .own = position->foe & ~action->lost,
        .own_town = position->foe_town & ~action->lost,
        .foe = position->own ^ action->changed,
        .foe_town = position->own_town,
        .side = position->side ^ 1,
    };
}

#endif
