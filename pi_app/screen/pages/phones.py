"""The page that lets phones in: their addresses as QR codes, for playing and for watching."""

from __future__ import annotations

from pi_app.export.codes import Code
from pi_app.screen.actions import Screen, open_page, send, set_to
from pi_app.screen.canvas import Align, Look, Pen, Rect, Size, square_in
from pi_app.screen.pages.parts import BACK, PHONES, Choice, draw_around, draw_qr
from pi_app.screen.theme import DIM, IVORY
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.user.commands import ForgetPhones, SayWayIn
from pi_app.words.sentences import Sentence

WHAT = Sentence(
    "A phone, a tablet or a PC in the same network becomes a screen of this board. The address is "
    "sent unencrypted: use it only in a network that you trust."
)
LET_IN = Sentence("Let phones in")
SHUT_OUT = Sentence("Let no phones in")
FORGET = Sentence("Forget all phones")
SAY = Sentence("Say the address")
TO_PLAY = Sentence("Scan to play")
TO_WATCH = Sentence("Scan to watch")
STARTING = Sentence("One moment …")
CONNECTED = Sentence("1 phone is connected", "{n} phones are connected")


def draw_phones(canvas: Screen, shown: Shown, _: Ui) -> None:
    links, on = shown.phones, shown.settings.phones.on
    back = Choice(BACK(), open_page(Page.SETTINGS))
    switch = Choice(SHUT_OUT() if on else LET_IN(), set_to("phones.on", not on), _main(not on))
    may_play = on and bool(links.play)
    forget = (Choice(FORGET(), send(ForgetPhones())),) if may_play else ()
    by_ear = shown.settings.speech.told == "all"
    say = (Choice(SAY(), send(SayWayIn())),) if may_play and by_ear else ()
    count = CONNECTED(n=links.count) if links.count else ""
    body = draw_around(canvas, PHONES(), count, (switch, *say, *forget, back))
    pen, gap = Pen(Size.TEXT, IVORY, lines=9), canvas.px(12)
    if not on or not links.watch:
        said = links.trouble or STARTING() if on else WHAT()
        canvas.text(body, said, pen)
        return
    codes = [(TO_PLAY(), links.play, links.play_code), (TO_WATCH(), links.watch, links.watch_code)]
    some = [one for one in codes if one[1]]
    shares = (1,) * len(some)
    parts = body.rows(shares, gap) if canvas.upright else body.columns(shares, gap)
    for part, (words, address, code) in zip(parts, some, strict=True):
        _draw_code(canvas, part, (words, address), code)


def _main(main: bool) -> Look:
    return Look.MAIN if main else Look.PLAIN


def _draw_code(canvas: Screen, rect: Rect, words: tuple[str, str], code: Code | None) -> None:
    """A code with its caption above and its address below, in two lines."""
    caption, address = words
    pen = Pen(Size.TEXT, IVORY, bold=True, align=Align.CENTRE, lines=2)
    small = Pen(Size.SMALL, DIM, align=Align.CENTRE)
    head = rect.upper(canvas.height(caption, rect.w, pen))
    foot = rect.lower(canvas.high(Size.SMALL, Size.SMALL))
    canvas.text(head, caption, pen)
    gap = canvas.px(6)
    middle = Rect(rect.x, head.bottom + gap, rect.w, foot.y - head.bottom - 2 * gap)
    if code:
        draw_qr(canvas, square_in(middle), code)
    # Nothing divides the two parts where they are typed; one line would be too long.
    host, sign, token = address.partition("#")
    for line, part in zip(foot.rows((1, 1), 0), (host + sign, token), strict=True):
        canvas.text(line, part, small)
