// A kept match step by step: buttons, a slider, and the arrows of the keyboard.
import { describe, fillMiddle, fillSide, showPicture, tick } from "./board.js";

const STEP_MS = 1500;

export async function openReplay(card, name, match, words, asked) {
  const query = asked.has("lang") ? "?lang=" + encodeURIComponent(asked.get("lang")) : "";
  const answer = await fetch(`/steps/${encodeURIComponent(name)}/${encodeURIComponent(match)}${query}`);
  if (!answer.ok) throw new Error("no replay");
  const told = await answer.json(), last = told.steps.length - 1;
  const panel = card.querySelector(".steps"), slider = panel.querySelector("input");
  let at = Math.min(Math.max(Number(asked.get("step")) || 0, 0), last), running = 0;
  slider.max = last;
  slider.setAttribute("aria-label", words.step);
  card.querySelector("img").alt = describe({ board: name, players: told.players }, words);
  panel.hidden = false;

  const show = (to) => {
    at = Math.min(Math.max(to, 0), last);
    const step = told.steps[at];
    slider.value = at;
    card.dataset.step = at;
    card.querySelector(".match").textContent = `${told.game} · ${told.match}`;
    card.querySelector(".says").textContent = step.told;
    card.querySelector(".which").textContent = `${at + 1} / ${last + 1}`;
    for (const side of ["white", "black"]) fillSide(card, side, { ...step, players: told.players });
    fillMiddle(card, step.cube);
    tick(card, { clock: step.clock, since: null });
    showPicture(card.querySelector("img"), step.picture);
    if (at < last) new Image().src = pictureOf(told.steps[at + 1].picture);
  };
  const pictureOf = (picture) =>
    `/picture/${picture}/${document.documentElement.dataset.theme}/${document.documentElement.lang}`;
  const halt = () => { clearInterval(running); running = 0; label(); };
  const run = () => {
    if (running) return halt();
    running = setInterval(() => { if (at < last) show(at + 1); else halt(); }, STEP_MS);
    label();
  };
  const ways = { first: () => show(0), before: () => show(at - 1), run, after: () => show(at + 1), last: () => show(last) };
  const label = () => {
    for (const button of panel.querySelectorAll("button")) {
      const way = button.dataset.go;
      const means = way === "run" ? (running ? words.pause : words.play) : words[way];
      button.title = means;
      button.setAttribute("aria-label", means);
      if (way === "run") button.textContent = running ? "❚❚" : "▶▶";
    }
  };
  for (const button of panel.querySelectorAll("button")) {
    button.onclick = () => { if (button.dataset.go !== "run") halt(); ways[button.dataset.go](); };
  }
  slider.oninput = () => { halt(); show(Number(slider.value)); };
  addEventListener("keydown", (event) => {
    const way = { ArrowLeft: "before", ArrowRight: "after", Home: "first", End: "last", " ": "run" }[event.key];
    if (!way || event.target === slider) return;
    event.preventDefault();
    ways[way]();
  });
  label();
  show(at);
}
