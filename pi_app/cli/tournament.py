"""`spotter tournament ACTION FILE …`: players, rounds, results and standings of a tournament.

The file is locked while it is changed, and replaced as a whole.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from pi_app.base.files import read_text, replace_text, why
from pi_app.cli.arguments import DoesPart, Parser, Part, UsageError, Words, run_action, whole
from pi_app.cli.ending import Status
from pi_app.cli.matches import faults_of, read_file
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
    all_confirmed,
    archived,
    corrected,
    read_roster,
    source_of,
    taken,
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
from pi_app.games.equipment import Compendium
from pi_app.words.texts import columns, one_line, quoted

MOST_TABLE = 2000
MOST_NAMES = 256 * 1024
_SHOWN = ("place", "player", "points", "won", "lost", "byes", "median", "buchholz")
_PAIRED = ("table", "first", "second", "points", "state")
SYSTEMS = {system.value.replace(" ", "-"): system for system in System}
TABLES: Mapping[str, tuple[Sequence[str], Callable[[Tournament], Iterable[Sequence[object]]]]] = {
    "pairings": (PAIRING_HEADS, result_rows),
    "results": (RESULT_HEADS, result_rows),
    "standings": (STANDING_HEADS, standing_rows),
}

TournamentAndLines: TypeAlias = tuple[Tournament, Iterable[str]]
ChangeOfTournament: TypeAlias = Callable[[Tournament, Words, Compendium], TournamentAndLines]


def run(argv: list[str], games: Compendium) -> int:
    says = "Players, rounds, results and standings of a tournament."
    run_action("tournament", says, ACTIONS, argv, games, _file)
    return Status.DONE


def _changing(change: ChangeOfTournament) -> DoesPart:
    def act(args: Words, games: Compendium) -> Iterable[str]:
        with held(args.file):
            tournament, lines = change(load(args.file), args, games)
            save(args.file, tournament)
        return lines

    return act


def _file(parser: Parser) -> None:
    parser.takes("file", "FILE", "the tournament's file", Path)


def _new_words(parser: Parser) -> None:
    parser.takes("name", "NAME", "the tournament's name")
    _players_words(parser)
    says = "how opponents are found"
    parser.takes("--system", None, says, default="swiss", choices=SYSTEMS)
    says = "of a swiss; by default enough to find one winner"
    parser.takes("--rounds", "N", says, whole(1, MOST_TABLE), 0)
    parser.takes("--to", "N", "the length of its matches", whole(1, 999))


def _new(args: Words, _: Compendium) -> Iterator[str]:
    if args.rounds and SYSTEMS[args.system] is not System.SWISS:
        raise UsageError(f"--rounds is for a swiss; a {args.system} has as many as it needs")
    name, players = one_line(args.name, 100), _players(args)
    tournament = Tournament(name, SYSTEMS[args.system], args.rounds, args.to)
    with held(args.file):
        if args.file.exists():
            raise TournamentError(f"{args.file} is there already; give another name")
        save(args.file, tournament.joined(players))
    yield f"{args.file}: {name}, {args.system}, {len(players)} players"


def _players_words(parser: Parser) -> None:
    parser.takes("players", "PLAYER", "in order of seeding", nargs="*")
    parser.takes("--from", "FILE", "a name a line", Path, dest="names")


def _players(args: Words) -> list[str]:
    if args.names is None:
        return list(args.players)
    try:
        lines = read_text(args.names, MOST_NAMES).splitlines()
    except (OSError, ValueError) as error:
        raise TournamentError(f"{args.names}: {why(error)}; give a file of names") from None
    return [*args.players, *filter(str.strip, lines)]


def _join(tournament: Tournament, args: Words, _: Compendium) -> TournamentAndLines:
    grown = tournament.joined(_players(args))
    return grown, [f"{len(grown.entrants)} players"]


def _leave_words(parser: Parser) -> None:
    parser.takes("player", "PLAYER", "who leaves")


def _leave(tournament: Tournament, args: Words, _: Compendium) -> TournamentAndLines:
    name = tournament.named(args.player)
    return tournament.left(name), [f"{name} leaves after this round"]


def _pair(tournament: Tournament, _: Words, __: Compendium) -> TournamentAndLines:
    further = paired(tournament).dated(datetime.now(UTC).replace(microsecond=0))
    return further, _round(further)


def _swap_words(parser: Parser) -> None:
    for name in ("one", "other"):
        parser.takes(name, "PLAYER", "of this round")


def _swap(tournament: Tournament, args: Words, _: Compendium) -> TournamentAndLines:
    swapped = tournament.swapped(args.one, args.other)
    before = {frozenset(pair) for each in swapped.rounds[:-1] for pair in _met(each)}
    again = [pair for pair in _met(swapped.current) if frozenset(pair) in before]
    warnings = [f"{' and '.join(pair)} have met before" for pair in again]
    return swapped, [*_round(swapped), *warnings]


def _met(pairings: Iterable[Pairing]) -> Iterable[tuple[str, ...]]:
    return (pairing.players for pairing in pairings if not pairing.is_bye)


def _take_words(parser: Parser) -> None:
    parser.takes("records", "RECORD", "of spotter export N --sealed", Path, nargs="*")
    parser.takes("--archive", "FILE", "a club's archive", Path)
    keys = "the boards' keys, or a folder of the files that `spotter club join` has written"
    parser.takes("--keys", "FILE", keys, Path)
    parser.flag("--unproven", "also results without a known board's seal")


def _take(tournament: Tournament, args: Words, games: Compendium) -> TournamentAndLines:
    if not args.records and args.archive is None:
        raise UsageError("give sealed records, or --archive FILE")
    roster = Roster(read_roster(args.keys) if args.keys else {}, args.unproven)
    with ExitStack() as opened:
        sources = []
        if args.archive is not None:
            archive = opened.enter_context(closing(_archive(args.archive)))
            roster = roster.with_archive(archive)
            sources.append(archived(archive, games.rules, roster))
        return taken(tournament, chain(_sealed(args.records, games, roster), *sources))


def _archive(file: Path) -> ClubArchive:
    """Open an existing archive. Raises TournamentError or ClubArchiveError."""
    if not file.is_file():
        raise TournamentError(f"{file} is not there; give the archive of spotter club or wall")
    return ClubArchive(file)


def _sealed(files: Iterable[Path], games: Compendium, roster: Roster) -> Iterator[Played]:
    """Raises TournamentError for a record that fails verification."""
    for file in files:
        record = read_file(file)
        start, wrong = record.start, faults_of(record, games)
        if wrong or start is None:
            what = f"{file}: {wrong[0] if wrong else 'it has no start'}"
            raise TournamentError(f"{what}; see: spotter verify {file}")
        source = source_of(record.match, record.began, start)
        where = f"{file}, sealed by {roster.names(record.sealed_by)}"
        doubt = roster.doubt(record.sealed_by)
        decisions = tuple(one for _, one in record.decisions)
        yield Played(source, where, record.began, start, decisions, doubt)


def _result_words(parser: Parser) -> None:
    parser.takes("table", "TABLE", "its number", whole(1, MOST_TABLE))
    parser.takes("points", "7-3", "in the order of the table", _points)
    parser.takes("--winner", "PLAYER", "if the points do not show it")
    parser.takes("--note", "TEXT", "the reason", default="")


def _result(tournament: Tournament, args: Words, _: Compendium) -> TournamentAndLines:
    winner = tournament.named(args.winner) if args.winner else None
    if winner is None and args.points[0] == args.points[1]:
        raise TournamentError("equal points name no winner; give --winner PLAYER")
    note = one_line(args.note, 200)
    found = corrected(tournament, args.table, args.points, winner, note)
    return found, _round(found)


def _points(text: str) -> tuple[int, int]:
    parts = text.replace("–", "-").split("-")
    short = [part for part in parts if part.isascii() and part.isdecimal() and len(part) < 5]
    if len(parts) != 2 or len(short) != 2:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no result; write 7-3")
    return (min(int(parts[0]), MOST_POINTS), min(int(parts[1]), MOST_POINTS))


def _confirm_words(parser: Parser) -> None:
    says = "by default all with a result"
    parser.takes("tables", "TABLE", says, whole(1, MOST_TABLE), nargs="*")


def _confirm(tournament: Tournament, args: Words, _: Compendium) -> TournamentAndLines:
    done = tournament if args.tables else all_confirmed(tournament)
    for number in args.tables:
        done = done.confirmed(number)
    return done, _round(done)


def _show(args: Words, _: Compendium) -> Iterator[str]:
    tournament = load(args.file)
    to = f", matches to {tournament.match_to}" if tournament.match_to else ""
    yield f"{tournament.name}: {tournament.system.value}, {len(tournament.entrants)} players{to}"
    if tournament.rounds:
        yield from ["", *_round(tournament), ""]
    rows = [tuple(map(str, row[: len(_SHOWN)])) for row in standing_rows(tournament)]
    if rows:
        yield columns([_SHOWN, *rows])
    if winner := winner_of(tournament):
        yield f"\n{winner} has won"


def _round(tournament: Tournament) -> list[str]:
    latest = [row for row in result_rows(tournament) if row[0] == len(tournament.rounds)]
    rows = [(str(row[1]), str(row[2]), str(row[3]), str(row[4]), str(row[6])) for row in latest]
    return [f"Round {len(tournament.rounds)}", columns([_PAIRED, *rows])]


def _export_words(parser: Parser) -> None:
    parser.takes("what", None, "which table", choices=TABLES)
    parser.takes("-o", "CSV", "write to a file, whole or not at all", Path, dest="output")


def _export(args: Words, _: Compendium) -> Iterator[str]:
    heads, rows = TABLES[args.what]
    text = as_csv(heads, rows(load(args.file)))
    if args.output is None:
        yield text.removesuffix("\n")
    else:
        replace_text(args.output, text)


ACTIONS: Mapping[str, Part] = {
    "new": Part("begin a tournament in a new file", _new, _new_words),
    "join": Part("add players", _changing(_join), _players_words),
    "leave": Part("a player leaves after this round", _changing(_leave), _leave_words),
    "pair": Part("pair the next round", _changing(_pair)),
    "swap": Part("swap two players in this round", _changing(_swap), _swap_words),
    "take": Part("take results from sealed records", _changing(_take), _take_words),
    "result": Part("enter or correct a result, with a note", _changing(_result), _result_words),
    "confirm": Part("confirm results", _changing(_confirm), _confirm_words),
    "show": Part("this round and the standings", _show),
    "export": Part("pairings, results or standings as CSV", _export, _export_words),
}
