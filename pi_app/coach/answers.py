"""What engines have answered, kept on disk: an analysis or a rollout that ended continues.

The file is a cache. Each answer can be asked for again, so a damaged file is deleted, and one that
cannot be used is replaced by memory.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from pi_app.base.errors import GivenError
from pi_app.base.files import PRIVATE
from pi_app.base.typed_json import JsonError, one_of, plain, read_object, write
from pi_app.base.values import dataclass
from pi_app.coach.study import MOST_RATED
from pi_app.players.contract import (
    Answer,
    Contender,
    CubeOpinion,
    Opinion,
    Player,
    Question,
    Rated,
    RollsOpinion,
    TrialsOpinion,
    Unit,
)
from pi_app.rules.contract import AnyGame

FILE = "answers.sqlite"
MOST = 50_000
"""The newest answers are kept: those of about a hundred matches, 25 MB."""
MOST_TEXT = 1_000_000
"""The longest answer, in bytes; the usual one has some hundreds."""
WAIT_S = 1.0
"""How long another process may write."""
PACKAGE = Path(__file__).parents[1]
ROOMS = ("coach", "match", "players", "rules")
"""The rooms whose files decide what Spotter's own engines answer, and how it is written here."""

TABLE = """CREATE TABLE IF NOT EXISTS answers (
    number INTEGER PRIMARY KEY AUTOINCREMENT, question TEXT UNIQUE NOT NULL, answer TEXT NOT NULL
)"""


@dataclass(frozen=True, slots=True)
class WorthsOfRolls:
    """A `RollsOpinion` whose worths stand in the order of the rolls that were asked about."""

    unit: Unit
    exact: bool
    worths: tuple[float, ...]


KINDS: dict[str, type[Opinion | CubeOpinion | WorthsOfRolls | TrialsOpinion]] = {
    "play": Opinion,
    "cube": CubeOpinion,
    "rolls": WorthsOfRolls,
    "trials": TrialsOpinion,
}


