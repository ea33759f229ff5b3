/* The strips of Hall sensors on an Arduino Mega 2560: a token goes along their chain of flip-flops,
 * and whoever has it puts its sensors on the analogue columns. AREF is 3.3 V from outside. */
#ifndef STRIPS_H
#define STRIPS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    STRIPS_MAX = 31,
    STRIP_SENSORS = 5, /* PF0..4 are the columns; PF5 is the token as it comes back */
};

/* The first strip has the token and no other; its sensors have settled. */
void strips_give_token(void);

/* The next strip has it; its sensors have settled. */
void strips_pass_token(void);

/* No strip has it. */
void strips_take_token(void);

/* Whether the last strip of the chain has it. */
bool strips_token_is_back(void);

/* Begin to read a column, or the token's return; wait for its level, 0..1023 of AREF. */
void strips_start_level(uint8_t column);
uint16_t strips_take_level(void);

#endif
