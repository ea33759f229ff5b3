// One board on the page: texts are set as text, and pictures are images that can run nothing.

const SHORT = 10000;

export function showPicture(image, name) {
  const { theme } = document.documentElement.dataset;
  const from = `/picture/${name}/${theme}/${document.documentElement.lang}`;
  if (!name || image.dataset.shows === from) return;
  image.dataset.shows = from;
  // The picture before stays until the new one can be painted at once.
  const next = new Image();
  next.src = from;
  next.decode().then(() => { if (image.dataset.shows === from) image.src = from; })
    .catch(() => { if (image.dataset.shows === from) delete image.dataset.shows; });
}

function put(card, selector, text) {
  const place = card.querySelector(selector);
  if (place && place.textContent !== text) place.textContent = text;
}

export function fillSide(card, side, told) {
  const row = card.querySelector(".player." + side), number = side === "white" ? 0 : 1;
  put(row, ".name", told.players[number]);
  put(row, ".score", String(told.score[number]));
  put(row, ".pips", told.pips?.[number] ?? "");
  row.classList.toggle("turn", told.turn === side);
  row.classList.toggle("won", told.winner === side);
  const cube = row.querySelector(".cube"), held = told.cube;
  const here = held && (held.offered ? held.offered === side : held.owner === side);
  cube.textContent = here ? held.value : "";
  cube.classList.toggle("offered", Boolean(here && held.offered));
}

export function fillMiddle(card, held) {
  put(card, ".cube.middle", held && !held.owner && !held.offered ? String(held.value) : "");
}

// What a screen reader says of a picture, and of the link that it is.
export function describe({ board, players }, words) {
  const places = { board, white: players?.[0], black: players?.[1] };
  return players ? words.described.replace(/\{(\w+)\}/g, (_, name) => places[name]) : board;
}

export function fill(card, told, words, warned) {
  card.classList.toggle("away", !told.here);
  put(card, ".board", told.board);
  card.querySelector("img").alt = describe(told, words);
  const warning = card.querySelector(".warning");
  warning.hidden = !(warned && told.warning);
  warning.textContent = warning.hidden ? "" : told.warning;
  if (!told.players) {
    put(card, ".says", told.here ? (told.unreadable ? words.unreadable : "") : words.away);
    return;
  }
  put(card, ".says", told.here ? told.told : `${words.away} · ${told.told}`);
  put(card, ".match", told.match);
  put(card, ".played", told.played);
  fillSide(card, "white", told);
  fillSide(card, "black", told);
  fillMiddle(card, told.cube);
  showPicture(card.querySelector("img"), told.picture);
  tick(card, told);
}

// How likely each side wins: two bars, or none where nobody knows.
export function fillOdds(card, odds, words) {
  const place = card.querySelector(".odds");
  place.hidden = !odds;
  if (!odds) return;
  place.setAttribute("aria-label", `${words.chances}: ${odds.texts.join(" – ")}`);
  place.title = words.chances;
  for (const [number, bar] of [...place.children].entries()) {
    bar.textContent = odds.texts[number];
    bar.style.flexGrow = odds.shares[number];
  }
}

// The clocks go on by themselves from what the newest decision left.
export function tick(card, told) {
  if (!told?.clock) return;
  const { left, free, holder, overtime } = told.clock;
  for (const [number, side] of ["white", "black"].entries()) {
    const place = card.querySelector(`.player.${side} .clock`), runs = holder === side;
    let rest = left[number];
    if (runs && told.since !== null && told.since !== undefined) {
      const gone = performance.now() - told.offset - told.since;
      rest = Math.max(0, rest - Math.max(0, gone - (free ?? 0)));
    }
    const text = shown(rest) + (overtime?.[number] ? " +" : "");
    if (place.textContent !== text) place.textContent = text;
    place.classList.toggle("runs", runs);
    place.classList.toggle("short", rest < SHORT);
  }
}

function shown(rest) {
  const tenths = Math.floor(rest / 100), seconds = Math.floor(tenths / 10);
  if (rest < SHORT) {
    const lang = document.documentElement.lang;
    return "0:0" + (tenths / 10).toLocaleString(lang, { minimumFractionDigits: 1 });
  }
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
