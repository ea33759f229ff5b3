"""`spotter train`: exercises from matches and collections, trained on the board."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from pi_app.app.loop import App
from pi_app.base.errors import FailedError, GivenError
from pi_app.base.files import read_bytes, why
from pi_app.cli.arguments import Parser, UsageError
from pi_app.cli.coach import ask_all, kept_of
from pi_app.cli.ending import Status, say
from pi_app.cli.play import add_start, check_start, play
from pi_app.coach.study import Study
from pi_app.coach.training import FILE, Exercise, TrainingFile, decides, exercises_of
from pi_app.export.match_files import decoded, is_offered
from pi_app.export.sgf import SGF
from pi_app.games.equipment import Compendium
from pi_app.journal.opening import Opened, data_folder
from pi_app.journal.store import MEMORY
from pi_app.match.origin import Problem
from pi_app.user.commands import Train
from pi_app.words.texts import quoted

Given: TypeAlias = tuple[str, Exercise]
"""A player's name and an exercise; an empty name means that of --name."""
MOST_BYTES = 4 * 1024 * 1024
_POSITION = re.compile(r"[-A-Oa-o]{26}|(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{14}\b|^[a-z]+ |[WBN]\d[NO]:")
_GAME_OF_A_MATCH = re.compile(r"^[ \t>|]*Game\s+\d+\b", re.IGNORECASE | re.MULTILINE)


class CollectionError(GivenError):
    """A line that is no exercise."""


class NotKeptError(FailedError):
    """Exercises cannot be stored here."""


def train(argv: list[str], games: Compendium) -> int:
    """Add exercises to a player's training and begin it; without a name, list everybody's."""
    parser = Parser("train", "Train costly decisions and positions on the board.")
    sources = "a match's number or file, a position, or a file with positions"
    parser.takes("sources", "SOURCE", sources, nargs="*")
    parser.takes("--name", "NAME", "whose training begins; of a match only this player's decisions")
    add_start(parser)
    parser.set_defaults(match=None, position=None, linked=None)
    args = parser.parse_args(argv)
    check_start(parser, args)
    given: list[Given] = []
    wrong: list[GivenError] = []
    for source in args.sources:
        try:
            given += _exercises(source, games)
        except GivenError as error:
            wrong.append(error)
    if wrong and not given:
        raise wrong[0]
    say(map(str, wrong))
    if not args.name and any(not name for name, _ in given):
        raise UsageError("a position belongs to no player: say with --name who trains with it")
    if args.name:
        own = [(name, one) for name, one in given if name in ("", args.name)]
        given = [(args.name, one) for _, one in own or given]

    def prepare(opened: Opened) -> None:
        if opened.journal.path == MEMORY:
            raise NotKeptError(opened.notices[0])
        _add(opened.journal.path.with_name(FILE), given)

    if args.name:
        return play(args, games, lambda app: _begin(app, args.name), prepare)
    _add(data_folder() / FILE, given)
    print("\n".join(_summary(data_folder() / FILE)))
    return Status.DONE


def _begin(app: App, name: str) -> None:
    app.obey(Train(name))


def _add(path: Path, given: list[Given]) -> None:
    if not given:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    file = TrainingFile(path)
    training = file.training
    for name, exercise in given:
        training = training.adding(name, (exercise,))
    file.keep(training)
    if file.trouble:
        raise NotKeptError(file.trouble)


def _summary(path: Path) -> Iterator[str]:
    players = TrainingFile(path).training.players
    for name, some in players.items():
        counts = Counter(one.game for one in some if not one.is_learned)
        games = ", ".join(f"{count} of {game}" for game, count in counts.items())
        yield f"{name}: {games or 'nothing left to learn'}"
    yield "spotter train --name NAME begins a training" if players else "no exercises yet"


def _exercises(source: str, games: Compendium) -> Iterator[Given]:
    """The exercises of a match, of positions in a file, or of a text that is one itself."""
    file = Path(source)
    if source.isdecimal() or (file.is_file() and _is_match(file)):
        kept = kept_of(source, games)
        adviser = games.judge(kept.game.name)
        study = Study(adviser.name, kept, with_luck=False)
        ask_all(study, games)
        yield from exercises_of(kept, study.analysis())
    elif _POSITION.search(source) and not file.is_file():
        yield "", _exercise(source, "", games)
    else:
        yield from _collected(source, _text_of(file), games)


def _is_match(file: Path) -> bool:
    """Whether a file is a match; most programs call theirs .txt, as people call their positions."""
    if file.suffix.lower() != ".txt":
        return is_offered(file)
    text = _text_of(file)
    return SGF.match(text) is not None or _GAME_OF_A_MATCH.search(text) is not None


def _collected(source: str, text: str, games: Compendium) -> Iterator[Given]:
    """The positions of a text. Words around them are ignored, but not a text without any."""
    problems = [] if not text.strip() else _problems(source, text, games)
    for place, problem in problems:
        line = text[place:].partition("\n")[0]
        try:
            yield "", _exercise(problem.text, line.partition("#")[2].strip(), games)
        except GivenError as error:
            number = text.count("\n", 0, place) + 1
            raise CollectionError(f"{source}, line {number}: {error}") from None


def _problems(source: str, text: str, games: Compendium) -> list[tuple[int, Problem]]:
    """Raises CollectionError, which names the line."""
    found: list[tuple[int, Problem]] = []
    try:
        found = games.problems(text)
    except GivenError:
        # One of them is wrong: the first line that cannot be read alone is named.
        for number, line in enumerate(text.splitlines(), start=1):
            try:
                games.problems(line)
            except GivenError as error:
                raise CollectionError(f"{source}, line {number}: {error}") from None
        raise
    if not found:
        words = (line.partition("#")[0].strip() for line in text.splitlines())
        first = next(((n, one) for n, one in enumerate(words, start=1) if one), None)
        if first:
            try:
                games.problem(first[1])
            except GivenError as error:
                raise CollectionError(f"{source}, line {first[0]}: {error}") from None
    return found


def _text_of(file: Path) -> str:
    try:
        return decoded(read_bytes(file, MOST_BYTES))
    except (OSError, ValueError) as error:
        wanted = "give a match's number or file, a position, or a file of positions"
        raise CollectionError(f"{quoted(str(file))}: {why(error)}; {wanted}") from None


def _exercise(text: str, note: str, games: Compendium) -> Exercise:
    problem = games.problem(text)
    decides(problem, games.rules)
    return Exercise(problem.text, note=note)
