// The replay, stepped through without asking the server again. Every position is drawn by the server: this script
// fetches the positions of a round as one answer and shows them one by one. Without it every control is a link.

const KEPT = "kibitz.replay"; // what readers chose, kept in this browser
const SPEEDS = ["0.25", "0.5", "1", "2", "4", "16", "thought"];
const BEAT = 900; // milliseconds for a step at speed 1
const LONGEST = 3000; // of a thought, played "as thought"

const root = document.querySelector("#replay");
if (root) start(root);

function start(root) {
  const one = (selector) => root.querySelector(selector);
  const all = (selector) => [...root.querySelectorAll(selector)];
  const act = (name) => one(`[data-act="${name}"]`);
  const data = root.dataset;
  const base = data.base;
  const last = Number(data.last);
  const firsts = data.rounds.split(",").map(Number);
  const rounds = new Map(); // "view/round" → promise of {moves, plies: Map}
  const state = { ply: Number(data.ply), view: data.view, timer: 0, run: 0, runs: 0, wanted: 0, steps: [] };
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

  function load(round, view) {
    const key = `${view}/${round}`;
    if (!rounds.has(key)) {
      const fetched = fetch(`${base}?${new URLSearchParams({ fragment: "round", round, view })}`).then(async (answer) => {
        if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
        const holder = document.createElement("template");
        holder.innerHTML = await answer.text();
        const found = { moves: null, plies: new Map() };
        for (const part of holder.content.querySelectorAll("template")) {
          if (part.dataset.part === "moves") found.moves = part;
          else found.plies.set(Number(part.dataset.ply), part);
        }
        return found;
      });
      rounds.set(key, fetched);
      fetched.catch(() => rounds.delete(key)); // asked again next time
    }
    return rounds.get(key);
  }

  async function show(ply, { view = state.view } = {}) {
    ply = Math.min(Math.max(ply, 0), last);
    const wanted = ++state.wanted;
    const round = roundOf(ply);
    let found;
    try {
      found = await load(round, view);
    } catch {
      location.assign(address(ply, view)); // the plain page says what is wrong
      return false;
    }
    if (wanted !== state.wanted) return false; // somebody was faster
    draw(found, ply, view, round);
    if (round < firsts.length) load(round + 1, view).catch(() => {});
    return true;
  }

  function draw(found, ply, view, round) {
    const part = found.plies.get(ply);
    const turned = round !== roundOf(state.ply) || view !== state.view;
    const focus = document.activeElement?.closest?.("#decision [data-nav], #decision summary");
    const back = focus && (focus.dataset.nav ? `#decision [data-nav="${focus.dataset.nav}"]` : "#decision summary");
    const open = new Set(all("#decision details[open][data-keep]").map((each) => each.dataset.keep));
    const content = part.content.cloneNode(true);
    one("#decision").replaceChildren(content.querySelector(".decision"));
    one("#position").replaceChildren(content);
    for (const each of all("#decision details[data-keep]")) each.open = open.has(each.dataset.keep);
    if (back) one(back)?.focus();
    if (turned) one("#moves").replaceChildren(found.moves.content.cloneNode(true));
    if (view !== state.view) data.rotate = part.dataset.rotate;
    state.ply = ply;
    state.view = view;
    data.ply = ply;
    data.view = view;
    one("#where").textContent = part.dataset.where;
    one("#caption").textContent = part.dataset.caption;
    const scrub = one("#scrub");
    scrub.value = ply;
    scrub.setAttribute("aria-valuetext", `${part.dataset.where}: ${part.dataset.caption}`);
    link(JSON.parse(part.dataset.nav), view);
    mark(ply, round, view);
    history.replaceState(null, "", address(ply, view));
  }

  function link(steps, view) {
    for (const control of all(".steps [data-nav]")) {
      const ply = steps[control.dataset.nav];
      if (ply === null || ply === undefined) {
        control.removeAttribute("href");
        control.setAttribute("role", "link");
        control.setAttribute("aria-disabled", "true");
      } else {
        control.href = address(ply, view);
        control.removeAttribute("role");
        control.removeAttribute("aria-disabled");
      }
    }
  }

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
    for (const each of all(".rounds a[data-ply], .thinking a[data-ply], #moves a[data-ply]")) {
      each.setAttribute("href", address(each.dataset.ply, view));
    }
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
    one("#caption").setAttribute("aria-live", "polite");
  }

  function play() {
    if (state.run) return pause();
    button(true);
    state.steps = [];
    one("#caption").setAttribute("aria-live", "off"); // a voice cannot keep up
    state.run = ++state.runs;
    beat(state.run, state.ply >= last ? 0 : state.ply);
  }

  /** One step of a run. While it waits for the server somebody may pause, and play again: that is another run. */
  async function beat(run, from) {
    const shown = from === state.ply || (await show(from));
    if (run !== state.run) return;
    if (!shown || state.ply >= last) return pause();
    const found = await load(roundOf(state.ply + 1), state.view).catch(() => null);
    if (run !== state.run) return;
    if (!found) return pause();
    const next = found.plies.get(state.ply + 1);
    state.timer = setTimeout(async () => {
      if (!(await show(state.ply + 1)) || run !== state.run) return;
      if ("fault" in next.dataset) return pause();
      beat(run, state.ply);
    }, pace(next));
  }

  function pace(next) {
    if (kept.speed !== "thought") return BEAT / Number(kept.speed);
    return Math.min(Math.max(Number(next.dataset.ms ?? 400), 60), LONGEST);
  }

  function button(playing) {
    const control = act("play");
    control.setAttribute("aria-label", playing ? "Pause" : "Play");
    control.querySelector("use").setAttribute("href", playing ? "#i-pause" : "#i-play");
  }

  function say(words) {
    one("#said").textContent = words;
  }

  // What readers do ---------------------------------------------------------------------------------------------------------

  function go(ply, options) {
    pause();
    state.steps = []; // those that still wait are no longer meant
    show(ply, options);
  }

  /** Each step counts from the one before it, also while that one's round is still loading. */
  async function step(name) {
    const steps = state.steps;
    if (steps.push(name) > 1) return;
    for (; steps.length; steps.shift()) {
      const control = one(`[data-nav="${steps[0]}"]`);
      if (!control?.hasAttribute("href")) continue;
      pause();
      const shown = await show(Number(new URL(control.href).searchParams.get("ply")));
      if (steps !== state.steps) return;
      if (!shown) steps.length = 0;
    }
  }

  function rotate() {
    data.rotate = (Number(data.rotate) + 1) % Number(data.seats);
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      say("The link to this position is copied.");
      act("copy").textContent = "Copied";
      setTimeout(() => (act("copy").textContent = "Copy link"), 1500);
    } catch {
      say("The browser did not allow it: copy the address of the page.");
    }
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

  function help() {
    one("#help").showModal();
  }

  const KEYS = {
    " ": play, k: play,
    ArrowLeft: () => step("prev-card"), j: () => step("prev-card"),
    ArrowRight: () => step("next-card"), l: () => step("next-card"),
    ArrowUp: () => step("prev-trick"), ArrowDown: () => step("next-trick"),
    "[": () => step("prev-round"), "]": () => step("next-round"),
    Home: () => step("first"), End: () => step("last"),
    e: () => step("next-fault"),
    "+": () => faster(1), "=": () => faster(1), "-": () => faster(-1),
    o: () => go(state.ply, { view: "table" }), x: () => go(state.ply, { view: "hidden" }),
    f: rotate, c: copy, "?": help,
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !kept.keys || one("#help").open) return;
    if (event.target.closest("input, select, textarea, [contenteditable]")) return;
    if (event.key === " " && event.target.closest("button, summary, a")) return;
    const seat = "1234".indexOf(event.key);
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const deed = seat >= 0 && one(`.views [data-view="${seat}"]`) ? () => go(state.ply, { view: String(seat) }) : KEYS[key];
    if (!deed) return;
    event.preventDefault();
    deed();
  });

  root.addEventListener("click", (event) => {
    const target = event.target.closest("a[href], button[data-act]");
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    if (target.matches("button")) {
      ({ play, rotate, copy, help, close: () => one("#help").close() })[target.dataset.act]?.();
      return;
    }
    const url = new URL(target.getAttribute("href"), location.href);
    if (url.pathname !== new URL(base, location.href).pathname || !url.searchParams.has("ply")) return;
    event.preventDefault();
    if (target.matches(".steps [data-nav]")) return step(target.dataset.nav);
    go(Number(url.searchParams.get("ply")), { view: url.searchParams.get("view") ?? "table" });
  });

  one("#scrub").addEventListener("input", (event) => go(Number(event.target.value)));
  act("speed").addEventListener("change", (event) => speed(event.target.value));
  act("colours").addEventListener("change", (event) => {
    keep({ colours: event.target.checked });
    root.classList.toggle("four-colours", kept.colours);
  });
  act("foresight").addEventListener("change", (event) => keep({ foresight: event.target.checked }));
  act("keys").addEventListener("change", (event) => keep({ keys: event.target.checked }));

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
  act("keys").checked = kept.keys;
  act("foresight").checked = kept.foresight;
  root.classList.toggle("four-colours", kept.colours);
  for (const each of [act("play"), one(".scrub"), one(".extras")]) each.hidden = false;
  root.classList.add("ready");
  const soon = window.requestIdleCallback ?? setTimeout;
  soon(() => load(roundOf(state.ply), state.view).catch(() => {}));
}
