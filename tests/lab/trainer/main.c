/* trainer train | refine | positions | label | teach | meet | results | rate: see README.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core.h"
#include "learn.h"
#include "teach.h"

enum { LINE_MAX_ = 512, PROGRESS_GAMES = 500 };

static int fail(const char *what, const char *value) {
    fprintf(stderr, "trainer: %s %s\n", what, value);
    return 2;
}

static void *room(size_t size) {
    void *made = calloc(1, size);
    if (made == NULL) {
        exit(fail("out of", "memory"));
    }
    return made;
}

static void print_tally(const struct tally *tally) {
    double games = (double)(tally->won + tally->tied + tally->lost);
    double share = ((double)tally->won + (double)tally->tied / 2) / games, z = 1.959964;
    double middle = (share + z * z / (2 * games)) / (1 + z * z / games);
    double half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games)) /
                  (1 + z * z / games);
    double mean = tally->points / games;
    double spread = z * sqrt((tally->squares / games - mean * mean) / games);
    printf("%.0f games, won %ld, tied %ld, lost %ld: %.4f (%.4f to %.4f), points %+.4f +- %.4f\n",
           games, tally->won, tally->tied, tally->lost, share, middle - half, middle + half, mean,
           spread);
}

static void meet(enum game game, const struct player *first, const struct player *second,
                 long games, uint64_t seed, struct tally *tally) {
    for (long number = 0; number < games; number++) {
        struct chance chance = {seed * 1000003u + (uint64_t)number * 7919u};
        tally_add(tally, play_game(game, first, second, number, &chance));
    }
}

static void tell(const struct net *net, long games) {
    struct network *network = room(sizeof *network);
    struct tally tally = {0};
    struct player greedy = {.kind = GREEDY};
    struct player learned = {.kind = NET, .network = network, .ply = 1};
    ship(net, network);
    worth_of_ends(net->game, net->points, net->game == PIN ? 0 : 1, learned.worth);
    meet(net->game, &learned, &greedy, PROGRESS_GAMES, 1, &tally);
    printf("%ld learned, scale %d, %.0f s; against greedy: ", games, network->scale,
           (double)clock() / CLOCKS_PER_SEC);
    print_tally(&tally);
    fflush(stdout);
    free(network);
}

/* Of a hidden layer: sums are taken 32 at a time. */
static bool is_size(int hidden) {
    return hidden > 0 && hidden <= HIDDEN_MAX && hidden % 32 == 0;
}

static int run_train(int count, char **words) {
    enum game game;
    int hidden = count > 1 ? atoi(words[1]) : 0;
    if (count != 10 || !game_named(words[0], &game) || !is_size(hidden)) {
        return fail("write", "train GAME HIDDEN SEED GAMES FIRST_STEP LAST_STEP LAMBDA GREED quiet|tell FILE");
    }
    struct course course = {strtoull(words[2], NULL, 10), strtol(words[3], NULL, 10),
                            atof(words[4]),               atof(words[5]),
                            atof(words[6]),               atof(words[7]), 0};
    struct net *net = room(sizeof *net);
    struct network *network = room(sizeof *network);
    net_begin(net, game, hidden, course.seed);
    learn(net, &course, strcmp(words[8], "tell") == 0 ? tell : NULL);
    ship(net, network);
    bool good = network_write(network, words[9], course.seed, course.games);
    free(net);
    free(network);
    return good ? 0 : fail("cannot write", words[9]);
}

static int run_refine(int count, char **words) {
    struct net *net = room(sizeof *net);
    struct network *network = room(sizeof *network);
    long games;
    if (count != 10 || !network_read(network, words[0], &games)) {
        return fail("write", "refine FILE SEED GAMES FIRST_STEP LAST_STEP LAMBDA GREED SPARRING "
                             "quiet|tell FILE");
    }
    struct course course = {strtoull(words[1], NULL, 10), strtol(words[2], NULL, 10),
                            atof(words[3]),               atof(words[4]),
                            atof(words[5]),               atof(words[6]),
                            atof(words[7])};
    net_resume(net, network, games);
    learn(net, &course, strcmp(words[8], "tell") == 0 ? tell : NULL);
    ship(net, network);
    bool good = network_write(network, words[9], course.seed, games + course.games);
    free(net);
    free(network);
    return good ? 0 : fail("cannot write", words[9]);
}

