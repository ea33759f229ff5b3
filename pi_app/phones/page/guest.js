// A friend's browser as his board: meets the other board by a code, opens and seals what both write,
// and shares the dice. What it shows and sends is phone.js's; this stands in the place of its socket.
const $ = (id) => document.getElementById(id);
const words = JSON.parse($("words").textContent), codeWords = JSON.parse($("code-words").textContent);
const utf8 = (text) => new TextEncoder().encode(text), text = (bytes) => new TextDecoder().decode(bytes);
const joined = (...parts) => { const all = new Uint8Array(parts.reduce((n, one) => n + one.length, 0)); let at = 0; for (const one of parts) { all.set(one, at); at += one.length; } return all; };
const same = (a, b) => a.length === b.length && a.every((one, i) => one === b[i]);
const hex = (bytes) => [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("");
const unhex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (two) => parseInt(two, 16));
const chance = (count) => crypto.getRandomValues(new Uint8Array(count));
const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...parts)));

async function hmac(key, message) {
  const made = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", made, message));
}

function recall(name) { try { return JSON.parse(localStorage.getItem(`spotter.${name}`)); } catch { return null; } }
function remember(name, value) { try { localStorage.setItem(`spotter.${name}`, JSON.stringify(value)); } catch { /* a private window */ } }

// SPAKE2 with the group Ed25519, as the library spake2 of the board has it (its README says how).
// Points are extended coordinates (X, Y, Z, T).
const Q = 2n ** 255n - 19n, ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const mod = (n, by = Q) => { const rest = n % by; return rest < 0n ? rest + by : rest; };
function power(base, exponent) { let made = 1n; for (let e = exponent, b = mod(base); e > 0n; e >>= 1n, b = mod(b * b)) if (e & 1n) made = mod(made * b); return made; }
const inverse = (n) => power(n, Q - 2n);
const D = mod(-121665n * inverse(121666n)), ROOT = power(2n, (Q - 1n) / 4n);
const ZERO = [0n, 1n, 1n, 0n];

function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = mod((y1 - x1) * (y2 - x2)), b = mod((y1 + x1) * (y2 + x2)), c = mod(t1 * 2n * D * t2), d = mod(z1 * 2n * z2);
  const e = b - a, f = d - c, g = d + c, h = b + a;
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function times(point, scalar) { let made = ZERO; for (let e = scalar, p = point; e > 0n; e >>= 1n, p = add(p, p)) if (e & 1n) made = add(made, p); return made; }
const isZero = ([x, y, z]) => x === 0n && y === z;

function encoded([x, y, z]) {
  const by = inverse(z), bytes = new Uint8Array(32);
  for (let i = 0, rest = mod(y * by); i < 32; i += 1, rest >>= 8n) bytes[i] = Number(rest & 255n);
  bytes[31] |= Number(mod(x * by) & 1n) << 7;
  return bytes;
}

// The point of these bytes, or null if no honest board sends it.
function decoded(bytes) {
  const number = BigInt(`0x${hex(bytes.slice().reverse())}`), y = number & (2n ** 255n - 1n);
  const xx = mod((y * y - 1n) * inverse(D * y * y + 1n));
  let x = power(xx, (Q + 3n) / 8n);
  if (mod(x * x - xx) !== 0n) x = mod(x * ROOT);
  if (mod(x * x - xx) !== 0n || y >= Q) return null;
  if ((x & 1n) !== number >> 255n) x = mod(Q - x);
  const point = [x, y, 1n, mod(x * y)];
  return isZero(point) || !isZero(times(point, ORDER)) ? null : point;
}

const BASE = decoded(unhex("5866666666666666666666666666666666666666666666666666666666666666"));
const M = decoded(unhex("15cfd18e385952982b6a8f8c7854963b58e34388c8e6dae891db756481a02312"));
const N = decoded(unhex("f04f2e7eb734b2a8f8b472eaf9c3c632576ac64aea650b496a8a20ff00e583c3"));

// One run with this password. `element` is sent; `key` gives the key after the board's element.
async function exchange(password) {
  const material = await crypto.subtle.importKey("raw", password, "HKDF", false, ["deriveBits"]);
  const bits = await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: utf8("SPAKE2 pw") }, material, 384);
  const scalar = mod(BigInt(`0x${hex(new Uint8Array(bits))}`), ORDER), own = mod(BigInt(`0x${hex(chance(64))}`), ORDER);
  const sent = encoded(add(times(BASE, own), times(N, scalar)));
  return {
    element: joined(utf8("B"), sent),
    async key(element) {
      const point = element[0] === 65 ? decoded(element.slice(1)) : null;
      if (!point) return null;
      const shared = encoded(times(add(point, times(M, ORDER - scalar)), own));
      return sha256(await sha256(password), await sha256(utf8("spotter shows")), await sha256(utf8("spotter reads")), element.slice(1), sent, shared);
    },
  };
}

