// A browser as a screen of the board: shows the newest picture, sends touches and keys.
const words = JSON.parse(document.getElementById("words").textContent);
const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const HELD_MS = 1000, ASK_MS = 8000, ANSWER_MS = 5000, AGAIN_MS = [500, 1000, 2000, 5000];

// The token stands behind the # of the address, which no server is ever sent. It is kept, so that
// the page can also be opened from the home screen.
let token = window.spotterLine ? "" : location.hash.slice(1) || recall("token");
remember("token", token);

function recall(name) { try { return localStorage.getItem(`spotter.${name}`) ?? ""; } catch { return ""; } }
function remember(name, value) { try { localStorage.setItem(`spotter.${name}`, value); } catch { /* a private window */ } }

const own = { theme: recall("theme"), text: recall("text"), turned: recall("turned") === "yes", sounds: recall("sounds") === "yes", speech: recall("speech") === "yes" };
const system = { light: matchMedia("(prefers-color-scheme: light)"), contrast: matchMedia("(prefers-contrast: more)") };

let socket = null, number = 0, typing = false, page = "", failures = 0;

function theme() { return own.theme || (system.contrast.matches ? "contrast" : system.light.matches ? "light" : "dark"); }

function looks() {
  document.documentElement.dataset.theme = theme();
  const room = $("screen").getBoundingClientRect();
  return { w: Math.round(room.width), h: Math.round(room.height), theme: theme(), language: document.documentElement.lang, text: own.text, turned: own.turned };
}

function send(t, more = {}) { if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ t, ...more })); }

// The connection: when it is lost the page says so and tries again for ever.
let asking = 0, answering = 0, again = 0, typed = "", refused = false;

function connect() {
  clearTimeout(again);
  const line = window.spotterLine?.() ?? new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
  socket = line;
  const code = typed;
  typed = "";
  line.onopen = () => { if (code) send("code", { code }); else send("hello", { token, looks: looks() }); number = 0; ask(); };
  line.onmessage = (event) => { ask(); if (line === socket) hear(JSON.parse(event.data)); };
  line.onclose = (event) => { if (line === socket) lose(event.code, code); };
  if (line instanceof WebSocket) ask();  // a guest's line waits until he has typed the code
}

function lose(code, tried = "") {
  clearTimeout(asking); clearTimeout(answering);
  socket = null;
  document.body.classList.add("lost");
  $("places").replaceChildren();
  const why = code === 4401 ? "wrong" : code === 4503 ? "full" : "lost";
  refused = code === 4401 || code === 4402;
  say($("state"), code === 4402 ? $("code-title").textContent : words[why]);
  if (code === 4402) askCode(tried);
  if (refused) return;
  again = setTimeout(connect, AGAIN_MS[Math.min(failures++, AGAIN_MS.length - 1)]);
}

function ask() {
  clearTimeout(asking); clearTimeout(answering);
  asking = setTimeout(() => {
    send("here");
    answering = setTimeout(() => { const line = socket; lose(0); line?.close(); }, ANSWER_MS);
  }, ASK_MS);
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") return;
  stayAwake();
  if (socket) send("here"); else if (!refused) connect();
});

// Without a token the board may ask for a code that it said aloud, and hands the token over.
function askCode(tried) {
  if (tried) say($("code-said"), $("code-said").dataset.wrong);
  if (!$("code").open) $("code").showModal();
}
$("code-form")?.addEventListener("submit", (event) => {
  event.preventDefault();
  typed = $("code-typed").value.replace(/\D/g, "");
  $("code-typed").value = "";
  say($("code-said"), "");
  if (typed && !socket) connect();
});
$("code")?.addEventListener("cancel", (event) => event.preventDefault());

// Pictures
function hear(news) {
  if (news.token) {
    token = news.token;
    remember("token", token);
    $("code").close();
    connect();
    return;
  }
  if (news.role) {
    failures = 0;
    document.body.classList.remove("lost");
    say($("state"), words[news.role]);
  }
  if (!news.n) return;
  number = news.n;
  if (news.whole) $("picture").replaceChildren();
  if (news.size) $("picture").setAttribute("viewBox", `0 0 ${news.size[0]} ${news.size[1]}`);
  if (news.cut) patch(news.cut, news.new);
  if ("typing" in news) typing = news.typing;
  if (news.places) place(news.places, news.page);
  if (news.page) page = news.page;
  for (const cue of news.cues ?? []) sound(cue);
  for (const text of news.say ?? []) tell(text);
  send("seen", { n: number });
}

function patch([start, count], fresh) {
  const picture = $("picture"), made = document.createElementNS(SVG, "svg");
  made.innerHTML = fresh.join("");
  const old = [...picture.children].slice(start, start + count);
  const next = picture.children[start + count] ?? null;
  old.forEach((one) => one.remove());
  picture.insertBefore(fragment(made), next);
}

function fragment(made) {
  const all = document.createDocumentFragment();
  all.append(...made.children);
  return all;
}

