// Live parts poll the server (htmx): not while the page is hidden or the reader has paused them, and slower when
// nothing has changed for two minutes. Those with data-live="waits" let the server answer only when there is something
// new, usually within a second. While many people look, the server asks for a slower
// pace. Also marks a team's way through a bracket, without the server.

const WAIT = 20; // seconds that the server may hold an answer back
const WAITING = 3; // parts that wait at a time, in all windows: a browser has six connections to a server
const KEY = "waiting"; // in localStorage: who waits, and until when at most
const own = Math.random().toString(36);
const CALM = 120_000; // milliseconds without news before polling slows down
const SLOW = 10_000;
const BUSY = 8_000; // milliseconds after a field was touched, in which it must not be replaced
let paused = false;
let news = Date.now();
let asked = 0;
let touched = 0;
const due = new Map(); // by the id of a part: when the server wants to be asked again at the earliest

/** Whether the reader wants what is shown to stay. */
const resting = () => paused || Date.now() - touched < BUSY;

document.body.addEventListener("htmx:beforeRequest", (event) => {
  if (!event.target.closest("[data-live]")) return;
  const waits = event.detail.requestConfig.parameters.wait;
  const calm = !waits && Date.now() - news > CALM && Date.now() - asked < SLOW;
  const early = Date.now() < (due.get(event.target.id) ?? 0);
  if (!resting() && !document.hidden && !calm && !early) {
    asked = Date.now();
    return;
  }
  event.preventDefault();
  if (waits) take(false);
});

/** Take a place among those who wait, or (false) give it back. Returns whether there was one. */
function take(wanted = true) {
  try {
    const now = Date.now();
    const all = Object.entries(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
    const others = all.filter(([who, until]) => who !== own && until > now);
    const free = wanted && others.length < WAITING;
    if (free) others.push([own, now + 1000 * (WAIT + 5)]);
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(others)));
    return free;
  } catch {
    return false; // no storage: poll
  }
}

document.body.addEventListener("htmx:afterRequest", (event) => {
  due.set(event.target.id, Date.now() + 1000 * Number(event.detail.xhr.getResponseHeader("Kibitz-Pace") ?? 0));
  if (event.detail.requestConfig.parameters.wait) take(false);
});

document.body.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.requestConfig.parameters.wait && resting()) event.detail.shouldSwap = false;
});

for (const kind of ["pointerdown", "keydown", "focusin"]) {
  document.addEventListener(kind, (event) => {
    if (event.target.closest?.("[data-live] :is(select, input)")) touched = Date.now();
  });
}

document.body.addEventListener("htmx:afterSwap", () => {
  news = Date.now();
  ready();
});

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-pause]")) return;
  paused = !paused;
  ready();
});

document.addEventListener("change", (event) => {
  const select = event.target.closest("select[data-follow]");
  if (!select) return;
  touched = 0;
  for (const row of document.querySelectorAll(".box li[data-team]")) {
    row.classList.toggle("mine", row.dataset.team === select.value);
  }
  const url = new URL(location.href);
  if (select.value) url.searchParams.set("team", select.value);
  else url.searchParams.delete("team");
  history.replaceState(null, "", url);
});

document.body.addEventListener("htmx:configRequest", (event) => {
  if (event.target.matches('[data-live="waits"]') && take()) event.detail.parameters.wait = WAIT;
  const followed = event.target.querySelector?.("select[data-follow]")?.value;
  if (followed && event.target.closest("[data-live]")) event.detail.parameters.team = followed;
});

document.addEventListener("mouseover", (event) => {
  const team = event.target.closest?.(".box li[data-team]")?.dataset.team;
  for (const row of document.querySelectorAll(".box li.near")) row.classList.remove("near");
  if (!team) return;
  for (const row of document.querySelectorAll(`.box li[data-team="${team}"]`)) row.classList.add("near");
});

function ready() {
  for (const button of document.querySelectorAll("[data-pause]")) {
    button.hidden = false;
    button.textContent = paused ? "Resume updates" : "Pause updates";
    button.setAttribute("aria-pressed", String(paused));
  }
}

ready();
