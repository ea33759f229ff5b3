/* Positions to be labelled: of games as people play them, and worse. */
#include <stdio.h>
#include <string.h>

#include "teach.h"

enum { FEW = 8, TURNS = 400, THOUSAND = 1000 };

struct printer {
    enum game game;
    bool races;
};

static void print_board(const struct printer *printer, const struct board *board) {
    char text[112];
    struct outcome outcome;
    struct active active;
    if (board_outcome(printer->game, board, &outcome)) {
        return;
    }
    if (printer->races || feature_list(printer->game, board, &active) != RACE) {
        board_write(board, text);
        if (printer->game != PIN) {
            text[2 * PLACES + 1] = '\0'; /* nothing is pinned */
        }
        puts(text);
    }
}

/* Some checkers of either side go back, to the bar or points that the other does not hold: so back
 * games and checkers on the bar are not rare. */
static void strew(struct board *board, struct chance *chance) {
    for (int side = 0; side < 2; side++) {
        int8_t *own = side ? board->opp : board->own, *opp = side ? board->own : board->opp;
        int times = (int)chance_below(chance, 6);
        for (int i = 0; i < times; i++) {
            int from = 1 + (int)chance_below(chance, BAR - HOME - 1);
            int to = BAR - HOME + (int)chance_below(chance, HOME + 1);
            if (own[from] && (to == BAR || opp[BAR - to] == 0)) {
                own[from]--;
                own[to]++;
            }
        }
    }
    board_seal(board);
}

/* Of ten games of Backgammon two begin strewn, and one as Nackgammon does. */
static struct board beginning(enum game game, struct chance *chance) {
    struct board board = board_start(game);
    if (game != BACKGAMMON) {
        return board;
    }
    uint32_t kind = chance_below(chance, 10);
    if (kind < 2) {
        strew(&board, chance);
    } else if (kind == 2) {
        int8_t *sides[] = {board.own, board.opp};
        for (int side = 0; side < 2; side++) {
            sides[side][13]--;
            sides[side][6]--;
            sides[side][23] += 2;
        }
        board_seal(&board);
    }
    return board;
}

/* The best few results, the best first. */
static int best_few(const struct player *player, enum game game, const struct results *results,
                    int few[FEW]) {
    double worths[RESULTS_MAX];
    int count = 0;
    for (int i = 0; i < results->count; i++) {
        worths[i] = judged(game, player, &results->boards[i]);
    }
    for (; count < FEW && count < results->count; count++) {
        int best = 0;
        for (int i = 1; i < results->count; i++) {
            best = worths[i] > worths[best] ? i : best;
        }
        few[count] = best;
        worths[best] = -1e12;
    }
    return count;
}

static long play_one(const struct printer *printer, const struct player *player,
                     struct chance *chance) {
    static const int WILD[] = {0, 0, 20, 80}; /* of a thousand turns, led by chance */
    static const struct player greedy = {.kind = GREEDY};
    static struct results results;
    enum game game = printer->game;
    struct board board = beginning(game, chance);
    struct outcome outcome;
    int wild[2];
    bool is_greedy[2];
    long printed = 0;
    for (int side = 0; side < 2; side++) {
        wild[side] = WILD[chance_below(chance, 4)];
        is_greedy[side] = chance_below(chance, 8) == 0;
    }
    for (int turn = 0; turn < TURNS; turn++) {
        struct roll roll = roll_dice(chance);
        board_results(game, &board, roll.high, roll.low, &results);
        int few[FEW], count = best_few(player, game, &results, few), chosen = few[0];
        uint32_t all = (uint32_t)results.count;
        if ((int)chance_below(chance, THOUSAND) < wild[turn % 2]) {
            chosen = chance_below(chance, 3) ? few[chance_below(chance, (uint32_t)count)]
                                             : (int)chance_below(chance, all);
        } else if (is_greedy[turn % 2]) {
            chosen = choose(game, &greedy, &results, chance);
        }
        print_board(printer, &results.boards[chosen]);
        /* Two of the best besides, and now and then any. */
        print_board(printer, &results.boards[few[chance_below(chance, (uint32_t)count)]]);
        print_board(printer, &results.boards[few[chance_below(chance, (uint32_t)count)]]);
        if (chance_below(chance, 6) == 0) {
            print_board(printer, &results.boards[chance_below(chance, all)]);
        }
        printed += 3;
        board = results.boards[chosen];
        if (board_outcome(game, &board, &outcome)) {
            break;
        }
    }
    return printed;
}

void print_positions(const struct network *network, uint64_t seed, long count, bool races) {
    struct printer printer = {network->game, races};
    struct player player = {.kind = NET, .network = network, .ply = 1};
    struct chance chance = {seed * 7919u + 17};
    worth_of_ends(network->game, network->points, 1, player.worth);
    while (count > 0) {
        count -= play_one(&printer, &player, &chance);
    }
}
