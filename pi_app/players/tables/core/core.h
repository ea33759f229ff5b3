/* What Python asks; a board is four times thirteen bytes, with two counts each: own men from those
 * off to those on the bar, the other side's, and those of each that are pinned. */
#ifndef CORE_H
#define CORE_H

#include "network.h"

enum { BYTES = PLACES / 2, BOARD_BYTES = 4 * BYTES, ROLLS = 21, TOLD = ENDS_MAX + 1 };

struct network *spotter_tables_open(const char *path);
void spotter_tables_close(struct network *network);
/* The chances of the ends of each board, ENDS_MAX numbers a board, for the side on roll. */
void spotter_tables_ends(const struct network *network, const uint8_t *boards, int32_t count,
                         double *ends);
/* What each of 21 rolls is worth to the side on roll, played best: 11, 21, 22, 31 ..., and then how
 * the game ends after it, for the other side: TOLD numbers a roll in `told`.  `worths` is what the
 * ends are worth to the other side, `finals` what a finished game is to this one, by points from
 * -most to most. */
void spotter_tables_rolls(const struct network *network, const uint8_t *board,
                          const double *worths, const double *finals, int32_t most, double *told);
/* The mean of all rolls, TOLD numbers. */
void spotter_tables_answered(const struct network *network, const uint8_t *board,
                             const double *worths, const double *finals, int32_t most,
                             double *told);
/* A game that both sides play on, each by one ply, with these dice, two a turn and the higher first:
 * TOLD numbers for the side that is on roll first, without the luck of the rolls.  It ends after
 * `turns` turns, or before.  `worths` are ENDS_MAX numbers for each side, what the ends are worth to
 * it on roll; `finals` are 2 * most + 1 for each side; those of the side on roll come first. */
void spotter_tables_played_on(const struct network *network, const uint8_t *board,
                              const double *worths, const double *finals, int32_t most,
                              const uint8_t *dice, int32_t turns, double *told);

#endif