// ChaCha20-Poly1305 (RFC 8439), which browsers do not have.
const numbers = (bytes) => { const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length); return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true)); };
const turned = (n, by) => (n << by) | (n >>> (32 - by));

function block(key, nonce, counter) {
  const begin = Uint32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, ...numbers(key), counter, ...numbers(nonce)), s = begin.slice();
  const quarter = (a, b, c, d) => {
    s[a] += s[b]; s[d] = turned(s[d] ^ s[a], 16); s[c] += s[d]; s[b] = turned(s[b] ^ s[c], 12);
    s[a] += s[b]; s[d] = turned(s[d] ^ s[a], 8); s[c] += s[d]; s[b] = turned(s[b] ^ s[c], 7);
  };
  for (let round = 0; round < 10; round += 1) {
    for (let i = 0; i < 4; i += 1) quarter(i, i + 4, i + 8, i + 12);
    for (let i = 0; i < 4; i += 1) quarter(i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4));
  }
  const made = new Uint8Array(64), view = new DataView(made.buffer);
  s.forEach((one, i) => view.setUint32(4 * i, (one + begin[i]) >>> 0, true));
  return made;
}

function ciphered(key, nonce, bytes) {
  const made = bytes.slice();
  for (let at = 0; at < made.length; at += 64) {
    const stream = block(key, nonce, 1 + at / 64);
    for (let i = at; i < Math.min(at + 64, made.length); i += 1) made[i] ^= stream[i - at];
  }
  return made;
}

const little = (bytes) => bytes.reduceRight((n, one) => (n << 8n) | BigInt(one), 0n);
const filled = (bytes) => joined(bytes, new Uint8Array(-bytes.length & 15));

function tag(key, nonce, associated, sealed) {
  const once = block(key, nonce, 0), lengths = new Uint8Array(16), view = new DataView(lengths.buffer), prime = 2n ** 130n - 5n;
  view.setUint32(0, associated.length, true); view.setUint32(8, sealed.length, true);
  const r = little(once.slice(0, 16)) & 0x0ffffffc0ffffffc0ffffffc0fffffffn, all = joined(filled(associated), filled(sealed), lengths);
  let sum = 0n;
  for (let at = 0; at < all.length; at += 16) sum = ((sum + little(all.slice(at, at + 16)) + 2n ** 128n) * r) % prime;
  sum += little(once.slice(16, 32));
  return Uint8Array.from({ length: 16 }, (_, i) => Number((sum >> BigInt(8 * i)) & 255n));
}

// Envelopes as linked/meeting.py of the board has them.
const BLOCK = 256, NONCE = 12, TAG = 16, NONCES = 4096;

class Envelopes {
  constructor({ room, own, far }) { this.room = utf8(room); this.own = unhex(own); this.far = unhex(far); this.seen = new Set(); }

  seal(content) {
    const length = new Uint8Array(4), nonce = chance(NONCE);
    new DataView(length.buffer).setUint32(0, content.length);
    const size = Math.ceil((4 + content.length) / BLOCK) * BLOCK;
    const padded = joined(length, content, new Uint8Array(size - 4 - content.length)), sealed = ciphered(this.own, nonce, padded);
    return joined(nonce, sealed, tag(this.own, nonce, this.room, sealed));
  }

  open(envelope) {
    const size = envelope.length - NONCE - TAG, nonce = envelope.slice(0, NONCE), name = hex(nonce);
    if (size <= 0 || size % BLOCK || this.seen.has(name)) return null;
    const sealed = envelope.slice(NONCE, -TAG);
    if (!same(tag(this.far, nonce, this.room, sealed), envelope.slice(-TAG))) return null;
    this.seen.add(name);
    if (this.seen.size > NONCES) this.seen.delete(this.seen.values().next().value);
    const padded = ciphered(this.far, nonce, sealed), length = new DataView(padded.buffer).getUint32(0);
    return padded.slice(4, 4 + length);
  }
}

// The broker: MQTT 3.1.1 over the WebSocket of the address that this page came from, at QoS 0.
const KEEP_S = 60;
const broker = document.documentElement.dataset.broker || `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/`;
const sized = (bytes) => joined(Uint8Array.of(bytes.length >> 8, bytes.length & 255), bytes);

