"""Attacks on what comes from far: letters, records, seals and the files of a tournament.

Everything may be refused.  A finding is what ends in a traceback, takes as long as one, grows
without end, or passes for what it is not.
"""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path

from attack_findings import Findings
from hostile_letters import letters
from known import GAMES
from linked_boards import LINK, LinkedBoard, LinkedMatch
from nasty import mutated
from samples import DECISIONS, START
from table_talk import NannonTable

from pi_app.app.linking import Linking
from pi_app.base.identifiers import board_name, match_key
from pi_app.base.microseconds import ms
from pi_app.base.typed_json import JsonError
from pi_app.club.archive import ClubArchive
from pi_app.club.collector import NAME, Collector
from pi_app.club.line import Access, Broker, ClubMessage
from pi_app.club.linked.letters import read_letter
from pi_app.club.records import (
    SEALED,
    Have,
    Record,
    RecordId,
    Summary,
    Topic,
    letter_topic,
    write_message,
)
from pi_app.club.tournament.model import Reported, System, Tournament, read_lines, write_lines
from pi_app.club.tournament.pairing import paired
from pi_app.club.tournament.results import (
    Played,
    Roster,
    Skipped,
    all_confirmed,
    archived,
    read_roster,
    taken,
    write_key,
)
from pi_app.club.tournament.standings import standing_rows
from pi_app.club.wire import Wire
from pi_app.journal.store import MEMORY, Journal
from pi_app.match.turns import Phase
from pi_app.referee.lines import write_decision, write_event
from pi_app.rules.terms import Side
from pi_app.seal.keys import SealingKey
from pi_app.seal.record import read_seal
from pi_app.seal.record import write_record as write_sealed
from pi_app.seal.verifying import SealedRecordError, impossible, read_record
from pi_app.user.commands import Invite, NewMatch

QUICK = "/dev/shm" if Path("/dev/shm").is_dir() else None
ANN, EVE = board_name("ann"), board_name("eve")
WHEN = "2026-11-20 20:15"
KEY = SealingKey(bytes(32))
PAIRED = datetime(2026, 1, 2, tzinfo=UTC)
ACCESS = Access((Broker("localhost", 1),), NAME)


UNTHOUGHT = re.compile(r"\b[A-Z]\w+Error: ")


def folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="spotter-attack-", dir=QUICK)


def look_at(said: Iterable[str | None], findings: Findings) -> None:
    """An exception that the guard caught is a finding, although nothing ended."""
    findings.tracebacks += [line for line in said if line and UNTHOUGHT.search(line)]


# Letters


def invitations(seed: str, number: int) -> Findings:
    """Letters of strangers to a board that is not playing, and people who answer now and then."""
    chance, findings = random.Random(f"invitations {seed}"), Findings()
    with folder() as name, findings.nothing_grows():
        said_yes = begun = 0
        linking = Linking(Path(name), ANN, lambda to, message: None, GAMES)
        strangers = [board_name(f"eve-{place}") for place in range(40)]
        for place, message in enumerate(letters(chance, number)):
            sender = chance.choice(strangers)
            findings.attempt(partial(linking.hear, sender, message), repr(message))
            if place % 20 == 0:
                linking.is_busy = chance.random() < 0.2
                begun += len(_looked(linking, findings, place * chance.choice((100, 10_000))))
            if chance.random() < 0.005 and linking.question:
                yes = chance.random() < 0.5
                said_yes += yes
                findings.attempt(partial(linking.answer, yes=yes), "an answer")
            if chance.random() < 0.002:
                wish = Invite(NewMatch("nannon", ("Ann", "Bea"), 5, {}), EVE, Side.WHITE)
                findings.attempt(partial(linking.invite, wish), "an invitation")
        linking.is_busy = False
        if begun > said_yes:
            findings.tracebacks.append(f"{begun} matches begun, {said_yes} accepted")
        files = len([*Path(name).iterdir()])
        look_at(linking._unreadable.values(), findings)
        findings.is_at_most("files of links", files, said_yes + 2)
        findings.is_at_most("notices", len(linking.notices), 4)
        findings.is_at_most("a line", max(map(len, linking.notices), default=0), 1000)
    return findings


def _looked(linking: Linking, findings: Findings, time_ms: int) -> Sequence[object]:
    found: list[object] = []
    findings.attempt(lambda: found.extend(linking.wishes(ms(time_ms))), "the loop looks")
    return found


def linked(seed: str, number: int) -> Findings:
    """Letters of the other board of a match under way, who is or is not what he says."""
    chance, findings = random.Random(f"linked {seed}"), Findings()
    while findings.done < number:
        with folder() as name:
            match = LinkedMatch(Path(name), "nannon", 3, seed=f"{seed} {findings.done}")
            match.steps(chance.choice((2, 20, 60)))
            black, post = match.black, match.black.letters.post
            for message in letters(chance, 60, LINK, post.got + 1, len(black.letters.letters)):
                findings.attempt(partial(_heard, black, message), repr(message))
                if chance.random() < 0.3:
                    findings.attempt(match.step, "both boards go on")
            most = 1000 + 16 * black.far.talk.place + 200
            look_at([black.session.trouble], findings)
            findings.is_at_most("letters kept", len(black.letters.letters), most)
            told = list(
                impossible(black.start, enumerate(black.journal.decisions(black.number), 1), GAMES)
            )
            if told:
                findings.tracebacks.append(f"{seed}: {told[0]}")
            for board in match.boards.values():
                board.journal.close()
    return findings


def _heard(board: LinkedBoard, message: bytes) -> None:
    try:
        board.far.hear(read_letter(message))
    except JsonError:
        return
    board.waits(50)


