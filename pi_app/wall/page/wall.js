// The page: every board, one large, a match replayed, standings.  Whatever a board tells is text.
import { fill, fillOdds, tick } from "./board.js";
import { openReplay } from "./replay.js";

const words = JSON.parse(document.getElementById("words").textContent);
const asked = new URLSearchParams(location.search);
const main = document.getElementById("main");
const OVERLAYS = ["bar", "lower"];
const THEMES = ["dark", "light", "contrast", "dark-red", "light-red", "dark-blue", "light-blue", "dark-grey", "light-grey"];
// So many of them have the usual board: the button goes round these.
const PLAIN = 3;
const MARGIN = 24, GAP = 12, MOST = 60, NARROW = 700;
// Cards are at least so wide, in pixels: where their number is given, and where the page chooses it.
const SMALLEST = 120, LEGIBLE = 170;
// The height of a card in parts of its width; of a small one its words have so many pixels.
const RATIO = 1.12, PICTURE = 464 / 560, WORDS = 58;
const ROTATE_S = 20, ASKED_MS = 20000;
const state = { boards: new Map(), cards: new Map(), order: [], first: 0, total: 0, warnings: false, chances: false, source: null, heard: 0, silence: ASKED_MS, again: null };

function el(id) { return document.getElementById(id); }
function title(text) { el("where").textContent = text; el("where").hidden = false; }
function name(button, text) { button.title = text; button.setAttribute("aria-label", text); }
async function ask(path) {
  const answer = await fetch(path, { signal: AbortSignal.timeout(ASKED_MS) });
  return answer.ok ? answer.json() : null;
}
function say(key, places = {}) { return words[key].replace(/\{(\w+)\}/g, (_, name) => places[name] ?? ""); }
function link(path) { const url = new URL(path, location.origin); for (const key of ["theme", "lang"]) if (asked.has(key)) url.searchParams.set(key, asked.get(key)); return url.href; }

// Colours ------------------------------------------------------------------------------------

function themeNow() {
  const kept = asked.get("theme") ?? localStorage.getItem("theme");
  if (THEMES.includes(kept)) return kept;
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  for (const card of state.cards.values()) draw(card);
}
el("colours").textContent = words.colours;
el("colours").onclick = () => {
  const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % PLAIN];
  localStorage.setItem("theme", next);
  asked.delete("theme");
  setTheme(next);
};

// Live ---------------------------------------------------------------------------------------

function listen(query, told) {
  state.source?.close();
  if (asked.has("lang")) query.set("lang", asked.get("lang"));
  const source = new EventSource("/events?" + query);
  state.source = source;
  state.heard = performance.now();
  state.again = () => listen(query, told);
  let failing = 0;
  source.onopen = () => { clearTimeout(failing); failing = 0; };
  source.onerror = () => {
    failing ||= setTimeout(() => { if (state.source === source) lose(true); }, 3000);
    if (source.readyState === EventSource.CLOSED) setTimeout(() => { if (state.source === source) state.again(); }, 5000);
  };
  source.onmessage = (event) => {
    const news = JSON.parse(event.data);
    const offset = performance.now() - news.now;
    state.heard = performance.now();
    lose(false);
    for (const board of news.boards) state.boards.set(board.board, { ...board, offset });
    if (news.hall) heading(news.hall);
    told(news);
    document.body.dataset.told = news.now;
  };
}

// Without a connection the clocks stand still: nobody knows who has played meanwhile.
function lose(lost) { el("lost").hidden = !lost; }

// A network can fall silent without a word; the server's beats say that it has not.
function watch() {
  if (!state.again || performance.now() - state.heard < state.silence) return;
  lose(true);
  state.again();
}

function heading(hall) {
  state.total = hall.total;
  state.order = hall.boards;
  state.warnings = hall.warnings;
  state.chances = hall.chances;
  state.silence = hall.silence;
  el("delay").textContent = hall.delay ? say("delayed", { delay: hall.delay }) : "";
  el("warn").hidden = !hall.warnings;
}
el("warn").querySelector("span").textContent = words.warnings;
const wants = el("warn").querySelector("input");
wants.onchange = () => { for (const card of state.cards.values()) draw(card); };

function draw(card) {
  const board = state.boards.get(card.dataset.board);
  if (!board) return;
  fill(card, board, words, state.warnings && wants.checked);
}

// Aloud --------------------------------------------------------------------------------------

