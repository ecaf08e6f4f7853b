// A replay of a game in progress: it grows, and stays at its newest position until the reader steps back. When the game
// is over the page becomes the replay of the finished game, where the reader is.

import { follow } from "./broadcast.js";
import { AMPLE, SOON, leftUntil } from "./countdown.js";
import { LiveFilm, build, change } from "./film.js";

const VOICE = 6000; // milliseconds between two sentences for screen readers
const TICK = 200; // milliseconds between two looks at the clocks
const END = 1_000_000; // behind every last ply: the server shows the last

/**
 * `replay`: what replay.js lends us. {root, one, show(ply), grown(film), view(), ply(), address(ply, view), start(root, from)}
 */
export function running(replay) {
  const { root, one } = replay;
  const bar = document.querySelector("#live-bar");
  const button = bar.querySelector('[data-act="live"]');
  const told = document.querySelector("#live-told");
  const live = { at: root.dataset.live === "newest", film: null, waiting: null, stop: null, since: 0, spoke: 0, seen: {} };
  const newest = () => live.film.length - 1;

  /** The film of a view: a promise, until its first message comes. */
  function load(view) {
    live.stop?.();
    live.film = null;
    const found = new Promise((resolve) => (live.waiting = resolve));
    const query = new URLSearchParams({ view });
    live.stop = follow(`${root.dataset.base}?${query}`, { film, piece, note, over, lost, state });
    return found;
  }

  function film(data) {
    live.film = new LiveFilm(data.film);
    live.seen = {};
    data.notes?.forEach(note);
    grown(!live.waiting);
    live.waiting?.(live.film);
    live.waiting = null;
  }

  function piece(data) {
    if (!live.film?.append(data)) return false;
    grown(true);
    return true;
  }

  /** When the person who is thinking must have decided. */
  function note({ name, data }) {
    if (name === "clock") live.clock = data.due_ms ? data : null;
  }

  /** How many milliseconds they still have; NaN: nobody knows. */
  const left = () => (live.clock && live.clock.at === live.film?.length ? leftUntil(live.clock.due_ms) : NaN);

  /** The same as words, where it soon matters. */
  function leftInWords(ms) {
    if (!(ms > 0) || (live.clock.limit_ms >= AMPLE && ms > SOON)) return "";
    const seconds = Math.ceil(ms / 1000);
    return `, ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} left`;
  }

  /** `shows`: nobody else is waiting to show a position of it. */
  function grown(shows) {
    live.since = performance.now();
    replay.grown(live.film);
    for (const part of ["scores", "clocks"]) renew(part);
    if (shows) replay.show(live.at ? newest() : Math.min(replay.ply(), newest()));
    tell();
  }

  /** What always shows the newest state. */
  function renew(part) {
    const element = one(`#${part}`);
    const after = live.film.tree(part, newest());
    const before = live.seen[part];
    if (before) change(element, before, after);
    else element.replaceChildren(...after.children.map((child) => build(child)));
    live.seen[part] = after;
  }

  /** Screen readers hear the newest position now and then, not every card. */
  function tell() {
    const missed = newest() - replay.ply();
    button.textContent = live.at || !missed ? "Live" : `Live, ${missed} ahead`;
    if (!live.at || document.hidden || performance.now() - live.spoke < VOICE) return;
    live.spoke = performance.now();
    told.textContent = `${live.film.text("where", newest())}: ${live.film.text("caption", newest())}`;
  }

  /** The reader has chosen a position. It stays until they want to be live again. */
  function leave(ply, wantsEnd) {
    if (!live.film) return;
    set(Boolean(wantsEnd) || (live.at && ply === newest()));
  }

  function set(at) {
    live.at = at;
    button.setAttribute("aria-pressed", String(at));
    one("#caption").setAttribute("aria-live", at ? "off" : "polite");
    if (live.film) tell();
  }

  function goLive() {
    set(true);
    if (live.film) replay.show(newest());
  }

  function state(connected) {
    bar.querySelector("#live-lost").textContent = connected ? "" : "The connection is lost. The page will catch up.";
  }

  const clocks = setInterval(() => {
    const item = one("#clocks .runs");
    if (!item) return;
    const ends = left();
    const now = Number.isNaN(ends) ? performance.now() - live.since : Math.max(0, live.clock.limit_ms - ends);
    const ms = Number(item.dataset.clock) + now;
    const spent = ms < 60_000
      ? `${(ms / 1000).toFixed(1)} s`
      : `${Math.floor(ms / 60_000)} min ${String(Math.floor((ms % 60_000) / 1000)).padStart(2, "0")} s`;
    item.querySelector(".time").textContent = spent + leftInWords(ends);
  }, TICK);

  function over({ next }) {
    if (!next) return finished();
    const address = replay.game(next);
    if (live.at && !document.hidden) return location.assign(address);
    const link = { tag: "a", attributes: { href: address }, children: [`Game ${next} has begun`] };
    bar.querySelector("#live-said").replaceChildren("This game is over. ", build(link), ".");
    button.hidden = true;
    clearInterval(clocks);
  }

  /** Put the page of the finished game in place of this one, at the reader's position: with the last card if live. */
  async function finished() {
    clearInterval(clocks);
    const view = replay.view();
    const here = live.film ? Math.min(replay.ply(), newest()) : replay.ply();
    const address = replay.address(live.at ? END : here, view);
    try {
      const answer = await fetch(address);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.querySelector("#replay");
      if (!answer.ok || !fresh?.dataset.film) throw new Error("it has another page now");
      become(page);
    } catch {
      location.reload();
    }
  }

  function become(page) {
    const focus = document.activeElement?.closest?.("[data-nav], [data-act], #scrub");
    const main = document.querySelector("#main");
    main.replaceWith(document.adoptNode(page.querySelector("#main")));
    document.title = page.title;
    const fresh = document.querySelector("#replay");
    replay.start(fresh);
    const { nav, act } = focus?.dataset ?? {};
    const back = nav ? `[data-nav="${nav}"]` : act && act !== "live" ? `[data-act="${act}"]` : focus && "#scrub";
    if (back) fresh.querySelector(back)?.focus();
    fresh.querySelector("#said").textContent = "The game is over. This is its replay.";
  }

  const lost = finished;

  button.hidden = false;
  document.querySelector("#live-reload").hidden = true;
  button.addEventListener("click", goLive);
  set(live.at);
  return { load, leave, goLive, isLive: () => live.at };
}
