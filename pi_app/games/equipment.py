"""A game with everything that belongs to it, and the collection of games."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from pi_app.base.errors import FailedError
from pi_app.base.values import dataclass
from pi_app.export.ids import Ids
from pi_app.export.retold import ExportForm
from pi_app.match.origin import Problem, read_problem
from pi_app.players.contract import Contender, Rival, Solution
from pi_app.players.judging import RANDOM
from pi_app.rules.contract import AnyGame, Games, Series
from pi_app.rules.terms import TextError
from pi_app.screen.face import Face
from pi_app.words.sentences import Sentence
from pi_app.words.texts import quoted

NO_HINTS = Sentence("No hints for {game}; its players: {players}")


class NoHintError(FailedError):
    """No player of this game gives hints."""


@dataclass(frozen=True, slots=True)
class Equipment:
    """A game's rules, its appearance, and the board on which it is usually played.

    `forms` are formats in which a match can be written, besides the score sheet and the events.
    `players` are the machine's, the strongest first, besides the random one. `ids` reads and writes
    positions as other programs do. `solution` is of a game that `spotter solve` can work out.
    """

    rules: AnyGame
    face: Face
    board: str
    forms: tuple[ExportForm, ...] = ()
    players: tuple[Contender, ...] = ()
    ids: Ids | None = None
    solution: Solution | None = None

    @property
    def contenders(self) -> Mapping[str, Contender]:
        return {each.name: each for each in (*self.players, RANDOM)}

    @property
    def present(self) -> Mapping[str, Contender]:
        return {name: each for name, each in self.contenders.items() if each.missing() is None}

    @property
    def adviser(self) -> Contender:
        """The strongest player that gives hints. Raises NoHintError."""
        for contender in self.present.values():
            if contender.advises:
                return contender
        there = ", ".join(self.present)
        raise NoHintError(NO_HINTS(game=self.rules.title, players=there))

    def contender(self, name: str) -> Contender:
        """The player of this name. Raises TextError, which lists the names."""
        if name not in self.contenders:
            there = ", ".join(self.contenders)
            raise TextError(f"player {quoted(name)} is not known here; choose one of: {there}")
        return self.contenders[name]


def _of_all(series: Series, players: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    others = [players[game.name] for game in series.games[1:]]
    return tuple(p for p in players[series.first.name] if all(p in other for other in others))


@dataclass(frozen=True)
class Compendium:
    """Games with their equipment, in the order in which they are offered."""

    games: tuple[Equipment, ...]
    series: tuple[Series, ...] = ()

    @cached_property
    def rules(self) -> Games:
        return Games((game.rules for game in self.games), series=self.series)

    @cached_property
    def faces(self) -> Mapping[str, Face]:
        return {game.rules.name: game.face for game in self.games}

    @cached_property
    def boards(self) -> Mapping[str, str]:
        """The usual board of each game and series."""
        own = {game.rules.name: game.board for game in self.games}
        return own | {one.name: own[one.first.name] for one in self.series}

    @cached_property
    def players(self) -> Mapping[str, tuple[str, ...]]:
        """The names of each game's players that are available here, the strongest first.

        Those of a series play each of its games.
        """
        own = {game.rules.name: tuple(game.present) for game in self.games}
        return own | {one.name: _of_all(one, own) for one in self.series}

    @cached_property
    def rivals(self) -> Mapping[str, tuple[Rival, ...]]:
        """The same players as people see them, the weakest first."""
        return {name: self._rivals(name, names) for name, names in self.players.items()}

    def _rivals(self, game: str, names: tuple[str, ...]) -> tuple[Rival, ...]:
        first = self.find(self.rules.match(game).first.name)
        rivals = [first.contenders[name].rival for name in reversed(names)]
        return tuple(sorted(rivals, key=lambda rival: rival.bars))

    def problem(self, text: str) -> Problem:
        """A position in a match, as Spotter or another program writes it. Raises RulesError."""
        text = text.strip()
        return next((problem for _, problem in self.problems(text)), None) or read_problem(
            text, self.rules
        )

    def problems(self, text: str) -> list[tuple[int, Problem]]:
        """All positions in a text of any kind, each with its place. Raises RulesError."""
        own = re.compile(rf"^[ \t]*((?:{'|'.join(self.rules.matches)})[ \t][^#\n]*)", re.MULTILINE)
        found = [(one.start(1), read_problem(one[1], self.rules)) for one in own.finditer(text)]
        if self.ids:
            found += self.ids.found(text)
        return sorted(found, key=lambda each: each[0])

    @cached_property
    def ids(self) -> Ids | None:
        """Reads positions of other programs.

        These do not say the game; all but the first, Backgammon, are rare.
        """
        return next((game.ids for game in self.games if game.ids), None)

    def board_of(self, name: str) -> str:
        """The usual board of a game or a series. Raises TextError, which lists the names."""
        return self.boards[self.rules.match(name).name]

    def forms(self, name: str) -> tuple[ExportForm, ...]:
        """In which a match of this game can be written; a series has none."""
        return () if self.rules.match(name).is_mixed else self.find(name).forms

    def judge(self, name: str, wanted: str | None = None) -> Contender:
        """The wanted player of a game, or where there is none the one that gives hints."""
        game = self.find(name)
        return game.contenders.get(wanted or "") or game.adviser

    def quick(self, name: str, wanted: str | None = None) -> Contender:
        """The player that estimates luck for `judge`."""
        judge = self.judge(name, wanted)
        return self.find(name).contenders[judge.quick or judge.name]

    def roller(self, name: str) -> Contender | None:
        """The player of a game that plays games on for a rollout, if there is one."""
        return next((one for one in self.find(name).present.values() if one.plays_on), None)

    def find(self, name: str) -> Equipment:
        """The game of this name. Raises TextError, which lists the names."""
        rules = self.rules.find(name)
        return next(game for game in self.games if game.rules is rules)
