// Two games on the same deal, stepped through together. Each is a film (film.js); a step is a pair of plies, which are
// equal up to the first difference. Without this script every control is a link.

import { Film, build, change, fetched, lead, turned, viewOf } from "./film.js";

const root = document.querySelector("#beside");
if (root) start(root);

function start(root) {
  const one = (selector) => root.querySelector(selector);
  const all = (selector) => [...root.querySelectorAll(selector)];
  const data = root.dataset;
  const last = Number(data.last);
  const parting = data.parting === "" ? null : Number(data.parting);
  const after = JSON.parse(data.after); // pairs of plies
  const stops = JSON.parse(data.stops);
  const films = JSON.parse(data.films).map((each) => JSON.parse(each)); // by view: the address, then a promise
  const sides = all(".side");
  const state = { step: Number(data.step), view: data.view, shown: [], wanted: 0 };

  /** The plies of a step. */
  function plies(step) {
    return parting === null || step <= parting ? [step, step] : after[step - parting - 1];
  }

  function words(step) {
    if (parting === null) return "Both games are the same, card for card.";
    if (step < parting) return "The same in both games so far.";
    return step === parting ? "The first difference." : "After the first difference, by trick.";
  }

  function address(step, view) {
    const query = new URLSearchParams({ step });
    if (view !== "table") query.set("view", view);
    return `${data.base}&${query}`;
  }

  function load(view) {
    return Promise.all(films.map((each) => {
      if (typeof each[view] === "string") each[view] = fetched(each[view]).then((found) => new Film(found));
      return each[view];
    }));
  }

  async function show(step, view = state.view) {
    step = Math.min(Math.max(step, 0), last);
    const wanted = ++state.wanted;
    let both;
    try {
      both = await load(view);
    } catch {
      location.assign(address(step, view)); // the plain page says what is wrong
      return;
    }
    if (wanted !== state.wanted) return;
    const at = plies(step);
    both.forEach((film, side) => draw(side, film, at[side]));
    if (view !== state.view) data.rotate = turned(view, Number(data.seats));
    Object.assign(state, { step, view });
    Object.assign(data, { step, view });
    one("#state").textContent = words(step);
    one("#state").classList.toggle("parts", step === parting);
    const scrub = one("#scrub");
    scrub.value = step;
    scrub.setAttribute("aria-valuetext", `${both[0].text("where", at[0])}: ${words(step)}`);
    links(step, view);
    history.replaceState(null, "", address(step, view));
  }

  function draw(side, film, ply) {
    const section = sides[side];
    const before = state.shown[side];
    for (const part of ["where", "caption", "position"]) {
      const element = section.querySelector(`.${part}`);
      const tree = film.tree(part, ply);
      if (before?.film === film) change(element, film.tree(part, before.ply), tree);
      else element.replaceChildren(...tree.children.map((child) => build(child)));
    }
    state.shown[side] = { film, ply };
    const link = section.querySelector("[data-side]");
    const url = new URL(link.href);
    url.searchParams.set("ply", ply);
    link.href = url;
  }

  /** The step to which a control leads from another; null where it leads nowhere. */
  function target(name, step) {
    if (name === "parting") return parting;
    if (name === "first") return step ? 0 : null;
    if (name === "last") return step < last ? last : null;
    const [way, kind] = name.split("-");
    if (kind === "card") return way === "next" ? (step < last ? step + 1 : null) : step > 0 ? step - 1 : null;
    const found = stops[kind];
    return (way === "next" ? found.find((each) => each > step) : found.findLast((each) => each < step)) ?? null;
  }

  function links(step, view) {
    for (const control of all("[data-nav]")) {
      const there = target(control.dataset.nav, step);
      lead(control, there === null ? null : address(there, view));
    }
    for (const each of all("[data-view]")) {
      if (each === root) continue;
      each.href = address(step, each.dataset.view);
      if (each.dataset.view === view) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
    }
  }

  function go(name) {
    const there = target(name, state.step);
    if (there !== null) show(there);
  }

  const KEYS = {
    ArrowLeft: () => go("prev-card"), j: () => go("prev-card"),
    ArrowRight: () => go("next-card"), l: () => go("next-card"),
    ArrowUp: () => go("prev-trick"), ArrowDown: () => go("next-trick"),
    "[": () => go("prev-round"), "]": () => go("next-round"),
    Home: () => go("first"), End: () => go("last"), d: () => go("parting"),
    f: () => (data.rotate = (Number(data.rotate) + 1) % Number(data.seats)),
  };

  /** Readers who switched the keys off for replays want none here either. */
  function keysAreOff() {
    try {
      return JSON.parse(localStorage.getItem("kibitz.replay"))?.keys === false;
    } catch {
      return false;
    }
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || keysAreOff()) return;
    if (event.target.closest("input, select, textarea, [contenteditable]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const view = viewOf(key);
    const action = view && one(`.views [data-view="${view}"]`) ? () => show(state.step, view) : KEYS[key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  root.addEventListener("click", (event) => {
    const control = event.target.closest("[data-nav][href], .views [data-view]");
    if (!control || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    if (control.dataset.nav) go(control.dataset.nav);
    else show(state.step, control.dataset.view);
  });

  one("#scrub").addEventListener("input", (event) => show(Number(event.target.value)));
  one(".scrub").hidden = false;
  one(".keys-hint").hidden = false;
  root.classList.add("ready");
  load(state.view).catch(() => {});
}