# Records


@cache
def sealed_lines() -> tuple[str, ...]:
    """The record of a match of two ends."""
    table = NannonTable(1, 3)
    table.plays_until(Phase.MATCH_OVER)
    with closing(Journal(MEMORY, KEY.seal)) as journal:
        number = journal.begin(replace(table.start, players=("Ada", "Cid")), WHEN)
        for decision in table.decided:
            journal.decide(decision)
        journal.commit()
        return journal.record(number)


@cache
def messages() -> tuple[tuple[str, bytes], ...]:
    """An honest board's messages, by topic."""
    key = match_key(1, WHEN)
    told = [line for line in sealed_lines()[1:] if read_seal(line) is None]
    seals = [line for line in sealed_lines() if read_seal(line) is not None]
    start, decision = write_event(START), write_decision(DECISIONS[0])
    summary = Summary(RecordId(EVE, key, 1), start, decision, "A checker is missing")
    return (
        *(
            (Topic.RECORD.of(EVE), write_message(Record(RecordId(EVE, key, at), line)))
            for at, line in (*enumerate(told), *enumerate(seals, SEALED + len(told)))
        ),
        (Topic.SUMMARY.of(EVE), write_message(summary)),
        (Topic.PRESENCE.of(EVE), b"here"),
        (Topic.HAVE.of(ANN), write_message(Have("a", {key: 7}, {key: 1}, "b"))),
        (letter_topic(EVE, ANN), b"{}"),
    )


def records(seed: str, number: int) -> Findings:
    """Messages to the archive and to a board; then all results are taken."""
    chance, findings = random.Random(f"records {seed}"), Findings()
    warned: list[str] = []
    with folder() as name, closing(ClubArchive(MEMORY)) as archive, findings.nothing_grows():
        collector = Collector(ACCESS, archive, lambda told: None, warned.append, lambda: 0.0)
        wire = Wire(ACCESS, ANN, Path(name) / "matches.db", lambda: 0.0)
        for _ in range(number):
            message = _message(chance)
            findings.attempt(partial(_collected, collector, wire, message), repr(message))
        look_at([*warned, wire._odd], findings)
        findings.is_at_most("lines of the log", len(warned), 50)
        findings.is_at_most("a line of the log", max(map(len, warned), default=0), 400)
        standing = paired(Tournament("Open", System.SWISS, 0, 1).joined(["Ada", "Cid"]))
        standing = standing.dated(PAIRED)
        results = [*archived(archive, GAMES, Roster().with_archive(archive))]
        look_at([one.why for one in results if isinstance(one, Skipped)], findings)
        for played in results:
            if isinstance(played, Played):
                findings.attempt(partial(taken, standing, [played]), str(played)[:500])
    return findings


def _message(chance: random.Random) -> ClubMessage:
    topic, message = chance.choice(messages())
    if chance.random() < 0.7:
        message = mutated(message.decode(), chance).encode("utf-8", "replace")
    if chance.random() < 0.1:
        topic = mutated(topic, chance)
    return ClubMessage(topic, message, chance.random() < 0.1, lambda: None)


def _collected(collector: Collector, wire: Wire, message: ClubMessage) -> None:
    collector._take(message)
    collector._write()
    wire._take(message)


# Seals


def seals(seed: str, number: int) -> Findings:
    """Damaged sealed records are reported."""
    chance, findings = random.Random(f"seals {seed}"), Findings()
    whole = write_sealed(sealed_lines())
    with findings.nothing_grows():
        for _ in range(number):
            text = mutated(whole, chance)
            findings.attempt(partial(_verified, text, whole), text)
    return findings


def _verified(text: str, whole: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    for key in (None, KEY.public):
        try:
            record = read_record(data, key)
        except SealedRecordError:
            continue
        if not record.faults and data != whole.encode():
            raise RuntimeError("it passes for what was sealed")
        if record.start:
            list(impossible(record.start, record.decisions, GAMES))


# Tournaments


@cache
def tournament() -> str:
    """The file of a tournament in its second round."""
    standing = paired(
        Tournament("Open", System.SWISS, 3, 1).joined(["A", "Ben", "Cid", "Dot", "E"])
    ).dated(PAIRED)
    for number in (1, 2):
        result = Reported((1, 0), standing.table(number).first)
        standing = standing.with_result(number, result)
    return "".join(f"{line}\n" for line in write_lines(paired(all_confirmed(standing))))


def tournaments(seed: str, number: int) -> Findings:
    """Files of tournaments and of keys, damaged."""
    chance, findings = random.Random(f"tournaments {seed}"), Findings()
    with folder() as name, findings.nothing_grows():
        keys = Path(name) / "ann.key"
        for _ in range(number):
            text = mutated(tournament(), chance)
            findings.attempt(partial(_gone_on, text), text)
            text = mutated(write_key(ANN, KEY.public), chance)
            keys.write_text(text, encoding="utf-8", errors="replace")
            findings.attempt(partial(read_roster, keys), text)
    return findings


def _gone_on(text: str) -> None:
    standing = read_lines(text)
    [*standing_rows(standing)]
    [*write_lines(standing)]
    paired(all_confirmed(standing))


FAR_ATTACKS: Mapping[str, tuple[int, int, Callable[[str, int], Findings]]] = {
    "invitations": (40_000, 1000, invitations),
    "letters of a match": (20_000, 500, linked),
    "records": (20_000, 500, records),
    "seals": (4_000, 100, seals),
    "tournaments": (10_000, 250, tournaments),
}
"""How many in all, how many at a time, and what does it; requests to the wall belong here too."""
