// Keeps the reader's state when the server replaces a part of a page: what is unfolded, how far a wide table or a
// bracket is scrolled, where the focus is. Elements are recognised by their content, not by their place.
// A proxy has one copy of a live part for all (docker/nginx.conf): for some readers it is nothing new, or older.

const kept = new Map(); // by the id of the part

/** Foldable elements, by the target of their first link or by the text of their head. */
const nameOfFold = (fold) => fold.querySelector("a[href]")?.getAttribute("href") ?? fold.firstElementChild?.textContent;

/** Elements that scroll sideways, by their label. */
const nameOfBox = (box) =>
  box.getAttribute("aria-labelledby") ?? box.getAttribute("aria-label") ?? box.closest("[id]")?.id;

/** Focusable elements, by their target or their text. */
function nameOfField(field) {
  if (field.matches("summary")) return `fold ${nameOfFold(field.parentElement)}`;
  const about = field.getAttribute("href") ?? field.getAttribute("name") ?? nameOfBox(field);
  return `${field.tagName} ${about} ${field.textContent.trim().slice(0, 80)}`;
}

/** [name, element] of each. Elements with the same name are told apart by their order. */
function named(elements, nameOf) {
  const count = new Map();
  return [...elements].map((element) => {
    const name = nameOf(element);
    count.set(name, (count.get(name) ?? 0) + 1);
    return [`${name} ${count.get(name)}`, element];
  });
}

const folds = (part) => named(part.querySelectorAll("details"), nameOfFold);
const boxes = (part) => named(part.querySelectorAll('.table-wrap, [tabindex="0"]'), nameOfBox);
const fields = (part) => named(part.querySelectorAll('a[href], button, summary, [tabindex="0"]'), nameOfField);

const known = (path) => /[?&](?:rev|now)=(\w+)/.exec(path)?.[1];

document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (known(detail.path)) detail.headers["If-None-Match"] = `"${known(detail.path)}"`;
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const { target: part, xhr, requestConfig } = event.detail;
  const told = xhr.getResponseHeader("ETag")?.replace(/^\D+/, "");
  const own = known(requestConfig.path); // a number alone: somebody with a role, who is logged out since
  if (xhr.status === 304 || (/\D$/.test(own) && parseInt(told) < parseInt(own))) event.detail.shouldSwap = false;
  if (!event.detail.shouldSwap || !part?.id) return;
  kept.set(part.id, {
    open: new Map(folds(part).map(([name, fold]) => [name, fold.open])),
    scrolled: new Map(boxes(part).map(([name, box]) => [name, box.scrollLeft])),
    focused: fields(part).find(([, field]) => field === document.activeElement)?.[0],
  });
});

document.addEventListener("htmx:afterSwap", () => {
  for (const [id, { open, scrolled, focused }] of kept) {
    const part = document.getElementById(id);
    if (!part) continue;
    for (const [name, fold] of folds(part)) fold.open = open.get(name) ?? fold.open;
    for (const [name, box] of boxes(part)) box.scrollLeft = scrolled.get(name) ?? 0;
    if (focused) new Map(fields(part)).get(focused)?.focus({ preventScroll: true });
  }
  kept.clear();
});