function packet(first, body) {
  const length = [];
  for (let rest = body.length; length.length === 0 || rest > 0; rest >>= 7) length.push((rest & 127) | (rest > 127 ? 128 : 0));
  return joined(Uint8Array.of(first, ...length), body);
}

class Broker {
  constructor(topics, { up, hear, down }) {
    const socket = new WebSocket(broker, "mqtt"), hello = joined(sized(utf8("MQTT")), Uint8Array.of(4, 2, 0, KEEP_S), sized(utf8(`guest-${hex(chance(8))}`)));
    let rest = new Uint8Array(), heard = false;
    // If nothing came since the last beat, the line is dead; a browser notices that only after minutes.
    const beat = setInterval(() => {
      if (heard) socket.send(packet(0xc0, new Uint8Array())); else socket.close();
      heard = false;
    }, KEEP_S * 500);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => socket.send(packet(0x10, hello));
    socket.onclose = () => { clearInterval(beat); down(); };
    socket.onmessage = ({ data }) => {
      heard = true;
      rest = joined(rest, new Uint8Array(data));
      for (let one = this.taken(rest); one; one = this.taken(rest)) {
        rest = one.rest;
        if (one.kind === 2) socket.send(packet(0x82, joined(Uint8Array.of(0, 1), ...topics.map((topic) => joined(sized(utf8(topic)), Uint8Array.of(0))))));
        if (one.kind === 9) up();
        if (one.kind === 3) { const size = (one.body[0] << 8) | one.body[1]; hear(text(one.body.slice(2, 2 + size)), one.body.slice(2 + size)); }
      }
    };
    this.socket = socket;
  }

  // The first whole packet and what follows it.
  taken(bytes) {
    let length = 0, at = 1;
    for (let shift = 0; ; shift += 7, at += 1) {
      if (at >= bytes.length) return null;
      length |= (bytes[at] & 127) << shift;
      if (bytes[at] < 128) break;
    }
    at += 1;
    return at + length > bytes.length ? null : { kind: bytes[0] >> 4, body: bytes.slice(at, at + length), rest: bytes.slice(at + length) };
  }

  send(topic, message) { if (this.socket.readyState === WebSocket.OPEN) this.socket.send(packet(0x30, joined(sized(utf8(topic)), message))); }
  close() { this.socket.close(); }
}

// The code: a number, which says where to meet, and three words, which are never sent.
function readCode(typed) {
  const [number, ...three] = typed.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);
  if (!/^\d{1,4}$/.test(number ?? "") || three.length !== 3) return null;
  const whole = three.map((part) => codeWords.includes(part) ? [part] : codeWords.filter((word) => word.startsWith(part)));
  return whole.every((found) => found.length === 1) ? { number: Number(number), password: `${Number(number)} ${whole.flat().join(" ")}` } : null;
}

const AGAIN_MS = 2000, NOBODY_MS = 20_000, ELEMENT = 33, PROOF = 32;
const proofOf = (key, role, shows, reads) => hmac(key, joined(utf8(`spotter meeting 2\n${role}\n`), shows, utf8("\n"), reads));

// Meet the board that shows the code. Resolves to the pact; rejects with the word that says why not.
function meet(code) {
  return new Promise((done, fail) => {
    const topic = (role) => `spotter/2/meet/${code.number}/${role}`;
    let run = null, sending = 0, late = 0, answered = false, line = null;
    const end = (ending, value) => { clearInterval(sending); clearTimeout(late); setTimeout(() => line.close(), AGAIN_MS); ending(value); };
    const up = async () => {
      run = await exchange(utf8(code.password));
      const say = () => line.send(topic("b"), run.element);
      say();
      sending = setInterval(say, AGAIN_MS);
      late = setTimeout(() => end(fail, "nobody"), NOBODY_MS);
    };
    const hear = async (_, answer) => {
      if (answered || !run || answer.length !== ELEMENT + PROOF) return;
      const element = answer.slice(0, ELEMENT), key = await run.key(element);
      if (!key || answered) return;
      answered = true;
      if (!same(await proofOf(key, "a", element, run.element), answer.slice(ELEMENT))) {
        line.send(topic("b"), new Uint8Array(PROOF));
        end(fail, "wrong_code");
        return;
      }
      const extracted = await hmac(utf8("spotter pact 2"), key), derived = (what) => hmac(extracted, joined(utf8(what), Uint8Array.of(1)));
      const pact = { room: hex((await derived("room")).slice(0, 16)), own: hex(await derived("key b")), far: hex(await derived("key a")), seed: hex(chance(32)) };
      remember("pact", pact);  // before the proof leaves
      const proof = await proofOf(key, "b", element, run.element);
      for (const after of [0, AGAIN_MS / 2]) setTimeout(() => line.send(topic("b"), proof), after);
      end(done, pact);
    };
    line = new Broker([topic("a")], { up, hear, down: () => { if (!answered) end(fail, "lost"); } });
  });
}