static int run_positions(int count, char **words) {
    struct network *network = room(sizeof *network);
    if (count != 4 || !network_read(network, words[0], NULL)) {
        return fail("write", "positions FILE SEED COUNT all|contact");
    }
    print_positions(network, strtoull(words[1], NULL, 10), strtol(words[2], NULL, 10),
                    strcmp(words[3], "all") == 0);
    free(network);
    return 0;
}

/* A pinned checker counts one. */
static int8_t count_at(const struct board *board, int side, int n) {
    return side == 0   ? board->own[n]
           : side == 1 ? board->opp[n]
           : side == 2 ? (int8_t)board_own_pinned(board, n)
                       : (int8_t)board_opp_pinned(board, n);
}

static void put_board(const struct board *board, uint8_t *bytes) {
    for (int side = 0; side < BOARD_BYTES / BYTES; side++) {
        for (int n = 0; n < PLACES; n++) {
            bytes[side * BYTES + n / 2] |= (uint8_t)(count_at(board, side, n) << 4 * (n % 2));
        }
    }
}

/* Lines of boards in, lessons out: the mean of what the best answers to all rolls leave. */
static int run_label(int count, char **words) {
    struct network *network = count == 1 ? spotter_tables_open(words[0]) : NULL;
    if (network == NULL) {
        return fail("write", "label FILE");
    }
    enum game game = network->game;
    double worths[ENDS_MAX], finals[2 * POINTS_MAX + 1], told[TOLD];
    worth_of_ends(game, network->points, 1, worths);
    for (int points = -POINTS_MAX; points <= POINTS_MAX; points++) {
        finals[points + POINTS_MAX] = worth_of_points(game, points);
    }
    char line[LINE_MAX_];
    while (fgets(line, sizeof line, stdin)) {
        struct board board;
        double ends[ENDS_MAX];
        uint8_t bytes[BOARD_BYTES] = {0};
        if (!board_at(game, line, &board)) {
            return fail("no board:", line);
        }
        put_board(&board, bytes);
        spotter_tables_answered(network, bytes, worths, finals, POINTS_MAX, told);
        for (int k = 0; k < ends_of(game); k++) {
            ends[k] = told[ends_of(game) - k]; /* told by the side that answers */
        }
        print_lesson(game, line, ends);
    }
    spotter_tables_close(network);
    return 0;
}

/* A new net of so many hidden units, or what a file holds. */
static bool begin_with(struct net *net, const char *text, uint64_t seed) {
    int hidden = atoi(text);
    if (is_size(hidden)) {
        net_begin(net, BACKGAMMON, hidden, seed);
        return true;
    }
    struct network *network = room(sizeof *network);
    long games;
    bool good = network_read(network, text, &games);
    if (good) {
        net_resume(net, network, games);
    }
    free(network);
    return good;
}

static int run_teach(int count, char **words) {
    struct net *net = room(sizeof *net);
    if (count != 8) {
        return fail("write", "teach HIDDEN|FILE LESSONS EPOCHS FIRST_RATE LAST_RATE EQUITY SEED FILE");
    }
    struct schedule schedule = {strtoull(words[6], NULL, 10), atoi(words[2]), atof(words[3]),
                                atof(words[4]), atof(words[5])};
    if (!begin_with(net, words[0], schedule.seed)) {
        return fail("no network", words[0]);
    }
    struct lessons *lessons = lessons_read(net->game, words[1]);
    if (lessons == NULL || lessons_count(lessons) == 0) {
        return fail("no lessons", words[1]);
    }
    net_part(net);
    teach(net, lessons, &schedule);
    struct network *network = room(sizeof *network);
    ship(net, network);
    bool good = network_write(network, words[7], schedule.seed, lessons_count(lessons));
    return good ? 0 : fail("cannot write", words[7]);
}

