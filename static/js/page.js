// Small conveniences on every page. Everything works without them.

import { leftUntil } from "./countdown.js";

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const DAY = { weekday: "short", day: "numeric", month: "short", year: "numeric" };
const CLOCK = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" };

/** Shows times in the browser's zone. The server writes them in the zone that the footer names; titles keep that. */
function showLocalTimes(root) {
  const format = new Intl.DateTimeFormat("en-GB", { ...DAY, ...CLOCK });
  for (const time of root.querySelectorAll("time[datetime]:not([data-local])")) {
    const local = format.format(new Date(time.dateTime)).replace(",", "");
    const isRelative = Boolean(time.title); // "3 min ago"
    time.dataset.local = "";
    time.title = isRelative ? local : time.textContent;
    if (!isRelative) time.textContent = local;
  }
}

/** Counts down to the time in `[data-countdown]`, by the second in its last hour, and then says its word, or “due”. */
function countDown() {
  for (const time of document.querySelectorAll("[data-countdown] time")) {
    const left = Math.ceil(leftUntil(Date.parse(time.dateTime)) / 1000);
    const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
    if (Number.isNaN(left)) return; // the words of the page are true as yet
    if (left <= 0) time.textContent = time.closest("[data-countdown]").dataset.countdown || "due";
    else if (hours) time.textContent = hours < 24 ? `in ${hours} h ${minutes} min` : time.textContent;
    else time.textContent = `in ${minutes}:${String(seconds).padStart(2, "0")}`;
  }
}
setInterval(countDown, 1000);

/** The offset of a zone from UTC at a moment, in milliseconds. */
function zoneOffset(zone, moment) {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  const [day, month, year, hour, minute, second] = format.format(moment).match(/\d+/g).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(moment / 1000) * 1000;
}

/**
 * Shows a date field's time in the reader's zone. The field itself is in the official zone, which the form may choose;
 * what was in it when the form was opened is in the zone that was shown with it.
 * A field that nobody has filled in and that means now goes on meaning it in another zone.
 */
function previewFields(root) {
  for (const input of root.querySelectorAll("input[data-zone]")) {
    const choice = input.form?.elements.time_zone;
    const opened = input.form?.elements[`initial-${input.name}`]?.value.slice(0, 16).replace(" ", "T");
    const note = document.createElement("div");
    note.className = "helptext";
    input.after(note);
    const show = () => {
      const wall = Date.parse(`${input.value}Z`);
      const zone = (input.value !== opened && choice?.value) || input.dataset.zone;
      note.hidden = Number.isNaN(wall) || zone === ZONE;
      if (note.hidden) return;
      const moment = new Date(wall - zoneOffset(zone, new Date(wall)));
      const text = moment.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
      note.textContent = `Time in ${zone}. For you (${ZONE}): ${text}`;
    };
    let zone = choice?.value;
    const keepMoment = () => {
      const wall = Date.parse(`${input.value}Z`);
      const before = zone;
      zone = choice.value;
      if (!("now" in input.dataset) || input.value !== input.defaultValue || Number.isNaN(wall)) return;
      const moment = wall - zoneOffset(before, new Date(wall));
      input.value = new Date(moment + zoneOffset(zone, new Date(moment))).toISOString().slice(0, 16);
      input.defaultValue = input.value;
    };
    input.addEventListener("input", show);
    choice?.addEventListener("change", () => {
      keepMoment();
      show();
    });
    show();
  }
}

/** <button data-copy="text"> copies the text to the clipboard. Hidden if there is no clipboard. */
function copyButtons(root) {
  if (!navigator.clipboard) return;
  for (const button of root.querySelectorAll("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "Copied";
    });
  }
}

/** <a href="…" data-fill="id" data-text="text"> puts the text at the start of that field and keeps its content. */
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-fill]");
  const field = link && document.getElementById(link.dataset.fill);
  if (!field) return;
  event.preventDefault();
  field.value = field.value.trim() ? `${field.value.trimEnd()}\n\n${link.dataset.text}` : link.dataset.text;
  field.focus();
});

/**
 * A long form is sent only by somebody who is still logged in: from others the portal reads no more than 64 KB, and what
 * was typed would be lost.
 */
const LONG = 16 * 1024; // characters and bytes; each may become four when it is sent
const weight = (field) => (field.value?.length ?? 0) + [...(field.files ?? [])].reduce((sum, it) => sum + it.size, 0);
document.addEventListener("submit", async (event) => {
  const form = event.target;
  const isLong = form.method === "post" && [...form.elements].reduce((sum, it) => sum + weight(it), 0) > LONG;
  if (!isLong || form.dataset.asked === "yes") return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (form.dataset.asked) return; // a second click
  form.dataset.asked = "now";
  const answer = await fetch(location.href, { method: "HEAD" }).catch(() => null);
  form.dataset.asked = answer?.redirected ? "" : "yes";
  if (!answer?.redirected) return form.requestSubmit(event.submitter);
  const said = document.createElement("p");
  said.className = "notice notice-warn";
  said.setAttribute("role", "alert");
  const link = Object.assign(document.createElement("a"), { href: answer.url, target: "_blank", textContent: "Log in" });
  said.append("You are logged out, so nothing was sent. ", link, " in another tab, and send it again from here.");
  form.before(said);
}, true);
addEventListener("pageshow", () => document.querySelectorAll("form[data-asked]").forEach((it) => delete it.dataset.asked));