const speaks = el("aloud").querySelector("input");
el("aloud").querySelector("span").textContent = words.aloud;
speaks.onchange = () => { if (!speaks.checked) speechSynthesis.cancel(); };

// Every news once, with the browser's own voice; the newest one interrupts.
function speak(card) {
  const said = state.boards.get(card.dataset.board)?.said;
  if (!said || said === card.dataset.said) return;
  card.dataset.said = said;
  if (!speaks.checked) return;
  speechSynthesis.cancel();
  const news = new SpeechSynthesisUtterance(said);
  news.lang = document.documentElement.lang;
  speechSynthesis.speak(news);
}

// Every board --------------------------------------------------------------------------------

function openGrid() {
  const grid = document.createElement("div"), given = Number(asked.get("count"));
  grid.className = "grid";
  main.replaceChildren(grid);
  let count = given >= 1 ? Math.min(Math.floor(given), MOST) : MOST, rotates = true;
  const again = () => listen(new URLSearchParams({ first: state.first, count }), (news) => {
    if (news.hall && !refit()) arrange(grid, count);
    for (const board of news.boards) { const card = state.cards.get(board.board); if (card) draw(card); }
  });
  // Another number of boards fits: true if the page listens anew for it.
  const refit = () => {
    const fits = given >= 1 ? count : countThatFits(grid, state.total);
    if (fits === count) return false;
    count = fits;
    state.first = Math.floor(state.first / count) * count;
    again();
    return true;
  };
  const turn = (way) => {
    const pages = Math.max(1, Math.ceil(state.total / count));
    state.first = ((state.first / count + way + pages) % pages) * count;
    again();
  };
  const goOn = (on) => {
    rotates = on;
    el("rotates").textContent = on ? "❚❚" : "▶▶";
    name(el("rotates"), on ? words.pause : words.play);
  };
  el("earlier").onclick = () => { goOn(false); turn(-1); };
  el("later").onclick = () => { goOn(false); turn(1); };
  el("rotates").onclick = () => goOn(!rotates);
  const every = asked.has("rotate") ? Number(asked.get("rotate")) : innerWidth < NARROW ? 0 : ROTATE_S;
  goOn(every >= 2);
  setInterval(() => { if (rotates && state.total > count) turn(1); }, Math.max(every, 2) * 1000);
  addEventListener("resize", () => { if (!refit()) fit(grid); });
  again();
}

// So many that all can be read without scrolling, the pages about equally full.
function countThatFits(grid, total) {
  if (innerWidth < NARROW) return 20;
  let most = 1;
  while (most < MOST && layout(grid, most + 1).wide >= LEGIBLE) most += 1;
  return Math.ceil(Math.max(1, total) / Math.ceil(Math.max(1, total) / most));
}

function arrange(grid, count) {
  const cards = new Map();
  for (const board of state.order) cards.set(board, state.cards.get(board) ?? newCard(board));
  state.cards = cards;
  grid.replaceChildren(...cards.values());
  if (!cards.size) grid.append(empty(words.none));
  for (const card of cards.values()) draw(card);
  const pages = Math.max(1, Math.ceil(state.total / count));
  title(`${words.boards}: ${state.total}`);
  el("earlier").hidden = el("later").hidden = el("rotates").hidden = pages < 2;
  el("pages").textContent = pages > 1 ? say("page", { page: state.first / count + 1, pages }) : "";
  fit(grid);
}

function newCard(name) {
  const card = el("card").content.firstElementChild.cloneNode(true);
  card.dataset.board = name;
  card.querySelector(".picture").href = link("/board/" + encodeURIComponent(name));
  return card;
}

// How many columns, and how wide a card, where so many boards fit without scrolling.
function layout(grid, number) {
  const width = innerWidth - MARGIN, height = innerHeight - grid.getBoundingClientRect().top - scrollY - GAP;
  let wide = 0, columns = 1;
  for (let each = 1; each <= number; each++) {
    const rows = Math.ceil(number / each);
    const across = (width - GAP * (each - 1)) / each;
    const down = (height - GAP * (rows - 1)) / rows;
    const here = Math.min(across, (down - 4) / RATIO, (down - WORDS) / PICTURE);
    if (here > wide) { wide = here; columns = each; }
  }
  return { columns, wide };
}

