// Live parts poll the server (htmx), which answers 204 while nothing has changed: not while the page is hidden or the
// reader has paused them. Also marks a team's way through a bracket, without the server.

const BUSY = 8_000; // milliseconds after a field was touched, in which it must not be replaced
let paused = false;
let touched = 0;

/** Whether the reader wants what is shown to stay: it would take along what they are typing. */
const typing = () => Boolean(document.activeElement?.closest?.('[data-live] input[type="text"]')?.value);
const resting = () => paused || Date.now() - touched < BUSY || typing();

document.body.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target.closest("[data-live]") && (resting() || document.hidden)) event.preventDefault();
});

document.body.addEventListener("htmx:beforeSwap", (event) => {
  if (event.target.closest("[data-live]") && resting()) event.detail.shouldSwap = false;
});

for (const kind of ["pointerdown", "keydown", "focusin"]) {
  document.addEventListener(kind, (event) => {
    if (event.target.closest?.("[data-live] :is(select, input)")) touched = Date.now();
  });
}

document.body.addEventListener("htmx:afterSwap", ready);

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
  if (select.value || "own" in select.dataset) url.searchParams.set("team", select.value);
  else url.searchParams.delete("team");
  history.replaceState(null, "", url);
});

document.body.addEventListener("htmx:configRequest", (event) => {
  const select = event.target.querySelector?.("select[data-follow]");
  if (!select || !event.target.closest("[data-live]")) return;
  if (select.value || "own" in select.dataset) event.detail.parameters.team = select.value;
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
