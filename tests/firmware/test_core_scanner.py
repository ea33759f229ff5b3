"""The C scanner in a test: at reset, in a session, and without a listener."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from core_desk import BUILD_NUMBER, TOKEN, CoreDesk
from scanner_wire import UNCONFIGURED, AskPicture, pack

from pi_app.link.messages import (
    Acknowledge,
    Cause,
    Configure,
    Fault,
    FromScanner,
    Geometry,
    Hello,
    Report,
    Who,
    encode,
)

QUEUE = 32


@pytest.fixture
def desk() -> Iterator[CoreDesk]:
    desk = CoreDesk()
    yield desk
    desk.finish()


def reports(messages: list[FromScanner]) -> list[Report]:
    return [message for message in messages if isinstance(message, Report)]


def hello(messages: list[FromScanner]) -> Hello:
    (message,) = messages
    assert isinstance(message, Hello)
    return message


def cells(report: Report) -> set[int]:
    """The cells that a report says are closed."""
    picture = int.from_bytes(report.bitmap, "little")
    return {cell for cell in range(8 * len(report.bitmap)) if picture >> cell & 1}


def with_one_flipped_bit(frame: bytes) -> Iterator[bytes]:
    """Every one there is, but in the byte that ends the frame."""
    for bit in range(8 * (len(frame) - 1)):
        damaged = bytearray(frame)
        damaged[bit // 8] ^= 1 << bit % 8
        yield bytes(damaged)


def acknowledged(desk: CoreDesk, sequence: int) -> None:
    assert desk.say(Acknowledge(TOKEN, sequence)) == []


def in_session(desk: CoreDesk, rows: int = 3, columns: int = 4, debounce_ms: int = 5) -> CoreDesk:
    """Configured, and the picture acknowledged."""
    desk.configure(rows, columns, debounce_ms)
    acknowledged(desk, 0)
    return desk


def changed(desk: CoreDesk, count: int) -> list[FromScanner]:
    """A number of changes of reed (0, 0), closing first; returns the messages."""
    sent = []
    for change in range(count):
        desk.set(0, 0, change % 2 == 0)
        sent += desk.run(6)
    return sent


@pytest.mark.parametrize("cause", Cause)
def test_at_reset_it_says_hello_and_why_it_started(cause: Cause) -> None:
    said = hello(CoreDesk(cause=cause).heard())
    assert said == Hello(0, UNCONFIGURED, cause, Fault.NONE, 0, 0, BUILD_NUMBER)


def test_until_configured_it_says_hello_five_times_a_second(desk: CoreDesk) -> None:
    desk.heard()
    times = [ms for ms, message in desk.run_timed(1000) if isinstance(message, Hello)]
    assert times == [200, 400, 600, 800, 1000]


def test_who_is_answered_at_once(desk: CoreDesk) -> None:
    desk.heard()
    assert hello(desk.say(Who())).token == 0
    in_session(desk)
    said = hello(desk.say(Who()))
    assert (said.token, said.geometry) == (TOKEN, Geometry(3, 4, 5))


def test_a_session_begins_with_the_picture_as_it_is(desk: CoreDesk) -> None:
    desk.set(0, 1, True)
    desk.set(2, 3, True)
    desk.ms = 6
    picture = desk.configure(rows=3, columns=4)
    assert (picture.sequence, picture.ms, picture.lost) == (0, 7, 0)
    assert cells(picture) == {1, 2 * 4 + 3}


def test_configured_anew_it_starts_afresh_and_keeps_its_counters(desk: CoreDesk) -> None:
    in_session(desk)
    changed(desk, 3)
    desk.say_bytes(b"\x02\x07\0")
    desk.core.desk_overruns(9)
    said = hello(desk.say(Configure(TOKEN + 1, Geometry(2, 2, 8))))
    assert said == Hello(TOKEN + 1, Geometry(2, 2, 8), Cause.POWER, Fault.NONE, 1, 9, BUILD_NUMBER)
    (picture,) = reports(desk.run(1))
    assert (picture.sequence, picture.lost, cells(picture)) == (0, 0, {0})


REFUSED = [
    (Geometry(0, 4, 5), Fault.ROWS),
    (Geometry(32, 4, 5), Fault.ROWS),
    (Geometry(255, 255, 255), Fault.ROWS),
    (Geometry(4, 0, 5), Fault.COLUMNS),
    (Geometry(4, 17, 5), Fault.COLUMNS),
    (Geometry(31, 5, 5), Fault.CELLS),
    (Geometry(9, 15, 5), Fault.CELLS),
    (Geometry(24, 5, 0), Fault.DEBOUNCE),
    (Geometry(24, 5, 51), Fault.DEBOUNCE),
    (Geometry(24, 5, 5, 0), Fault.KIND),
    (Geometry(24, 5, 5, 9), Fault.KIND),
]


@pytest.mark.parametrize(("geometry", "fault"), REFUSED)
def test_a_geometry_that_is_refused(desk: CoreDesk, geometry: Geometry, fault: Fault) -> None:
    in_session(desk)
    said = hello(desk.say(Configure(77, geometry)))
    assert said == Hello(77, UNCONFIGURED, Cause.POWER, fault, 0, 0, BUILD_NUMBER)
    assert reports(desk.run(500)) == []
    assert desk.configure().sequence == 0


def test_another_version_is_refused(desk: CoreDesk) -> None:
    desk.heard()
    said = hello(desk.say(Configure(77, Geometry(3, 4, 5), version=3)))
    assert (said.token, said.fault, said.geometry) == (77, Fault.VERSION, UNCONFIGURED)


def test_after_a_refusal_it_goes_on_saying_why(desk: CoreDesk) -> None:
    desk.say(Configure(77, Geometry(0, 4, 5)))
    again = [message for message in desk.run(400) if isinstance(message, Hello)]
    assert [(said.token, said.fault) for said in again] == [(77, Fault.ROWS)] * 2


@pytest.mark.parametrize("size", [(1, 1), (31, 4), (8, 16), (24, 5), (25, 5), (10, 10)])
def test_every_reed_has_its_bit(desk: CoreDesk, size: tuple[int, int]) -> None:
    rows, columns = size
    in_session(desk, rows, columns)
    for cell in range(rows * columns):
        row, column = divmod(cell, columns)
        desk.set(row, column, True)
        (report,) = reports(desk.run(6))
        assert cells(report) == {cell}
        assert len(report.bitmap) == (rows * columns + 7) // 8
        desk.set(row, column, False)
        (gone,) = reports(desk.run(6))
        assert cells(gone) == set()
        acknowledged(desk, gone.sequence)


def test_lines_beyond_the_geometry_are_not_looked_at(desk: CoreDesk) -> None:
    in_session(desk, rows=2, columns=3)
    desk.set(0, 3, True)
    desk.set(2, 0, True)
    assert [cells(report) for report in reports(desk.run(250))] == [set()]


IGNORED = {
    "token 0": encode(bytes([2, 1, 0, 0, 3, 4, 5])),
    "a CONFIGURE too short": encode(bytes([2, 1, 7, 7, 3, 4])),
    "a CONFIGURE too long": encode(bytes([2, 1, 7, 7, 3, 4, 5, 6])),
    "a WHO too long": encode(bytes([1, 0])),
    "an ACK too short": encode(bytes([3, 0x34, 0x12, 0])),
    "an ACK too long": encode(bytes([3, 0x34, 0x12, 1, 0, 0])),
    "an ACK of another session": encode(bytes([3, 0x35, 0x12, 1, 0])),
    "a PICTURE too long": encode(bytes([4, 0])),
    "no such message": encode(bytes([9])),
    "what a scanner says": encode(bytes([0x82, 0, 0])),
    "another CRC": b"\x04\x01\x02\x03\0",
}


@pytest.mark.parametrize("name", IGNORED)
def test_everything_else_is_ignored_and_counted(desk: CoreDesk, name: str) -> None:
    in_session(desk)
    changed(desk, 1)
    assert desk.say_bytes(IGNORED[name]) == []
    assert hello(desk.say(Who())).bad_frames == 1
    assert [report.sequence for report in reports(desk.run(60))] == [1], "the session goes on"


def test_a_single_flipped_bit_in_a_message_makes_it_none(desk: CoreDesk) -> None:
    in_session(desk)
    changed(desk, 2)
    for token in range(1, 600):
        frame = encode(pack(Configure(token, Geometry(5, 5, 5))))
        for damaged in with_one_flipped_bit(frame):
            desk.core.desk_put(damaged, len(damaged))
            desk.core.desk_serve()
    for damaged in with_one_flipped_bit(encode(pack(Acknowledge(TOKEN, 2)))):
        desk.say_bytes(damaged)
    said = desk.say(Who(), AskPicture())
    assert isinstance(said[0], Hello)
    assert (said[0].token, said[0].geometry) == (TOKEN, Geometry(3, 4, 5))
    assert [report.sequence for report in reports(said)] == [1, 2]


def test_acknowledging_and_asking_mean_nothing_before_a_session(desk: CoreDesk) -> None:
    desk.heard()
    assert desk.say(AskPicture(), Acknowledge(TOKEN, 0)) == []
    assert hello(desk.say(Who())).bad_frames == 2


def test_the_count_of_bad_frames_stays_at_its_end(desk: CoreDesk) -> None:
    desk.heard()
    for _ in range(40):
        desk.core.desk_put(b"\x01\0" * 2048, 4096)
        for _ in range(4096 // 128 + 1):
            desk.core.desk_serve()
    assert hello(desk.say(Who())).bad_frames == 65535


def test_a_host_that_never_pauses_does_not_hold_up_the_scan(desk: CoreDesk) -> None:
    desk.heard()
    garbage = b"\x01\0" * 2000 + encode(b"\x01")
    assert desk.say_bytes(garbage) == [], "not all is taken at once"
    assert len(desk.run(40)) == 1, "but in its time"


def test_heartbeats_five_a_second_while_nothing_is_queued(desk: CoreDesk) -> None:
    in_session(desk)
    changed(desk, 1)
    acknowledged(desk, 1)
    begun = desk.ms
    heard = desk.run_timed(1000)
    assert [ms - begun for ms, _ in heard] == [200, 400, 600, 800, 1000]
    for ms, beat in heard:
        assert beat == Report(1, ms, 0, bytes([1, 0]))


def test_a_picture_that_is_asked_for_comes_at_once(desk: CoreDesk) -> None:
    in_session(desk)
    desk.run(50)
    assert desk.say(AskPicture()) == [Report(0, desk.ms, 0, bytes(2))]
    heard = desk.run_timed(200)
    assert [ms - desk.ms for ms, _ in heard] == [0], "and the next heartbeat counts from it"


def test_a_picture_asked_for_with_reports_queued_sends_them_again(desk: CoreDesk) -> None:
    in_session(desk)
    changed(desk, 3)
    assert [report.sequence for report in reports(desk.say(AskPicture()))] == [1, 2, 3]


def test_there_is_no_picture_to_ask_for_before_the_first_scan(desk: CoreDesk) -> None:
    desk.heard()
    said = desk.say(Configure(TOKEN, Geometry(3, 4, 5)), AskPicture())
    assert hello(said).bad_frames == 0
    assert [report.sequence for report in reports(desk.run(1))] == [0]


def test_a_change_is_reported_once_with_its_time(desk: CoreDesk) -> None:
    in_session(desk)
    desk.run(93)
    desk.set(1, 2, True)
    heard = desk.run_timed(20)
    (report,) = reports([message for _, message in heard])
    assert heard[0][0] == report.ms == 94 + 1 + 5, "seen a scan later, then steady for 5 ms"
    assert (report.sequence, cells(report)) == (1, {6})


def test_two_reeds_in_one_scan_are_two_reports_in_the_order_of_cells(desk: CoreDesk) -> None:
    in_session(desk)
    desk.set(2, 0, True)
    desk.set(0, 3, True)
    desk.set(0, 1, True)
    told = reports(desk.run(6))
    assert [report.sequence for report in told] == [1, 2, 3]
    assert [cells(report) for report in told] == [{1}, {1, 3}, {1, 3, 8}]
    assert len({report.ms for report in told}) == 1


def test_the_debounce_time_is_the_hosts(desk: CoreDesk) -> None:
    in_session(desk, debounce_ms=50)
    desk.set(0, 0, True)
    assert desk.run(50) == []
    assert len(reports(desk.run(1))) == 1


def test_reports_are_repeated_oldest_first_until_they_are_acknowledged(desk: CoreDesk) -> None:
    in_session(desk)
    begun = desk.ms
    told = changed(desk, 3)
    rounds = desk.run_timed(150)
    repeated = [(ms - begun, message.sequence) for ms, message in rounds]  # type: ignore[union-attr]
    assert repeated == [(at, sequence) for at in (56, 106, 156) for sequence in (1, 2, 3)]
    assert {message for _, message in rounds} == set(told), "unchanged"
    acknowledged(desk, 2)
    assert {report.sequence for report in reports(desk.run(100))} == {3}
    acknowledged(desk, 3)
    assert [report.sequence for report in reports(desk.run(60))] == [], "only heartbeats from here"


def test_an_acknowledgement_come_late_or_from_nowhere_does_no_harm(desk: CoreDesk) -> None:
    in_session(desk)
    changed(desk, 2)
    for sequence in (0, 0, 3, 4, 40_000):
        acknowledged(desk, sequence)
    assert [report.sequence for report in reports(desk.say(AskPicture()))] == [1, 2]
    acknowledged(desk, 2)
    acknowledged(desk, 2)
    assert [report.sequence for report in reports(desk.say(AskPicture()))] == [2]
    assert hello(desk.say(Who())).bad_frames == 0


def test_a_report_that_never_left_cannot_be_acknowledged(desk: CoreDesk) -> None:
    in_session(desk)
    desk.core.desk_room(0)
    assert changed(desk, 2) == []
    acknowledged(desk, 2)
    desk.core.desk_room(65535)
    assert [report.sequence for report in reports(desk.heard())] == [1, 2]


def test_no_change_is_lost_while_the_queue_holds(desk: CoreDesk) -> None:
    in_session(desk)
    desk.core.desk_room(0)
    assert changed(desk, QUEUE) == []
    desk.core.desk_room(65535)
    told = reports(desk.heard())
    assert [report.sequence for report in told] == list(range(1, QUEUE + 1))
    assert [cells(report) for report in told] == [{0}, set()] * (QUEUE // 2)
    assert [after.ms - before.ms for before, after in pairwise(told)] == [6] * (QUEUE - 1)
    assert {report.lost for report in told} == {0}


def test_beyond_the_queue_the_newest_takes_the_change_and_says_so(desk: CoreDesk) -> None:
    in_session(desk)
    changed(desk, QUEUE)
    desk.set(1, 1, True)
    desk.run(6)
    desk.set(2, 2, True)
    desk.run(6)
    told = reports(desk.say(AskPicture()))
    assert [report.sequence for report in told] == list(range(1, QUEUE + 1))
    assert [report.lost for report in told] == [0] * (QUEUE - 1) + [2]
    assert cells(told[-1]) == {5, 10}
    assert told[-1].ms == desk.ms


def test_a_merged_report_is_sent_at_once(desk: CoreDesk) -> None:
    in_session(desk)
    changed(desk, QUEUE)
    desk.say(AskPicture())
    desk.set(1, 1, True)
    (merged,) = reports(desk.run(6))
    assert (merged.sequence, merged.lost, cells(merged)) == (QUEUE, 1, {5})


def test_acknowledged_before_it_was_merged_the_picture_comes_by_heartbeat(desk: CoreDesk) -> None:
    in_session(desk)
    changed(desk, QUEUE)
    desk.core.desk_room(0)
    desk.set(1, 1, True)
    desk.run(6)
    acknowledged(desk, QUEUE)
    desk.core.desk_room(65535)
    (beat,) = reports(desk.run(200))
    assert (beat.sequence, beat.lost, cells(beat)) == (QUEUE, 1, {5})


def test_the_count_of_lost_changes_stays_at_its_end(desk: CoreDesk) -> None:
    in_session(desk, debounce_ms=1)
    desk.core.desk_room(0)
    for change in range(65536 + QUEUE + 10):
        desk.set(0, 0, change % 2 == 0)
        for _ in range(2):
            desk.ms += 1
            desk.core.desk_clock(desk.ms)
            desk.core.desk_scan()
    desk.core.desk_room(65535)
    assert reports(desk.heard())[-1].lost == 65535


def test_a_line_that_takes_nothing_for_a_while_loses_nothing(desk: CoreDesk) -> None:
    desk.core.desk_room(0)
    desk.say(Configure(TOKEN, Geometry(3, 4, 5)))
    desk.run(1)
    changed(desk, 2)
    assert desk.sent() == b""
    desk.core.desk_room(65535)
    first, *rest = desk.heard()
    assert isinstance(first, Hello)
    assert first.token == TOKEN
    assert [report.sequence for report in reports(rest)] == [0, 1, 2]


def test_frames_are_never_cut_by_a_full_line(desk: CoreDesk) -> None:
    in_session(desk)
    desk.core.desk_room(100)
    changed(desk, 4)
    desk.core.desk_room(65535)
    desk.run(60)
    assert desk.frames.bad == 0


@pytest.mark.slow
def test_the_sequence_wraps(desk: CoreDesk) -> None:
    in_session(desk, debounce_ms=1)
    for change in range(1, 65536 + 4):
        desk.set(0, 0, change % 2 == 1)
        (report,) = reports(desk.run(2))
        assert report.sequence == change % 65536
        if change < 65534 or change > 65536:
            acknowledged(desk, report.sequence)
        elif change == 65536:
            again = reports(desk.say(AskPicture()))
            assert [one.sequence for one in again] == [65534, 65535, 0]
            acknowledged(desk, 0)
    assert [one.sequence for one in reports(desk.say(AskPicture()))] == [3]


def test_the_clock_wraps(desk: CoreDesk) -> None:
    late = CoreDesk(ms=(1 << 32) - 103)
    in_session(late)
    late.set(0, 0, True)
    (report,) = reports(late.run(6))
    acknowledged(late, 1)
    late.run(92)
    late.set(0, 0, False)
    told = reports(late.run(60))
    assert [(one.sequence, one.ms) for one in told] == [(2, 2), (2, 2)]
    acknowledged(late, 2)
    times = [ms for ms, _ in late.run_timed(500)]
    assert [after - before for before, after in pairwise(times)] == [200]
    assert report.ms == (1 << 32) - 103 + 1 + 6