// The dice. Each roll comes of two numbers, one of the board and one of this page, as linked/talk.py of
// the board says. Both sides commit to theirs by SHA-256 before they see the other's. This page draws
// its seed when it meets the board. It gives the number of a roll only when it has the board's commitment
// and has checked every roll before, and computes the dice. All is kept, so that a page can be loaded again.
const AT_ONCE = 16, LINKS = 20, FARTHEST = 64;
const said = (...all) => utf8(["spotter dice 1", ...all].join("\n"));
const commitment = async (link, side, roll, number) => hex(await sha256(said("commit", link, side, roll, number)));

async function faces(link, roll, white, black, count) {
  const made = [];
  for (let i = 0; made.length < count; i += 1) for (const one of await sha256(said("dice", link, roll, white, black, i))) if (one < 252) made.push(1 + (one % 6));
  return made.slice(0, count);
}

class Dice {
  constructor() { this.links = recall("dice") ?? {}; this.cheated = ""; }

  // Those of this link, with what other tabs have kept of it. All tabs have the seed of the pact: the board
  // gets one number for a roll, and a tab knows the commitment that another one was told.
  of({ link, side }) {
    const kept = recall("dice") ?? {}, other = kept[link] ?? { far: {}, done: 0 };
    const own = this.links[link] ?? kept[link] ?? { seed: pact.seed ?? hex(chance(32)), side, far: {}, done: 0 };
    if (other.done > own.done) Object.assign(own, { done: other.done, last: other.last });
    for (const [roll, hash] of Object.entries(other.far)) if (roll >= own.done && (own.far[roll] ??= hash) !== hash) this.cheated = `${Number(roll) + 1}`;
    for (const roll of Object.keys(own.far)) if (roll < own.done) delete own.far[roll];
    this.links = { ...this.links, ...kept, [link]: own };
    for (const oldest of Object.keys(this.links).filter((one) => one !== link).slice(0, -LINKS)) delete this.links[oldest];
    return own;
  }

  async number(link, kept, roll) { return hex(await hmac(unhex(kept.seed), said(link, kept.side, roll))); }

  // Read what the board says of the dice. Return the answer.
  async answer(news) {
    const kept = this.of(news), { link } = news, answer = { link };
    if (kept.side !== news.side) this.cheated = "side";
    news.far.forEach((hash, i) => {
      const roll = news.first + i;
      if (roll >= kept.done && roll < kept.done + FARTHEST && (kept.far[roll] ??= hash) !== hash) this.cheated = `${roll + 1}`;
    });
    for (const rolled of news.rolled) await this.check(link, kept, rolled);
    answer.done = kept.done;
    if (news.hashes !== null) {
      answer.first = news.hashes;
      answer.hashes = await Promise.all(Array.from({ length: AT_ONCE }, async (_, i) => commitment(link, kept.side, news.hashes + i, await this.number(link, kept, news.hashes + i))));
    }
    if (news.number !== null && news.number <= kept.done && (kept.far[news.number] || news.number < kept.done)) {
      answer.roll = news.number;
      answer.number = await this.number(link, kept, news.number);
    }
    remember("dice", this.links);
    return this.cheated ? null : answer;
  }

  async check(link, kept, [roll, number, dice]) {
    if (roll !== kept.done) return;
    const other = kept.side === "white" ? "black" : "white", own = await this.number(link, kept, roll);
    const [white, black] = kept.side === "white" ? [own, number] : [number, own];
    const fair = (await faces(link, roll, white, black, dice.length)).sort();
    if (await commitment(link, other, roll, number) !== kept.far[roll] || !dice.length || fair.join() !== [...dice].sort().join()) { this.cheated = `${roll + 1}`; return; }
    delete kept.far[roll];
    kept.done = roll + 1;
    kept.last = fair.reverse();
  }
}

// One for all rooms of this page: what is kept may be older, or nothing, if the browser's storage is
// full or closed, and the board must not be able to ask for a number twice by closing the room.
const dice = new Dice();

// The room: greetings until both boards know that they have met, then pages. In the place of phone.js's
// socket: it has the same members.
const RUN = 8, PAGE = 119, GREETING = 103;

async function inflated(bytes) { return text(new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer())); }