/* random, greedy, or FILE:PLY:EXAMINED:GREED. */
static bool read_player(enum game game, const char *text, struct player *player) {
    memset(player, 0, sizeof *player);
    if (strcmp(text, "random") == 0 || strcmp(text, "greedy") == 0) {
        player->kind = text[0] == 'r' ? RANDOM : GREEDY;
        return true;
    }
    char path[LINE_MAX_] = "";
    double greed = 1;
    player->kind = NET;
    struct network *network = room(sizeof *network);
    if (sscanf(text, "%255[^:]:%d:%d:%lf", path, &player->ply, &player->examined, &greed) != 4 ||
        !network_read(network, path, NULL)) {
        return false;
    }
    if (game == PORTES) {
        network->points[0] = network->points[5] = 2;
    }
    worth_of_ends(game, network->points, greed, player->worth);
    player->network = network;
    return true;
}

static int run_meet(int count, char **words) {
    enum game game;
    struct player first, second;
    if (count != 5 || !game_named(words[0], &game)) {
        return fail("write", "meet GAME FIRST SECOND GAMES SEED");
    }
    for (int i = 1; i < 3; i++) {
        if (!read_player(game, words[i], i == 1 ? &first : &second)) {
            return fail("no player", words[i]);
        }
    }
    struct tally tally = {0};
    meet(game, &first, &second, strtol(words[3], NULL, 10), strtoull(words[4], NULL, 10), &tally);
    print_tally(&tally);
    return 0;
}

/* Lines of a board and a roll in, in one line all results out. */
static int run_results(int count, char **words) {
    enum game game;
    char line[LINE_MAX_], text[112];
    struct results *results = room(sizeof *results);
    if (count != 1 || !game_named(words[0], &game)) {
        return fail("write", "results GAME");
    }
    while (fgets(line, sizeof line, stdin)) {
        struct board board;
        char *roll = strrchr(line, ' ');
        if (roll == NULL || strlen(roll) < 3 || !board_read(line, &board)) {
            return fail("no board and roll:", line);
        }
        board_results(game, &board, roll[1] - '0', roll[2] - '0', results);
        for (int i = 0; i < results->count; i++) {
            board_write(&results->boards[i], text);
            printf("%s%s", i ? "," : "", text);
        }
        printf("\n");
    }
    free(results);
    return 0;
}

/* Lines of a board in, the chances of the ends out. */
static int run_rate(int count, char **words) {
    char line[LINE_MAX_];
    struct network *network = room(sizeof *network);
    if (count != 1 || !network_read(network, words[0], NULL)) {
        return fail("write", "rate FILE");
    }
    while (fgets(line, sizeof line, stdin)) {
        struct board board;
        double ends[ENDS_MAX];
        if (!board_read(line, &board)) {
            return fail("no board:", line);
        }
        network_ends(network, &board, ends);
        for (int k = 0; k < ends_of(network->game); k++) {
            printf("%s%.12f", k ? " " : "", ends[k]);
        }
        printf("\n");
    }
    free(network);
    return 0;
}

int main(int count, char **words) {
    feature_begin();
    const char *what = count > 1 ? words[1] : "";
    if (strcmp(what, "train") == 0) {
        return run_train(count - 2, words + 2);
    }
    if (strcmp(what, "refine") == 0) {
        return run_refine(count - 2, words + 2);
    }
    if (strcmp(what, "meet") == 0) {
        return run_meet(count - 2, words + 2);
    }
    if (strcmp(what, "results") == 0) {
        return run_results(count - 2, words + 2);
    }
    if (strcmp(what, "rate") == 0) {
        return run_rate(count - 2, words + 2);
    }
    if (strcmp(what, "positions") == 0) {
        return run_positions(count - 2, words + 2);
    }
    if (strcmp(what, "label") == 0) {
        return run_label(count - 2, words + 2);
    }
    if (strcmp(what, "teach") == 0) {
        return run_teach(count - 2, words + 2);
    }
    return fail("write", "train, refine, positions, label, teach, meet, results or rate");
}