// Places to touch are buttons, so that keys and screen readers find them.
function place(places, opened) {
  const room = $("places"), focused = room.contains(document.activeElement) ? document.activeElement.textContent : null;
  while (room.children.length > places.length) room.lastChild.remove();
  while (room.children.length < places.length) room.append(document.createElement("button"));
  places.forEach(([x, y, w, h, name], index) => {
    const button = room.children[index];
    if (button.textContent !== name) button.textContent = name;
    button.style.cssText = `left:${x}px;top:${y}px;width:${w}px;height:${h}px`;
  });
  if (focused === null) return;
  const same = [...room.children].find((one) => one.textContent === focused);
  const kept = opened ? room.children[0] : same ?? room.children[0];
  kept?.focus({ preventScroll: true });
}

$("places").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const at = button.getBoundingClientRect(), room = $("screen").getBoundingClientRect();
  const touched = event.detail > 0 && event.clientX ? [event.clientX, event.clientY] : [at.x + at.width / 2, at.y + at.height / 2];
  send("touch", { n: number, x: Math.floor(touched[0] - room.x), y: Math.floor(touched[1] - room.y) });
  if (event.detail > 0) button.blur();
  stayAwake();
});

// Keys: as on the touchscreen. Arrows go to the nearest place, Tab to the next one.
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const NAMES = { " ": "space", Enter: "return", Escape: "escape", Backspace: "backspace" };
let held = 0;

document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]") || event.ctrlKey || event.altKey || event.metaKey) return;
  const here = document.activeElement, on = here?.closest("button");
  if (event.key in WAYS) { beside(WAYS[event.key]); event.preventDefault(); return; }
  if (event.key === "PageDown") { step(); event.preventDefault(); return; }
  if (event.key === "PageUp") { on?.click(); event.preventDefault(); return; }
  if (on && (event.key === "Enter" || (event.key === " " && !typing))) return;
  if (event.key === "Escape" && on && page === "play") { on.blur(); return; }
  if (event.key.toLowerCase() === "d" && !typing) {
    if (!event.repeat) held = setTimeout(() => send("key", { name: "hold d" }), HELD_MS);
  }
  if (event.repeat && event.key !== "Backspace") return;
  const text = [...event.key].length === 1 ? event.key : "";
  if (!(event.key in NAMES) && !text) return;
  send("key", { name: NAMES[event.key] ?? "", text });
  if (event.key === " ") event.preventDefault();
});
document.addEventListener("keyup", (event) => { if (event.key.toLowerCase() === "d") clearTimeout(held); });

function all() { return [...$("places").children]; }

function step() {
  const places = all();
  places[(places.indexOf(document.activeElement) + 1) % places.length]?.focus();
}

function beside([dx, dy]) {
  const places = all(), here = places.includes(document.activeElement) ? document.activeElement : null;
  if (!here) { places[0]?.focus(); return; }
  const middle = (one) => { const at = one.getBoundingClientRect(); return [at.x + at.width / 2, at.y + at.height / 2]; };
  const [x, y] = middle(here);
  const ahead = places.map((one) => { const [px, py] = middle(one); return { one, along: (px - x) * dx + (py - y) * dy, off: Math.abs((px - x) * dy) + Math.abs((py - y) * dx) }; });
  ahead.filter((one) => one.along > 0).sort((a, b) => a.along + 2 * a.off - b.along - 2 * b.off)[0]?.one.focus();
}

// What is said: for screen readers, and aloud if wanted.
function say(element, text) { if (element.textContent !== text) element.textContent = text; }

function tell(text) {
  const line = document.createElement("p");
  line.textContent = text;
  $("said").append(line);
  while ($("said").children.length > 4) $("said").firstChild.remove();
  if (!own.speech || !window.speechSynthesis) return;
  const spoken = new SpeechSynthesisUtterance(text);
  spoken.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(spoken);
}

// Cues, for whoever wants them. A browser lets a page sound once somebody has touched it.
const cues = {};

function sound(cue) {
  if (!own.sounds) return;
  const player = cues[cue] ??= new Audio(`/sound/${cue}`);
  player.currentTime = 0;
  player.play().catch(() => { /* nobody has touched this page yet */ });
}

// How this phone looks and sounds
function show() {
  $("theme").value = own.theme;
  $("text").value = own.text;
  $("turned").checked = own.turned;
  $("sounds").checked = own.sounds;
  $("speech").checked = own.speech;
}

$("own").addEventListener("click", () => { show(); $("looks").showModal(); });
$("lang").addEventListener("change", () => { location.search = `?lang=${$("lang").value}`; });
$("looks").addEventListener("change", () => {
  own.theme = $("theme").value;
  own.text = $("text").value;
  own.turned = $("turned").checked;
  own.speech = $("speech").checked;
  if (own.sounds !== $("sounds").checked) {
    own.sounds = $("sounds").checked;
    sound("legal");
  }
  for (const [name, value] of Object.entries(own)) remember(name, value === true ? "yes" : value || "");
  send("looks", { looks: looks() });
});
for (const one of Object.values(system)) one.addEventListener("change", () => send("looks", { looks: looks() }));
let sizing = 0;
new ResizeObserver(() => { clearTimeout(sizing); sizing = setTimeout(() => send("looks", { looks: looks() }), 100); }).observe($("screen"));

// Nobody touches the screen while they think: it is not to go dark.
async function stayAwake() { try { await navigator.wakeLock?.request("screen"); } catch { /* it may refuse */ } }

looks();
stayAwake();
connect();
