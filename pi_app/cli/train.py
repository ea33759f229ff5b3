"""`spotter train`: exercises from matches and collections, trained on the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from pi_app.app.loop import App
from pi_app.base.errors import FailedError, GivenError
from pi_app.cli.arguments import Parser, UsageError
from pi_app.cli.coach import ask_all
from pi_app.cli.ending import Status, say
from pi_app.cli.play import add_start, check_start, play
from pi_app.cli.sources import CollectionError, is_match, kept_of, positions_of
from pi_app.coach.study import Study
from pi_app.coach.training import FILE, Exercise, TrainingFile, decides, exercises_of
from pi_app.games.equipment import Compendium
from pi_app.journal.opening import Opened, data_folder
from pi_app.journal.store import MEMORY
from pi_app.referee.events import MatchId
from pi_app.referee.options import of_one_game
from pi_app.user.commands import Retell, Train

Given: TypeAlias = tuple[str, Exercise]
"""A player's name and an exercise; an empty name means that of --name."""


class NotKeptError(FailedError):
    """Exercises cannot be stored here."""


def train(argv: list[str], games: Compendium) -> int:
    """Add exercises to a player's training and begin it; without a name, list everybody's."""
    parser = Parser("train", "Train costly decisions and positions on the board.")
    sources = "a match's number or file, a position, or a file with positions"
    parser.takes("sources", "SOURCE", sources, nargs="*")
    parser.takes("--name", "NAME", "whose training begins; of a match only this player's decisions")
    add_start(parser)
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


def retell(argv: list[str], games: Compendium) -> int:
    """Play a stored match through on the board."""
    parser = Parser("retell", "Play a stored match through on the board, play by play.")
    parser.takes("number", "NUMBER", "its number in `spotter matches`", int)
    parser.takes("--from", "N", "begin with its decision of this number", int, 0, dest="decision")
    parser.flag("--guess", "guess the winner's decisions first")
    add_start(parser)
    args = parser.parse_args(argv)
    check_start(parser, args)
    wish = Retell(MatchId(args.number), args.decision, args.guess)

    def prepare(opened: Opened) -> None:
        opened.journal.match(args.number)

    return play(args, games, lambda app: app.obey(wish), prepare)


def _begin(app: App, name: str) -> None:
    app.obey(Train(name))


def _add(path: Path, given: list[Given]) -> None:
    if not given:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    file = TrainingFile(path)
    file.change(lambda training: training.adding_each(given))
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
    if is_match(source):
        kept = kept_of(source, games)
        adviser = games.judge(kept.game.name)
        study = Study(adviser.name, kept)
        ask_all(study, games)
        yield from exercises_of(kept, study.analysis())
        return
    for place, problem, note in positions_of(source, games):
        try:
            single = of_one_game(problem, games.rules)
            decides(single, games.rules)
        except GivenError as error:
            raise CollectionError(f"{place}: {error}" if place else str(error)) from None
        yield "", Exercise(single.text, note=note)