class Room {
  // All rooms read one message after the other: a closed one may still be checking a roll that the next
  // one is told again.
  static queue = Promise.resolve();
  readyState = WebSocket.CONNECTING;

  constructor(pact, name) {
    this.envelopes = new Envelopes(pact);
    this.run = chance(RUN);
    this.name = name;
    this.ticket = new Uint8Array(8);
    this.greeted = false;
    this.topic = `spotter/2/room/${pact.room}/b`;
    this.line = new Broker([`spotter/2/room/${pact.room}/a`], {
      up: () => { this.greet(); this.greeting = setInterval(() => this.greet(), AGAIN_MS); },
      hear: (_, envelope) => { Room.queue = Room.queue.then(() => this.hear(envelope)).catch((error) => console.warn(error)); },
      down: () => this.end(),
    });
  }

  greet() { this.line.send(this.topic, this.envelopes.seal(joined(utf8(this.greeted ? "g1" : "g0"), this.run, utf8(this.name)))); }
  send(message) { this.line.send(this.topic, this.envelopes.seal(joined(Uint8Array.of(PAGE), this.ticket, utf8(message)))); }
  close() { this.line.close(); }

  end() {
    clearInterval(this.greeting);
    this.readyState = WebSocket.CLOSED;
    this.onclose?.({ code: 1006 });
  }

  async hear(envelope) {
    const content = this.readyState === WebSocket.CLOSED ? null : this.envelopes.open(envelope);
    if (!content) return;
    if (content[0] === GREETING && !this.greeted) {
      this.greeted = true;
      clearInterval(this.greeting);
      this.greet();
      this.readyState = WebSocket.OPEN;
      this.onopen?.();
    }
    if (content[0] !== PAGE) return;
    const news = await inflated(content.slice(1)), { dice: told, anew, ticket } = JSON.parse(news);
    if (anew) { this.close(); return; }
    if (ticket) this.ticket = unhex(ticket);
    if (told) await this.roll(told);
    if (!dice.cheated) this.onmessage?.({ data: news });
  }

  async roll(news) {
    const answer = await dice.answer(news);
    if (answer) this.send(JSON.stringify({ t: "dice", ...answer }));
    const { done, last } = dice.of(news);
    const checked = last ? words.checked.replace("{roll}", done).replace("{dice}", last.join("-")) : "";
    const told = dice.cheated ? words.cheated.replace("{roll}", dice.cheated) : checked;
    if ($("dice").textContent !== told) $("dice").textContent = told;
    document.body.classList.toggle("cheated", Boolean(dice.cheated));
  }
}

// Joining
let waiting = null;

function begin(pact) { waiting?.(pact); waiting = null; }

async function join(typed, name) {
  const code = readCode(typed);
  if (!code) return "no_code";
  remember("name", name);
  $("join-said").textContent = words.meeting;
  try { begin(await meet(code)); return ""; } catch (why) { if (typeof why !== "string") throw why; return why; }
}

$("join-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  $("join-go").disabled = true;
  const why = await join($("join-code").value, $("join-name").value.trim());
  $("join-go").disabled = false;
  $("join-said").textContent = why ? words[why] : "";
  if (why) return;
  dice.cheated = "";  // that was another board
  history.replaceState(null, "", location.pathname + location.search);
  $("join").close();
  $("screen").focus();
});
$("join").addEventListener("cancel", (event) => event.preventDefault());

function ask(code) {
  $("join-code").value = code;
  $("join-name").value = recall("name") ?? "";
  if (!crypto.subtle) { $("join-said").textContent = words.insecure; $("join-go").disabled = true; }
  $("join").showModal();
}

// The code stands behind the # of the address, which no server is ever sent. It works once, and goes then.
const given = location.hash.slice(1).replaceAll("-", " ");
let pact = given ? null : recall("pact");
window.addEventListener("hashchange", () => location.reload());

$("again").addEventListener("click", () => { $("looks").close(); pact = null; window.spotterLine.present?.close(); ask(""); });

window.spotterLine = () => {
  const line = { readyState: WebSocket.CONNECTING, close() { this.room?.close(); }, send(message) { this.room?.send(message); } };
  const enter = (met) => {
    pact = met;
    const room = new Room(met, recall("name") ?? "");
    line.room = room;
    room.onopen = () => { line.readyState = WebSocket.OPEN; line.onopen(); };
    room.onmessage = (event) => line.onmessage(event);
    room.onclose = (event) => { line.readyState = WebSocket.CLOSED; line.onclose(event); };
  };
  waiting = enter;
  window.spotterLine.present = line;
  if (pact) begin(pact);
  return line;
};
if (!pact) ask(given);
