/* How many turns a side needs to bear off, exactly, when both have all checkers at home.
 *
 * One-sided: each side plays for the fewest turns on the mean, as if alone on the board. */
#ifndef BEAROFF_H
#define BEAROFF_H

#include "board.h"

/* Work out all 54 264 positions; false if there is no memory. */
bool bearoff_begin(void);
/* Whether both sides have all men at home or off, and are past each other. */
bool bearoff_knows(const struct board *board);
/* The six ways to end, from backgammon lost to backgammon won, for the side on roll. */
void bearoff_ends(const struct board *board, double *ends);

#endif
