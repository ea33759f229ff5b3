#include "board.h"

INLINE Action *captures(const Position *p, int step, Action *next) {
    const Points enemy = p->foe | p->foe_town;
    for (Points left = shifted(p->own, step) & enemy; left; left &= left - 1) {
        const int to = first_of(left);
        const Points target = (Points)1 << to;
        *next++ = (Action){
            .changed = shifted(target, -step) | target,
            .lost = target,
            .from = (uint8_t)(to - step),
            .to = (uint8_t)to,
        };
    }
    return next;
}

/* Soldiers that come to an empty point beyond `last`, from `length` steps before it. */
INLINE Action *leaps(Points last, int step, Points empty, int length, Action *next) {
    for (Points left = shifted(last, step) & empty; left; left &= left - 1) {
        const int to = first_of(left);
        const Points target = (Points)1 << to;
        *next++ = (Action){
            .changed = shifted(target, -length * step) | target,
            .from = (uint8_t)(to - length * step),
            .to = (uint8_t)to,
        };
    }
    return next;
}

INLINE Action *ahead(const Position *p, int step, Points empty, bool strikes_only, Action *next) {
    next = captures(p, step, next);
    return strikes_only ? next : leaps(p->own, step, empty, 1, next);
}

INLINE Action *forward_actions(const Position *p, Points empty, bool strikes_only, Action *next) {
    if (p->side == LIGHT) {
        next = ahead(p, 10, empty, strikes_only, next);
        next = ahead(p, 11, empty, strikes_only, next);
        return ahead(p, 12, empty, strikes_only, next);
    }
    next = ahead(p, -12, empty, strikes_only, next);
    next = ahead(p, -11, empty, strikes_only, next);
    return ahead(p, -10, empty, strikes_only, next);
}

INLINE Action *retreat(Points threatened, int step, Points empty, Action *next) {
    return leaps(shifted(threatened, step) & empty, step, empty, 2, next);
}

INLINE Action *retreats(const Position *p, Points empty, Action *next) {
    const Points threatened = p->own & beside(p->foe | p->foe_town);
    if (!threatened) return next;
    if (p->side == LIGHT) {
        next = retreat(threatened, -12, empty, next);
        next = retreat(threatened, -11, empty, next);
        return retreat(threatened, -10, empty, next);
    }
    next = retreat(threatened, 10, empty, next);
    next = retreat(threatened, 11, empty, next);
    return retreat(threatened, 12, empty, next);
}

INLINE Action *slides_along(const Position *p, int step, Points empty, Action *next) {
    return leaps(muzzles(p->own, step, empty), step, empty, 3, next);
}

INLINE Action *slides(const Position *p, Points empty, Action *next) {
    next = slides_along(p, -12, empty, next);
    next = slides_along(p, -11, empty, next);
    next = slides_along(p, -10, empty, next);
    next = slides_along(p, -1, empty, next);
    next = slides_along(p, 1, empty, next);
    next = slides_along(p, 10, empty, next);
    next = slides_along(p, 11, empty, next);
    return slides_along(p, 12, empty, next);
}

int list_actions(const Position *p, bool strikes_only, Action *found) {
    const Points enemy = p->foe | p->foe_town;
    const Points empty = BOARD & ~(p->own | p->own_town | enemy);
    Action *next = forward_actions(p, empty, strikes_only, found);
    next = captures(p, -1, next);
    next = captures(p, 1, next);
    if (!strikes_only) {
        next = retreats(p, empty, next);
        next = slides(p, empty, next);
    }
    for (Points left = shots(p->own, empty) & enemy; left; left &= left - 1) {
        *next++ = (Action){.lost = left & -left, .to = (uint8_t)first_of(left)};
    }
    return (int)(next - found);
}