class KeptAnswers:
    """The answers in the file at `path`; without one in memory. For one thread at a time."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._db: sqlite3.Connection | None = None
        self._made_of: dict[Contender, str] = {}

    def asked(self, game: AnyGame, by: Contender, player: Player, question: Question) -> Answer:
        """The answer to a question, kept or new."""
        answer = self.find(game, by, question)
        if answer is None:
            answer = question.put(player)
            self.keep(game, by, question, answer)
        return answer

    def find(self, game: AnyGame, by: Contender, question: Question) -> Answer:
        """The kept answer of this player, as it is today; None without one."""
        try:
            with suppress(GivenError):
                row = self._found(self._key(game, by, question))
                return read_answer(game, question, row) if row else None
        except (OSError, sqlite3.Error) as error:
            self._fail(error)
        return None

    def keep(self, game: AnyGame, by: Contender, question: Question, answer: Answer) -> None:
        """Keep an answer: of the plays only those that an analysis shows."""
        if answer is None:
            return
        try:
            # What has an infinite worth is no JSON.
            with suppress(ValueError):
                row = self._key(game, by, question), write_answer(game, question, answer)
                db = self._open()
                at = db.execute("INSERT OR REPLACE INTO answers VALUES (NULL, ?, ?)", row).lastrowid
                db.execute("DELETE FROM answers WHERE number <= ?", ((at or 0) - MOST,))
        except (OSError, sqlite3.Error) as error:
            self._fail(error)

    def close(self) -> None:
        db, self._db = self._db, None
        if db:
            with suppress(sqlite3.Error):
                db.close()

    def _found(self, key: str) -> str | None:
        db = self._open()
        row = db.execute("SELECT answer FROM answers WHERE question = ?", (key,)).fetchone()
        return str(row[0]) if row else None

    def _open(self) -> sqlite3.Connection:
        if self._db:
            return self._db
        if self._path:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.touch(PRIVATE)
        # The thread that works is not the one that made this object.
        self._db = db = sqlite3.connect(
            self._path or ":memory:",
            timeout=WAIT_S,
            isolation_level=None,
            check_same_thread=False,
        )
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_TEXT)
        # An answer outlives the program; those of the last seconds may go with a power cut.
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute(TABLE)
        return db

    def _fail(self, error: Exception) -> None:
        self.close()
        # A class below this one says that the file cannot be used, not that it is damaged.
        if self._path and type(error) is sqlite3.DatabaseError:
            for end in ("", "-wal", "-shm"):
                with suppress(OSError):
                    self._path.with_name(self._path.name + end).unlink()
        else:
            self._path = None

    def _key(self, game: AnyGame, by: Contender, question: Question) -> str:
        situation = question.situation
        trials = question.trials
        plays = [
            None if play is None else game.write_play(situation.position, play)
            for play in (question.made, trials and trials.play)
        ]
        told = [
            *(self._version(by), game.name, game.agreed, plays),
            *(game.write_position(situation.position), situation.agreement, situation.standing),
            *(question.roll, question.rolls, trials and replace(trials, play=None)),
        ]
        return _digest(told)

    def _version(self, by: Contender) -> str:
        """What tells this player from itself with other networks, by another program, or weaker."""
        if by not in self._made_of:
            files = [file for room in ROOMS for file in sorted((PACKAGE / room).rglob("*.*"))]
            if program := by.program():
                files.append(Path(program).resolve())
            found = ((file, file.stat()) for file in files if file.suffix != ".pyc")
            told = [(str(file), one.st_size, one.st_mtime_ns) for file, one in found]
            self._made_of[by] = f"{by.name} {_digest([by.weaker() is not None, *told])}"
        return self._made_of[by]


def _digest(told: list[Any]) -> str:
    return sha256(write(told).encode()).hexdigest()


def write_answer(game: AnyGame, question: Question, answer: Answer) -> str:
    """An answer as JSON, of one about plays what `judge` needs."""
    match answer:
        case Opinion():
            position = question.situation.position
            plays = tuple(
                replace(one, play=game.write_play(position, one.play))
                for one in _judged_by(game, question, answer)
            )
            kept: object = replace(answer, plays=plays)
        case RollsOpinion(unit, exact, worths):
            kept = WorthsOfRolls(unit, exact, tuple(worths[roll] for roll in question.rolls))
        case _:
            kept = answer
    return write({"about": _about(question), **plain(kept)})


def _about(question: Question) -> str:
    """The kind of its answers."""
    if question.trials:
        return "trials"
    if question.rolls:
        return "rolls"
    return "cube" if question.roll is None else "play"


def _judged_by(game: AnyGame, question: Question, opinion: Opinion) -> tuple[Rated, ...]:
    """The plays that were made or are shown."""
    position, best = question.situation.position, opinion.best
    made = question.made and game.after(position, question.made)
    return tuple(
        one
        for place, one in enumerate(opinion.plays)
        if place < MOST_RATED or one.play in best or game.after(position, one.play) == made
    )


def read_answer(game: AnyGame, question: Question, text: str) -> Answer:
    """Raises GivenError for a text that is no answer to this question."""
    kept = one_of(read_object(text), "about", KINDS)
    if not isinstance(kept, KINDS[_about(question)]):
        raise JsonError("an answer to a question of another kind")
    match kept:
        case Opinion(plays=()):
            raise JsonError("an answer without plays")
        case Opinion(plays=plays):
            position = question.situation.position
            told = (replace(one, play=game.read_play(position, str(one.play))) for one in plays)
            return replace(kept, plays=tuple(told))
        case WorthsOfRolls(unit, exact, worths) if len(worths) == len(question.rolls):
            return RollsOpinion(unit, exact, dict(zip(question.rolls, worths, strict=True)))
        case WorthsOfRolls():
            raise JsonError(f"{len(kept.worths)} worths for {len(question.rolls)} rolls")
        case _:
            return kept
