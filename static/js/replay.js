// The replay, stepped through without asking the server again. The server has drawn every position: this script fetches
// them all as one film (film.js) and shows one after the other. Without it every control is a link. It starts as soon as
// the table and the moves are there; what follows on the page may still be on its way. replay_more.js is the rest.

import { Fetching, build, change, lead, turned, viewOf } from "./film.js";

const KEPT = "kibitz.replay"; // what readers chose, kept in this browser
const SPEEDS = ["0.25", "0.5", "1", "2", "4", "16", "thought"];
const BEAT = 900; // milliseconds for a step at speed 1
const SELDOM = ["copy", "copytext", "copysent", "embed", "verify"]; // buttons for which replay_more.js is needed
const LONGEST = 3000; // of a thought, played "as thought"

const root = document.querySelector("#replay");
const { running } = root?.dataset.live ? await import("./running.js") : {};
if (root) start(root);

function start(root) {
  const one = (selector) => root.querySelector(selector);
  const all = (selector) => [...root.querySelectorAll(selector)];
  const act = (name) => one(`[data-act="${name}"]`);
  const data = root.dataset;
  const base = data.base;
  let last = Number(data.last);
  let firsts = data.rounds.split(",").map(Number);
  const films = {}; // by view
  const unmade = JSON.parse(data.new ?? "[]");
  for (const [view, address] of Object.entries(JSON.parse(data.film ?? "{}"))) {
    films[view] = new Fetching(address, unmade.includes(view));
  }
  const ending = new AbortController(); // of this page, where another replay takes its place
  const live = data.live && running({ // a game in progress
    root, one, show, grown, address,
    view: () => state.view,
    ply: () => state.ply,
    game: (number) => base.replace(/\d+\/$/, `${number}/`),
    start: (fresh) => { ending.abort(); start(fresh); },
  });
  const state = { ply: Number(data.ply), view: data.view, film: null, timer: 0, run: 0, runs: 0, wanted: 0, steps: [] };
  state.told = state.view; // whose view of what decided the game is on the page
  let rest = null; // replay_more.js, once it is here
  const kept = { speed: "1", colours: false, keys: true, foresight: false, ...read() };

  function read() {
    try {
      return JSON.parse(localStorage.getItem(KEPT)) ?? {};
    } catch {
      return {};
    }
  }

  function keep(changes) {
    Object.assign(kept, changes);
    try {
      localStorage.setItem(KEPT, JSON.stringify(kept));
    } catch {
      // a browser without storage forgets, nothing else
    }
  }

  const roundOf = (ply) => firsts.findLastIndex((first) => first <= ply) + 1;

  function address(ply, view) {
    const query = new URLSearchParams({ ply });
    if (view !== "table") query.set("view", view);
    return `${base}?${query}`;
  }

  // Positions -----------------------------------------------------------------------------------------------------------

  /** A film of a view that shows a ply, or a promise of one. */
  function load(view, ply) {
    if (live) return (films[view] ??= follow(view));
    return films[view]?.film(roundOf(ply)) ?? Promise.reject(new Error("there is no such view"));
  }

  /** The film of a game in progress; only that of the view that is shown grows. */
  function follow(view) {
    for (const each of Object.keys(films)) delete films[each];
    return live.load(view).then((film) => (films[view] = film));
  }

  /** The film of a game in progress has grown. */
  function grown(film) {
    last = film.length - 1;
    firsts = film.rounds;
    if (Object.keys(films).length) films[Object.keys(films)[0]] = film;
    one("#scrub").max = last;
    one(".ticks").setAttribute("viewBox", `0 0 ${Math.max(1, last)} 8`);
    tick("deals", firsts);
    tick("errors", film.stops.fault);
  }

  async function show(ply, { view = state.view } = {}) {
    ply = Math.min(Math.max(ply, 0), last);
    const wanted = ++state.wanted;
    let film = load(view, ply);
    try {
      if (film instanceof Promise) film = await film;
    } catch {
      location.assign(address(ply, view)); // the plain page says what is wrong
      return false;
    }
    if (wanted !== state.wanted) return false; // somebody was faster
    if (live?.isLive()) ply = last; // which may have come with the film
    draw(film, ply, view);
    return true;
  }

  function draw(film, ply, view) {
    const round = roundOf(ply);
    const focus = document.activeElement?.closest?.("#decision [data-nav], #decision summary");
    const back = focus && (focus.dataset.nav ? `#decision [data-nav="${focus.dataset.nav}"]` : "#decision summary");
    const sent = one("#decision details[data-keep]");
    if (sent) state.open = sent.open; // its event may come after the key that brought us here
    for (const part of ["where", "caption", "position", "decision"]) put(part, film, ply);
    const moves = film.tree("moves", live ? (firsts[round] ?? last + 1) - 1 : ply);
    if (film !== state.film || round !== state.round || moves !== state.moves) {
      list(moves, firsts[round - 1], film === state.film && round === state.round ? state.moves : null);
      ticks(film, round);
      Object.assign(state, { round, moves });
    }
    if (view !== state.view) data.rotate = turned(view, Number(data.seats));
    Object.assign(state, { film, ply, view });
    Object.assign(data, { ply, view });
    const scrub = one("#scrub");
    scrub.value = ply;
    scrub.setAttribute("aria-valuetext", `${film.text("where", ply)}: ${film.text("caption", ply)}`);
    link(film, ply, view);
    mark(ply, round, view);
    fill();
    if (one(".chart")) use("cursor", ply, round);
    if (view !== state.told && one(".swings")) use("decided");
    if (back && !root.contains(focus)) one(back)?.focus();
    history.replaceState(null, "", live?.isLive() ? (view === data.first ? base : `${base}?view=${view}`) : address(ply, view));
  }

  function put(part, film, ply) {
    const element = one(`#${part}`);
    const after = film.tree(part, ply);
    if (film === state.film) change(element, film.tree(part, state.ply), after);
    else element.replaceChildren(...after.children.map((child) => build(child)));
  }

  /** The list of moves of a round. In a film its plies count from the first one of the round. `before`: what is shown
   * of the same round, of which only the lines are replaced that have changed. */
  function list(tree, first, before) {
    const finish = (name, value) => (name === "data-ply" || name === "data-heard" ? `${first + Number(value)}` : value);
    const [fresh, old] = [tree, before].map((each) => each?.children.find((child) => child.tag === "ol"));
    const shown = one("#moves > ol");
    if (!fresh || !old || shown?.childNodes.length !== old.children.length) {
      return one("#moves").replaceChildren(...tree.children.map((child) => build(child, finish)));
    }
    fresh.children.forEach((child, at) => {
      if (child === old.children[at]) return;
      const node = build(child, finish);
      if (shown.childNodes[at]) shown.childNodes[at].replaceWith(node);
      else shown.append(node);
    });
    while (shown.childNodes.length > fresh.children.length) shown.lastChild.remove();
  }

  /** The ply to which a control leads from another; null where it leads nowhere. */
  function target(film, name, ply) {
    const opening = film.stops.round[0];
    if (name === "first") return ply === opening ? null : opening;
    if (name === "last") return ply < last ? last : null;
    if (name === "coming") return film.decisions.find((each) => each > ply) ?? null;
    const [way, kind] = name.split("-");
    if (kind === "card") return way === "next" ? (ply < last ? ply + 1 : null) : ply > 0 ? ply - 1 : null;
    const stops = film.stops[kind];
    return (way === "next" ? stops.find((each) => each > ply) : stops.findLast((each) => each < ply)) ?? null;
  }

  /** On the slider the tricks: those of the game if there is room for them, otherwise those of the round. */
  function ticks(film, round) {
    const tricks = film.stops.trick;
    const many = tricks.length > 150;
    const [first, end] = many ? [firsts[round - 1], firsts[round] ?? last + 1] : [0, last + 1];
    const shown = tricks.filter((ply) => ply >= first && ply < end);
    tick("tricks", shown, 4);
  }

  function tick(kind, plies, height = 8) {
    one(`.ticks .${kind}`).setAttribute("d", plies.map((ply) => `M${ply} 0v${height}`).join(""));
  }

  function link(film, ply, view) {
    for (const control of all("[data-nav]")) {
      const there = target(film, control.dataset.nav, ply);
      lead(control, there === null ? null : address(there, view));
    }
  }

  // What is fetched apart: what the bot was sent, as soon as somebody wants to read it, and what it wrote. ---------------------

  function fill() {
    const details = one("#decision details[data-keep]");
    if (details && details.open !== Boolean(state.open)) details.open = Boolean(state.open);
    if (details?.open) use("fillAsked");
    if (data.debug) use("fillDebug");
  }

  root.addEventListener("toggle", (event) => {
    if (!event.target.matches("#decision details[data-keep]")) return;
    state.open = event.target.open;
    if (state.open && state.film) use("fillAsked");
  }, true);

  function mark(ply, round, view) {
    for (const each of all("#moves a")) {
      current(each, Number(each.dataset.ply) === ply, "step");
      each.classList.toggle("later", Number(each.dataset.ply) > ply);
      if (each.dataset.heard) each.classList.toggle("unheard", Number(each.dataset.heard) > ply);
    }
    for (const each of all("[data-round]")) current(each, Number(each.dataset.round) === round, "true");
    for (const each of all(".views [data-view]")) {
      current(each, each.dataset.view === view, "true");
      each.href = address(ply, each.dataset.view);
    }
    for (const each of all(".rounds a[data-ply], .swings a[data-ply], .thinking a[data-ply], .notes a[data-ply], #moves a[data-ply]")) {
      each.setAttribute("href", address(each.dataset.ply, view));
    }
    for (const each of all(".notes a[data-ply]")) current(each, Number(each.dataset.ply) === ply, "true");
    for (const field of all("form [name=ply]")) field.value = ply; // notes, and a bot from here
  }

  /** The rest of the page has come: it may show an older position. */
  function follows() {
    if (!state.film) return;
    draw(state.film, state.ply, state.view);
  }

  function current(element, yes, value) {
    if (yes) element.setAttribute("aria-current", value);
    else element.removeAttribute("aria-current");
  }

  // Playing ---------------------------------------------------------------------------------------------------------------

  function pause() {
    if (!state.run) return;
    clearTimeout(state.timer);
    state.run = 0;
    button(false);
    one("#caption").setAttribute("aria-live", live?.isLive() ? "off" : "polite");
  }

  function play() {
    if (state.run) return pause();
    button(true);
    live?.leave(-1);
    state.steps = [];
    one("#caption").setAttribute("aria-live", "off"); // a voice cannot keep up
    state.run = ++state.runs;
    beat(state.run, state.ply >= last ? 0 : state.ply);
  }

  /** One step of a run. While it waits for the server somebody may pause, and play again: that is another run. */
  async function beat(run, from) {
    const shown = (from === state.ply && state.film) || (await show(from));
    if (run !== state.run) return;
    if (shown && live && state.ply >= last) {
      pause();
      return live.goLive();
    }
    if (!shown || state.ply >= last) return pause();
    state.timer = setTimeout(async () => {
      if (!(await show(state.ply + 1)) || run !== state.run) return;
      if (state.film.stops.fault.includes(state.ply)) return pause();
      beat(run, state.ply);
    }, pace(state.ply + 1));
  }

  function pace(next) {
    if (kept.speed !== "thought") return BEAT / Number(kept.speed);
    return Math.min(Math.max(state.film.decisions.includes(next) ? state.film.thought(next) : 400, 60), LONGEST);
  }

  function button(playing) {
    const control = act("play");
    control.setAttribute("aria-label", playing ? "Pause" : "Play");
    control.querySelector("use").setAttribute("href", playing ? "#i-pause" : "#i-play");
  }

  /** What replay_more.js can do, or a promise of it. */
  function seldom() {
    rest ??= import("./replay_more.js").then(({ more }) => (rest = more({
      root, one, all, act, data, state, address, pause, say,
      whole: (view) => Promise.resolve(live ? load(view) : films[view].whole()),
      last: () => last,
      firsts: () => firsts,
    })), () => (rest = null));
    return rest;
  }

  async function use(name, ...values) {
    const found = seldom();
    const can = found instanceof Promise ? await found : found; // at once where it is here: a browser asks for a click
    if (can) can[name](...values);
    else say("The server did not answer. Try again in a minute.");
  }

  function say(words) {
    one("#said").textContent = words;
  }

  // What readers do ---------------------------------------------------------------------------------------------------------

  function go(ply, options) {
    pause();
    live?.leave(ply, ply >= last);
    state.steps = []; // those that still wait are no longer meant
    show(ply, options);
  }

  /** Each step counts from the one before it, also while the film is still loading. */
  async function step(name) {
    const steps = state.steps;
    if (steps.push(name) > 1) return;
    for (; steps.length; steps.shift()) {
      const film = await Promise.resolve(load(state.view, state.ply)).catch(() => null);
      if (steps !== state.steps) return;
      const control = one(`[data-nav="${steps[0]}"][href]`); // the plain page knows the way as well
      const there = film ? target(film, steps[0], state.ply) : control && new URL(control.href).searchParams.get("ply");
      if (there === null) continue;
      pause();
      live?.leave(Number(there), steps[0] === "last");
      const shown = await show(Number(there));
      if (steps !== state.steps) return;
      if (!shown) steps.length = 0;
    }
  }

  function rotate() {
    data.rotate = (Number(data.rotate) + 1) % Number(data.seats);
  }

  function full() {
    if (document.fullscreenElement) document.exitFullscreen();
    else root.requestFullscreen?.().catch(() => say("The browser did not allow it."));
  }

  function speed(value) {
    keep({ speed: value });
    act("speed").value = value;
    say(value === "thought" ? "As thought" : `Speed ${value}`);
  }

  function faster(by) {
    const index = SPEEDS.indexOf(kept.speed) + by;
    if (SPEEDS[index]) speed(SPEEDS[index]);
  }

  /** The sheet of the deal that is shown, as this view knows it. */
  function paper() {
    return `${base}?${new URLSearchParams({ sheets: roundOf(state.ply), view: state.view })}`;
  }

  function help() {
    if (!one("#help")) return; // still on its way
    act("keys").checked = kept.keys;
    one("#help").showModal();
  }

  const KEYS = {
    ...(live ? { v: () => { pause(); live.goLive(); } } : {}),
    " ": play, k: play,
    ArrowLeft: () => step("prev-card"), j: () => step("prev-card"),
    ArrowRight: () => step("next-card"), l: () => step("next-card"),
    ArrowUp: () => step("prev-trick"), ArrowDown: () => step("next-trick"),
    "[": () => step("prev-round"), "]": () => step("next-round"),
    Home: () => step("first"), End: () => step("last"),
    e: () => step("next-fault"),
    "+": () => faster(1), "=": () => faster(1), "-": () => faster(-1),
    s: () => step("next-swing"), z: full, f: rotate, p: () => location.assign(paper()), "?": help,
    c: () => use("copy"), n: () => use("toNote"),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !kept.keys || one("#help")?.open) return;
    if (event.target.closest("input, select, textarea, [contenteditable]")) return;
    if (event.key === " " && event.target.closest("button, summary, a")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.key === "L") {
      event.preventDefault();
      return use("toLog");
    }
    const view = viewOf(key);
    const action = view && one(`.views [data-view="${view}"]`) ? () => go(state.ply, { view }) : KEYS[key];
    if (!action) return;
    event.preventDefault();
    action();
  }, { signal: ending.signal });

  root.addEventListener("click", (event) => {
    const target = event.target.closest("a[href], button[data-act]");
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    if (target.dataset.act === "paper") {
      target.href = paper();
      return;
    }
    if (target.matches("button")) {
      const { act: name } = target.dataset;
      if (SELDOM.includes(name)) use(name);
      else ({ play, rotate, help, full, close: () => one("#help").close() })[name]?.();
      return;
    }
    const url = new URL(target.getAttribute("href"), location.href);
    if (url.pathname !== new URL(base, location.href).pathname || !url.searchParams.has("ply")) return;
    event.preventDefault();
    if (target.matches(".steps [data-nav]")) return step(target.dataset.nav);
    go(Number(url.searchParams.get("ply")), { view: url.searchParams.get("view") ?? "table" });
  });

  one("#scrub").addEventListener("input", (event) => go(Number(event.target.value)));
  one("#search").addEventListener("input", () => use("search"));
  one("#by").addEventListener("change", () => use("search"));
  one(".search").addEventListener("submit", (event) => event.preventDefault());
  act("speed").addEventListener("change", (event) => speed(event.target.value));
  act("colours").addEventListener("change", (event) => {
    keep({ colours: event.target.checked });
    root.classList.toggle("four-colours", kept.colours);
  });
  act("foresight").addEventListener("change", (event) => keep({ foresight: event.target.checked }));
  root.addEventListener("change", (event) => {
    if (event.target.dataset.act === "keys") keep({ keys: event.target.checked });
  });

  // On a phone a swipe over the table is a step.
  let touched = null;
  one("#position").addEventListener("touchstart", (event) => {
    touched = event.target.closest(".felt") && event.touches.length === 1 ? event.touches[0] : null;
  }, { passive: true });
  one("#position").addEventListener("touchend", (event) => {
    if (!touched) return;
    const end = event.changedTouches[0];
    const across = end.clientX - touched.clientX;
    if (Math.abs(across) > 45 && Math.abs(across) > 2 * Math.abs(end.clientY - touched.clientY)) {
      step(across < 0 ? "next-card" : "prev-card");
    }
    touched = null;
  }, { passive: true });

  // Ready: show what only works with this script ------------------------------------------------------------------------------

  act("speed").value = kept.speed;
  act("colours").checked = kept.colours;
  act("foresight").checked = kept.foresight;
  root.classList.toggle("four-colours", kept.colours);
  tick("deals", firsts);
  for (const each of [act("play"), one(".scrub"), one(".extras"), one(".search")]) each.hidden = false;
  act("full").hidden = !document.fullscreenEnabled;
  root.classList.add("ready");
  const { top, bottom } = one(".stage").getBoundingClientRect(); // on a phone it fits a screen, but not below the page's head
  if (innerWidth < 640 && bottom > innerHeight && !scrollY && !location.hash) scrollTo(0, top);
  const soon = window.requestIdleCallback ?? setTimeout;
  if (live) show(state.ply);
  else soon(() => Promise.resolve(load(state.view, state.ply)).catch(() => {}));
  soon(seldom);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", follows, { signal: ending.signal });
}
