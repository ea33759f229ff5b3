"""`spotter tournament ACTION FILE …`: players, rounds, results and standings of a tournament.

Each action is read by itself; what changes the file changes it whole, under a lock.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from pi_app.cli.arguments import Parser, UsageError, whole
from pi_app.cli.ending import Status
from pi_app.cli.matches import read_file
from pi_app.club.archive import ClubArchive
from pi_app.club.tournament.model import (
    MOST_POINTS,
    Pairing,
    System,
    Tournament,
    TournamentError,
    held,
    load,
    save,
)
from pi_app.club.tournament.pairing import paired
from pi_app.club.tournament.results import (
    Played,
    Roster,
    Skipped,
    all_confirmed,
    archived,
    corrected,
    read_roster,
    reported,
    source_of,
)
from pi_app.club.tournament.standings import (
    PAIRING_HEADS,
    RESULT_HEADS,
    STANDING_HEADS,
    as_csv,
    result_rows,
    standing_rows,
    winner_of,
)
from pi_app.files import read_text, replace_text, why
from pi_app.games.equipment import Compendium
from pi_app.seal.verifying import impossible
from pi_app.words.texts import columns, one_line, quoted

MOST_TABLE = 2000
MOST_NAMES = 256 * 1024
_SHOWN = ("place", "player", "points", "won", "lost", "byes", "median", "buchholz")
_PAIRED = ("table", "first", "second", "points", "state")

ActionWords: TypeAlias = argparse.Namespace
TournamentAndLines: TypeAlias = tuple[Tournament, Iterable[str]]
ChangeOfTournament: TypeAlias = Callable[[Tournament], TournamentAndLines]


def run(argv: list[str], games: Compendium) -> int:
    if not argv or argv[0] not in ACTIONS:
        _overview().parse_args(argv[:1])
    action, *words = argv
    does, _ = ACTIONS[action]
    return does(words, games)


def _overview() -> Parser:
    """A parser that lists all actions."""
    lines = [f"  {name:<9} {says}" for name, (_, says) in ACTIONS.items()]
    parser = Parser(
        "tournament",
        "Players, rounds, results and standings of a tournament.",
        epilog="\n".join(["spotter tournament ACTION --help tells more:", *lines]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="spotter tournament ACTION FILE …",
    )
    parser.add_argument("action", choices=ACTIONS, metavar="ACTION", help="one of those below")
    return parser


def _parser(action: str) -> Parser:
    parser = Parser(f"tournament {action}", f"{ACTIONS[action][1].capitalize()}.")
    parser.add_argument("file", type=Path, metavar="FILE", help="the tournament's file")
    return parser


def _new(words: list[str], _: Compendium) -> int:
    parser = _parser("new")
    parser.add_argument("name", metavar="NAME", help="the tournament's name")
    _add_players(parser, "*")
    systems = {system.value.replace(" ", "-"): system for system in System}
    parser.add_argument(
        "--system", choices=systems, default="swiss", help="how opponents are found"
    )
    parser.add_argument(
        "--rounds",
        type=whole(1, MOST_TABLE),
        default=0,
        metavar="N",
        help="of a swiss; by default enough to find one winner",
    )
    parser.add_argument("--to", type=whole(1, 999), metavar="N", help="the length of its matches")
    args = parser.parse_args(words)
    if args.rounds and systems[args.system] is not System.SWISS:
        raise UsageError(f"--rounds is for a swiss; a {args.system} has as many as it needs")
    name = one_line(args.name, 100)
    tournament = Tournament(name, systems[args.system], args.rounds, args.to)
    with held(args.file):
        if args.file.exists():
            raise TournamentError(f"{args.file} is there already; give another name")
        save(args.file, tournament.joined(_players(args)))
    print(f"{args.file}: {name}, {args.system}, {len(_players(args))} players")
    return Status.DONE


def _add_players(parser: Parser, count: str) -> None:
    parser.add_argument("players", nargs=count, metavar="PLAYER", help="in order of seeding")
    parser.add_argument("--from", dest="names", type=Path, metavar="FILE", help="a name a line")


def _players(args: ActionWords) -> list[str]:
    if args.names is None:
        return list(args.players)
    try:
        lines = read_text(args.names, MOST_NAMES).splitlines()
    except (OSError, ValueError) as error:
        raise TournamentError(f"{args.names}: {why(error)}; give a file of names") from None
    return [*args.players, *(line for line in lines if line.strip())]


def _changed(file: Path, change: ChangeOfTournament) -> int:
    with held(file):
        tournament, lines = change(load(file))
        save(file, tournament)
    for line in lines:
        print(line)
    return Status.DONE


def _join(words: list[str], _: Compendium) -> int:
    parser = _parser("join")
    _add_players(parser, "*")
    args = parser.parse_args(words)

    def change(tournament: Tournament) -> TournamentAndLines:
        grown = tournament.joined(_players(args))
        return grown, [f"{len(grown.entrants)} players"]

    return _changed(args.file, change)


def _leave(words: list[str], _: Compendium) -> int:
    parser = _parser("leave")
    parser.add_argument("player", metavar="PLAYER")
    args = parser.parse_args(words)

    def change(tournament: Tournament) -> TournamentAndLines:
        name = tournament.named(args.player)
        return tournament.left(name), [f"{name} leaves after this round"]

    return _changed(args.file, change)


def _pair(words: list[str], _: Compendium) -> int:
    def change(tournament: Tournament) -> TournamentAndLines:
        further = paired(tournament)
        return further, _round(further)

    return _changed(_parser("pair").parse_args(words).file, change)


def _swap(words: list[str], _: Compendium) -> int:
    parser = _parser("swap")
    parser.add_argument("one", metavar="PLAYER")
    parser.add_argument("other", metavar="PLAYER")
    args = parser.parse_args(words)

    def change(tournament: Tournament) -> TournamentAndLines:
        swapped = tournament.swapped(args.one, args.other)
        before = {frozenset(pair) for each in swapped.rounds[:-1] for pair in _met(each)}
        again = [pair for pair in _met(swapped.current) if frozenset(pair) in before]
        told = [f"{' and '.join(pair)} have met before" for pair in again]
        return swapped, [*_round(swapped), *told]

    return _changed(args.file, change)


def _met(pairings: Iterable[Pairing]) -> Iterable[tuple[str, ...]]:
    return (pairing.players for pairing in pairings if not pairing.is_bye)


def sealed(files: Iterable[Path], games: Compendium, roster: Roster) -> Iterator[Played]:
    """Sealed records in files. Raises TournamentError for one that fails verification."""
    for file in files:
        record = read_file(file)
        start = record.start
        told = impossible(start, record.decisions, games.rules) if start else ()
        wrong = [*record.faults, *told]
        if wrong or start is None:
            what = f"{file}: {wrong[0] if wrong else 'it has no start'}"
            raise TournamentError(f"{what}; see: spotter verify {file}")
        source = source_of(record.match, record.began, start)
        where = f"{file}, sealed by {roster.names(record.sealed_by)}"
        decisions = tuple(decision for _, decision in record.decisions)
        yield Played(source, where, start, decisions, roster.doubt(record.sealed_by))


def _take(words: list[str], games: Compendium) -> int:
    parser = _parser("take")
    parser.add_argument(
        "records", nargs="*", type=Path, metavar="RECORD", help="of spotter export N --sealed"
    )
    parser.add_argument("--archive", type=Path, metavar="FILE", help="a club's archive")
    parser.add_argument(
        "--keys",
        type=Path,
        metavar="FILE",
        help="the boards' keys, or a folder of the files that `spotter club join` has written",
    )
    parser.add_argument(
        "--unproven", action="store_true", help="also results without a known board's seal"
    )
    args = parser.parse_args(words)
    if not args.records and args.archive is None:
        raise UsageError("give sealed records, or --archive FILE")

    boards = read_roster(args.keys) if args.keys else {}

    def change(tournament: Tournament) -> TournamentAndLines:
        roster, more = Roster(boards, args.unproven), list[str]()
        if args.archive is not None:
            with closing(_archive(args.archive)) as archive:
                roster = roster.with_archive(archive)
                tournament, more = taken(tournament, archived(archive, games.rules, roster))
        tournament, told = taken(tournament, sealed(args.records, games, roster))
        return tournament, [*told, *more]

    return _changed(args.file, change)


def _archive(file: Path) -> ClubArchive:
    """Open an existing archive. Raises TournamentError or ClubArchiveError."""
    if not file.is_file():
        raise TournamentError(f"{file} is not there; give the archive of spotter club or wall")
    return ClubArchive(file)


def taken(
    tournament: Tournament, matches: Iterable[Played | Skipped]
) -> tuple[Tournament, list[str]]:
    """Enter every result, with a line for each match."""
    told = []
    for played in matches:
        if isinstance(played, Skipped):
            line = one_line(f"{played.where}: cannot be read, {played.why}")
        else:
            tournament, line = reported(tournament, played)
        told.append(line)
    return tournament, told


def _result(words: list[str], _: Compendium) -> int:
    parser = _parser("result")
    parser.add_argument("table", type=whole(1, MOST_TABLE), metavar="TABLE")
    parser.add_argument("points", type=_points, metavar="7-3", help="in the order of the table")
    parser.add_argument("--winner", metavar="PLAYER", help="if the points do not show it")
    parser.add_argument("--note", default="", metavar="TEXT", help="the reason")
    args = parser.parse_args(words)

    def change(tournament: Tournament) -> TournamentAndLines:
        winner = tournament.named(args.winner) if args.winner else None
        if winner is None and args.points[0] == args.points[1]:
            raise TournamentError("equal points name no winner; give --winner PLAYER")
        note = one_line(args.note, 200)
        found = corrected(tournament, args.table, args.points, winner, note)
        return found, _round(found)

    return _changed(args.file, change)


def _points(text: str) -> tuple[int, int]:
    parts = text.replace("–", "-").split("-")
    short = [part for part in parts if part.isascii() and part.isdecimal() and len(part) < 5]
    if len(parts) != 2 or len(short) != 2:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no result; write 7-3")
    return (min(int(parts[0]), MOST_POINTS), min(int(parts[1]), MOST_POINTS))


def _confirm(words: list[str], _: Compendium) -> int:
    parser = _parser("confirm")
    parser.add_argument(
        "tables",
        nargs="*",
        type=whole(1, MOST_TABLE),
        metavar="TABLE",
        help="by default all with a result",
    )
    args = parser.parse_args(words)

    def change(tournament: Tournament) -> TournamentAndLines:
        done = tournament if args.tables else all_confirmed(tournament)
        for number in args.tables:
            done = done.confirmed(number)
        return done, _round(done)

    return _changed(args.file, change)


def _show(words: list[str], _: Compendium) -> int:
    tournament = load(_parser("show").parse_args(words).file)
    to = f", matches to {tournament.match_to}" if tournament.match_to else ""
    print(f"{tournament.name}: {tournament.system.value}, {len(tournament.entrants)} players{to}")
    if tournament.rounds:
        print("\n".join(["", *_round(tournament), ""]))
    rows = [tuple(map(str, row[: len(_SHOWN)])) for row in standing_rows(tournament)]
    if rows:
        print(columns([_SHOWN, *rows]))
    winner = winner_of(tournament)
    if winner:
        print(f"\n{winner} has won")
    return Status.DONE


def _round(tournament: Tournament) -> list[str]:
    """The latest round, a line per table."""
    latest = [row for row in result_rows(tournament) if row[0] == len(tournament.rounds)]
    rows = [(str(row[1]), str(row[2]), str(row[3]), str(row[4]), str(row[6])) for row in latest]
    return [f"Round {len(tournament.rounds)}", columns([_PAIRED, *rows])]


def _export(words: list[str], _: Compendium) -> int:
    parser = _parser("export")
    parser.add_argument("what", choices=TABLES, help="which table")
    parser.add_argument(
        "-o", dest="output", type=Path, metavar="CSV", help="write to a file, whole or not at all"
    )
    args = parser.parse_args(words)
    heads, rows = TABLES[args.what]
    text = as_csv(heads, rows(load(args.file)))
    if args.output is None:
        print(text, end="")
    else:
        replace_text(args.output, text)
    return Status.DONE


TABLES: Mapping[str, tuple[Sequence[str], Callable[[Tournament], Iterable[Sequence[object]]]]] = (
    MappingProxyType(
        {
            "pairings": (PAIRING_HEADS, result_rows),
            "results": (RESULT_HEADS, result_rows),
            "standings": (STANDING_HEADS, standing_rows),
        }
    )
)

ACTIONS: Mapping[str, tuple[Callable[[list[str], Compendium], int], str]] = MappingProxyType(
    {
        "new": (_new, "begin a tournament in a new file"),
        "join": (_join, "add players"),
        "leave": (_leave, "a player leaves after this round"),
        "pair": (_pair, "pair the next round"),
        "swap": (_swap, "swap two players in this round"),
        "take": (_take, "take results from sealed records"),
        "result": (_result, "enter or correct a result, with a note"),
        "confirm": (_confirm, "confirm results"),
        "show": (_show, "this round and the standings"),
        "export": (_export, "pairings, results or standings as CSV"),
    }
)
"""What can be done, each by a function of its words."""