// As large as all of them fit without scrolling, where that is not too small to be read.
function fit(grid) {
  let { columns, wide } = layout(grid, Math.max(1, state.cards.size));
  if (wide < SMALLEST || innerWidth < NARROW) {
    const width = innerWidth - MARGIN;
    columns = Math.max(1, Math.floor((width + GAP) / (innerWidth < NARROW ? 300 : 200)));
    wide = (width - GAP * (columns - 1)) / columns;
  }
  grid.style.setProperty("--columns", columns);
  grid.style.setProperty("--wide", `${Math.floor(wide)}px`);
}

function empty(text) {
  const note = document.createElement("p");
  note.className = "empty";
  note.textContent = text;
  return note;
}

// One board ----------------------------------------------------------------------------------

function openBoard(name) {
  const overlay = asked.get("overlay");
  if (overlay !== null) document.body.classList.add("overlay", ...OVERLAYS.filter((one) => one === overlay));
  if (asked.has("face")) document.body.classList.add("face");
  const card = newLarge(name);
  state.cards.set(name, card);
  main.replaceChildren(card);
  listen(new URLSearchParams({ board: name }), (news) => {
    if (news.hall && !news.hall.boards.length) main.replaceChildren(empty(words.none));
    else if (!card.isConnected) main.replaceChildren(card);
    if (news.boards.length) { draw(card); speak(card); if (state.chances) weigh(card, name); }
  });
  el("aloud").hidden = !("speechSynthesis" in window);
  if (overlay === null && !asked.has("face")) listMatches(name, card.querySelector(".links"));
}

// Asked after each news; of several answers that are under way only the last one counts.
async function weigh(card, name) {
  const mine = card.weighing = {};
  const path = `/chances/${encodeURIComponent(name)}?lang=${document.documentElement.lang}`;
  const odds = await ask(path).catch(() => null);
  if (card.weighing === mine) fillOdds(card, odds, words);
}

function newLarge(name) {
  const card = el("large").content.firstElementChild.cloneNode(true);
  card.dataset.board = name;
  card.querySelector(".board").textContent = name;
  return card;
}

async function listMatches(name, links) {
  const { matches } = await ask("/matches/" + encodeURIComponent(name)).catch(() => null) ?? { matches: [] };
  for (const { match, began, players } of matches) {
    const to = document.createElement("a");
    to.href = link(`/board/${encodeURIComponent(name)}/replay/${encodeURIComponent(match)}`);
    to.textContent = [words.replay, players.join(" – "), began.slice(0, 16).replace("T", " ")].filter(Boolean).join(" · ");
    links.append(to);
  }
}

function openKept(name, match) {
  const card = newLarge(name);
  main.replaceChildren(card);
  const live = document.createElement("a");
  live.href = link("/board/" + encodeURIComponent(name));
  live.textContent = words.live;
  card.querySelector(".links").append(live);
  openReplay(card, name, match, words, asked).catch(() => main.replaceChildren(empty(words.noReplay)));
}

// Standings ----------------------------------------------------------------------------------

async function openStandings() {
  title(words.standings);
  try {
    const table = await ask("/standings.json");
    main.replaceChildren(table ? tabled(table) : empty(words.noStandings));
    lose(false);
  } catch { lose(true); }
  setTimeout(openStandings, 10000);
}

function tabled({ title, columns, rows }) {
  const table = document.createElement("table");
  table.createCaption().textContent = title;
  const head = table.createTHead().insertRow();
  for (const name of columns) { const cell = document.createElement("th"); cell.textContent = name; head.append(cell); }
  const body = table.createTBody();
  for (const row of rows) { const line = body.insertRow(); for (const cell of row) line.insertCell().textContent = cell; }
  return table;
}

// --------------------------------------------------------------------------------------------

el("standings").textContent = words.standings;
el("standings").href = link("/standings");
document.querySelector(".home").href = link("/");
el("lost").textContent = words.lost;
setTheme(themeNow());
const parts = location.pathname.split("/").filter(Boolean).map(decodeURIComponent);
if (parts[0] === "standings") openStandings();
else if (parts[0] === "board" && parts[2] === "replay") openKept(parts[1], parts[3]);
else if (parts[0] === "board") openBoard(parts[1]);
else openGrid();
name(el("earlier"), words.pageBefore);
name(el("later"), words.pageAfter);
setInterval(() => {
  watch();
  if (el("lost").hidden) for (const [name, card] of state.cards) tick(card, state.boards.get(name));
}, 200);