/** <form data-confirm="Really?"> asks first. */
document.addEventListener("submit", (event) => {
  const question = event.submitter?.dataset.confirm ?? event.target.dataset?.confirm;
  if (question && !window.confirm(question)) event.preventDefault();
});

/** A form is sent once, however often it is clicked: for guests, no request can tell a second click from the first. */
let sent = new WeakSet();
addEventListener("submit", (event) => {
  if (event.defaultPrevented || event.target.method !== "post") return;
  if (sent.has(event.target)) return event.preventDefault();
  sent.add(event.target);
  setTimeout(() => sent.delete(event.target), 10_000); // if the answer is a file, the page stays
});
addEventListener("pageshow", () => (sent = new WeakSet()));

/** <input type="checkbox" data-check-all="name"> ticks all boxes with that name in the form. */
document.addEventListener("change", (event) => {
  const name = event.target.dataset?.checkAll;
  if (!name) return;
  for (const box of event.target.form.querySelectorAll(`input[type=checkbox][name="${name}"]`)) {
    box.checked = event.target.checked;
  }
});

/** A notice with data-closable="name" stays closed on this device once the reader has closed it. */
for (const notice of document.querySelectorAll("[data-closable]")) {
  const name = `closed ${notice.dataset.closable}`;
  const button = notice.querySelector("[data-close]");
  try {
    notice.hidden = localStorage.getItem(name) !== null;
  } catch {
    // Private mode: it closes for this page only.
  }
  button.hidden = false;
  button.addEventListener("click", () => {
    notice.hidden = true;
    try {
      localStorage.setItem(name, "");
    } catch {
      // As above.
    }
  });
}

/** A menu closes when the focus or a click goes elsewhere, and with Escape. */
function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (menu !== except) menu.open = false;
  }
}
document.addEventListener("click", (event) => closeMenus(event.target.closest("details.menu")));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.querySelector("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

/** If tabs are wider than the screen, scrolls to the current one (its start, if it is long) and marks the sides with more. */
function tabStrips(root) {
  for (const strip of root.querySelectorAll(".tabs > ul:not([data-strip])")) {
    strip.dataset.strip = "";
    const mark = () => {
      const hidden = strip.scrollWidth - strip.clientWidth;
      strip.parentElement.classList.toggle("more-before", strip.scrollLeft > 1);
      strip.parentElement.classList.toggle("more-after", strip.scrollLeft < hidden - 1);
    };
    const current = strip.querySelector("[aria-current]")?.getBoundingClientRect();
    if (current) {
      const frame = strip.getBoundingClientRect();
      strip.scrollLeft += current.left - frame.left - Math.max(36, (frame.width - current.width) / 2);
    }
    strip.addEventListener("scroll", mark, { passive: true });
    new ResizeObserver(mark).observe(strip);
    mark();
  }
}

/**
 * What was typed into a form that could not be sent (templates/403_csrf.html) goes back into the form when its page is
 * open again in this tab.
 */
function keepUnsent(part) {
  const typed = [...part.querySelectorAll("[data-name]")].map((field) => [field.dataset.name, field.value]);
  sessionStorage.setItem(`unsent ${part.dataset.unsent}`, JSON.stringify({ action: part.dataset.action, typed }));
}
function giveBackUnsent() {
  const key = `unsent ${location.pathname}${location.search}`;
  const { action, typed } = JSON.parse(sessionStorage.getItem(key) ?? "{}");
  const form = [...document.forms].find((it) => it.method === "post" && new URL(it.action).pathname === action);
  if (!form) return;
  sessionStorage.removeItem(key);
  const values = new Map();
  for (const [name, value] of typed) values.set(name, [...(values.get(name) ?? []), value]);
  for (const field of form.elements) {
    const known = values.get(field.name);
    if (["checkbox", "radio"].includes(field.type)) field.checked = Boolean(known?.includes(field.value));
    else if (known && !["hidden", "file", "submit", "button", "password"].includes(field.type)) field.value = known.shift() ?? field.value;
    else continue;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const said = document.createElement("p");
  said.className = "notice notice-warn";
  said.setAttribute("role", "status");
  said.textContent = "Nothing was done the first time. What you typed is in the form again: please send it once more.";
  form.before(said);
}

const dress = (root) => {
  showLocalTimes(root);
  previewFields(root);
  copyButtons(root);
  tabStrips(root);
};
dress(document);
document.querySelectorAll("[data-unsent]").forEach(keepUnsent);
giveBackUnsent();
for (const note of document.querySelectorAll("[data-zone-note]")) note.textContent = `Times are ${ZONE}.`;
document.addEventListener("htmx:afterSwap", (event) => {
  const root = event.target.parentElement ?? document;
  showLocalTimes(root);
  tabStrips(root);
});
