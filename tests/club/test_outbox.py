"""The outbox alone: sending, repeating, never without a reason; on a fake clock."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.base.identifiers import MatchKey, board_name, match_key
from pi_app.club.line import Content
from pi_app.club.records import SEALED, Have, RecordId
from pi_app.club.wire import AHEAD, LONGEST_PATIENCE_S, PATIENCE_S, WINDOW, Outbox

TABLE_1 = board_name("table-1")
OLD, NEW = match_key(1, "2026-11-22T20:00:00+01:00"), match_key(2, "2026-11-23T20:00:00+01:00")
HOUR_S = 3600.0


def ids(match: MatchKey, sequences: Iterable[int]) -> tuple[RecordId, ...]:
    return tuple(RecordId(TABLE_1, match, sequence) for sequence in sequences)


def an_outbox(*contents: Content, memory: Have | None = None) -> Outbox:
    outbox = Outbox(TABLE_1, memory)
    outbox.keep(contents)
    return outbox


def acknowledge(outbox: Outbox, sent: Iterable[RecordId]) -> None:
    for id_ in sent:
        outbox.acknowledged(id_)


def test_a_few_at_a_time_in_their_order_the_oldest_match_first() -> None:
    outbox = an_outbox(Content(OLD, 2, seals=(2,)), Content(NEW, 100))
    first = outbox.next(0)
    assert first[:4] == ids(OLD, [0, 1, 2, SEALED + 2])
    assert first[4:] == ids(NEW, range(WINDOW - 4))
    assert outbox.next(0) == ()
    acknowledge(outbox, first[:3])
    assert outbox.next(0) == ids(NEW, range(WINDOW - 4, WINDOW - 1))


def test_what_the_archive_has_is_done_and_what_a_match_gets_later_is_sent() -> None:
    outbox = an_outbox(Content(OLD, 2))
    acknowledge(outbox, outbox.next(0))
    assert outbox.lacking == 3
    outbox.has(Have("one", {OLD: 2}, session="a"), 1)
    assert outbox.lacking == 0
    outbox.keep([Content(OLD, 4, seals=(4,))])
    assert outbox.next(2) == ids(OLD, [3, 4, SEALED + 4])
    assert outbox.next(2) == ()


def test_what_was_acknowledged_and_still_lacks_is_sent_again_less_and_less_often() -> None:
    outbox, now, rounds = an_outbox(Content(OLD, 0)), 0.0, []
    for _ in range(int(5 * HOUR_S)):
        sent = outbox.next(now)
        acknowledge(outbox, sent)
        if sent:
            rounds.append(now)
        now += 1
    pauses = [after - before for before, after in pairwise(rounds)]
    assert pauses[:3] == [PATIENCE_S, 2 * PATIENCE_S, 4 * PATIENCE_S]
    assert set(pauses[7:]) == {LONGEST_PATIENCE_S}


def test_an_archive_that_was_away_is_sent_what_it_lacks_at_once() -> None:
    outbox = an_outbox(Content(OLD, 9))
    outbox.has(Have("one", {}, session="before"), 0)
    acknowledge(outbox, outbox.next(1))
    outbox.has(Have("one", {OLD: 4}, session="before"), 2)
    assert outbox.next(3) == ()
    outbox.has(Have("one", {OLD: 4}, session="after"), 4)
    assert outbox.next(4) == ids(OLD, range(5, 10))


def test_another_archive_gets_everything_and_one_that_lost_its_end_gets_that() -> None:
    outbox = an_outbox(Content(OLD, 9))
    outbox.has(Have("one", {OLD: 9}, session="a"), 0)
    assert outbox.next(1) == ()
    outbox.has(Have("one", {OLD: 6}, session="a"), 1)
    assert outbox.next(1) == ids(OLD, [7, 8, 9])
    outbox.cut()
    outbox.has(Have("two", {}, session="b"), 2)
    assert outbox.next(2) == ids(OLD, range(10))


def test_a_board_that_was_cut_sends_what_was_not_acknowledged() -> None:
    outbox = an_outbox(Content(OLD, 9))
    outbox.has(Have("one", {}, session="a"), 0)
    sent = outbox.next(0)
    acknowledge(outbox, sent[:4])
    outbox.cut()
    outbox.keep([Content(OLD, 12)])
    assert not outbox.is_waiting
    assert outbox.next(HOUR_S)[-9:] == ids(OLD, range(4, 13))


def test_a_later_outbox_remembers_and_may_forget() -> None:
    had = Have("one", {OLD: 9, NEW: -1}, {OLD: 1}, "a")
    outbox = an_outbox(Content(OLD, 9, seals=(9,)))
    outbox.has(had, 0)
    assert replace(outbox.memory, session="a") == had
    contents = Content(OLD, 9, seals=(9,)), Content(NEW, 0)
    assert an_outbox(*contents, memory=outbox.memory).next(1) == ids(NEW, [0])
    assert len(an_outbox(*contents).next(1)) == 12


def test_while_nobody_confirms_only_so_much_is_sent() -> None:
    outbox, sent = an_outbox(Content(OLD, 10 * AHEAD)), 0
    while some := outbox.next(0):
        acknowledge(outbox, some)
        sent += len(some)
    assert sent == AHEAD


@settings(max_examples=40)
@given(st.data())
def test_in_the_end_nothing_lacks_whatever_happens_on_the_way(data: st.DataObject) -> None:
    """Records get lost, acknowledged or not; connections break; the archive answers late."""
    outbox, now, length = Outbox(TABLE_1), 0.0, 0
    archive: set[RecordId] = set()

    def have() -> Have:
        """Up to where nothing is missing."""
        upto = next(n for n in range(length + 2) if ids(OLD, [n])[0] not in archive) - 1
        return Have("one", {OLD: upto}, session="a")

    for _ in range(data.draw(st.integers(1, 25))):
        now += data.draw(st.sampled_from([0.1, PATIENCE_S, HOUR_S]))
        length += data.draw(st.integers(0, 5))
        outbox.keep([Content(OLD, length)])
        for id_ in outbox.next(now):
            if data.draw(st.booleans()):
                archive.add(id_)
            if data.draw(st.booleans()):
                outbox.acknowledged(id_)
        if data.draw(st.booleans()):
            outbox.cut()
        if data.draw(st.booleans()):
            outbox.has(have(), now)
    for _ in range(100):
        now += LONGEST_PATIENCE_S
        sent = outbox.next(now)
        archive.update(sent)
        acknowledge(outbox, sent)
        outbox.cut()
        outbox.has(have(), now)
    assert outbox.lacking == 0
    assert {*ids(OLD, range(length + 1))} == archive
    assert outbox.next(now + HOUR_S) == ()


def test_what_the_archive_has_makes_room_for_more() -> None:
    outbox = an_outbox(Content(NEW, 999))
    sent = 0
    while chosen := outbox.next(0.0):
        sent += len(chosen)
        acknowledge(outbox, chosen)
        outbox.has(Have("archive", {NEW: sent - 1}), 0.0)
    assert sent == 1000
