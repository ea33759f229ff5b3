#include "hall.h"

#include <stddef.h>
#include <string.h>

void hall_start(struct hall *hall, uint8_t columns, uint8_t operate, uint8_t release) {
    if (columns != hall->columns) {
        memset(hall->zeros, 0, sizeof hall->zeros);
    }
    hall->columns = columns;
    hall->operate = operate;
    hall->release = release;
    hall->same_count = 0;
}

static uint16_t first_of(const struct hall *hall, uint8_t row) {
    return (uint16_t)row * hall->columns;
}

static bool is_silent(uint16_t level) {
    return level < HALL_SILENT;
}

static int16_t distance(uint16_t level, uint16_t zero) {
    return (int16_t)((int16_t)level - (int16_t)(zero != 0 ? zero : HALL_MIDDLE));
}

enum { NORTH = 1, SOUTH = 2 };

static bool within(int16_t from_zero, uint8_t most) {
    return -most < from_zero && from_zero < most;
}

static void mark(uint8_t *bitmap, uint16_t bit) {
    bitmap[bit / 8] = (uint8_t)(bitmap[bit / 8] | 1u << (bit % 8));
}

void hall_begin_scan(struct hall *hall) {
    memset(hall->now_silent, 0, sizeof hall->now_silent);
}

/* A pole goes before the other one comes. */
uint8_t hall_poles(struct hall *hall, uint16_t cell, uint8_t before) {
    uint16_t level = hall->levels[cell];
    uint16_t zero = hall->zeros[cell];
    if (is_silent(level)) {
        mark(hall->now_silent, cell);
        return before;
    }
    int16_t from_zero = distance(level, zero);
    if (before != 0) {
        int16_t towards = before == NORTH ? from_zero : (int16_t)-from_zero;
        return towards >= (zero != 0 ? hall->release : hall->operate) ? before : 0;
    }
    if (within(from_zero, hall->operate)) {
        return 0;
    }
    return from_zero > 0 ? NORTH : SOUTH;
}

static bool may_be_empty(const struct hall *hall, uint16_t level, uint16_t zero) {
    return !is_silent(level) && within(distance(level, zero), hall->release);
}

void hall_learn(struct hall *hall, uint8_t row) {
    uint16_t cell = first_of(hall, row);
    for (uint8_t column = 0; column < hall->columns; column++, cell++) {
        if (hall->zeros[cell] == 0 && may_be_empty(hall, hall->levels[cell], 0)) {
            hall->zeros[cell] = hall->levels[cell];
        }
    }
}

static uint16_t one_step(uint16_t zero, uint16_t level) {
    if (zero == level) {
        return zero;
    }
    return (uint16_t)(zero < level ? zero + 1 : zero - 1);
}

void hall_follow(struct hall *hall, uint8_t row, uint16_t closed) {
    uint16_t cell = first_of(hall, row);
    for (uint8_t column = 0; column < hall->columns; column++, cell++, closed >>= HALL_POLES) {
        uint16_t level = hall->levels[cell];
        uint16_t *zero = &hall->zeros[cell];
        if ((closed & 3u) == 0 && may_be_empty(hall, level, *zero)) {
            *zero = *zero == 0 ? level : one_step(*zero, level);
        }
    }
}

bool hall_note_silent(struct hall *hall, bool at_once) {
    const size_t size = sizeof hall->now_silent;
    if (memcmp(hall->now_silent, hall->last_silent, size) != 0) {
        memcpy(hall->last_silent, hall->now_silent, size);
        hall->same_count = 0;
    } else if (hall->same_count < HALL_SILENT_SCANS) {
        hall->same_count++;
    }
    bool changed = memcmp(hall->now_silent, hall->silent, size) != 0;
    if (!changed || !(at_once || hall->same_count == HALL_SILENT_SCANS)) {
        return false;
    }
    memcpy(hall->silent, hall->now_silent, size);
    return true;
}
