// Seeding by hand: rows are dragged or moved with arrow buttons, and the numbers in their fields follow. Without this
// file the numbers are typed. choices.js hides the list while another kind of seeding is chosen.

const box = document.querySelector("[data-seeding]");
const body = box?.querySelector("tbody");
const said = box?.querySelector("[data-seeding-said]");
let dragged = null;
let typed = []; // rows with numbers typed since the rows were last sorted

function rows() {
  return [...body.querySelectorAll("tr")];
}

function number() {
  rows().forEach((row, index) => {
    row.querySelector("input").value = index + 1;
  });
}

function say(row) {
  said.textContent = `${row.querySelector("th").textContent}: place ${rows().indexOf(row) + 1}`;
}

function move(row, step) {
  const other = step < 0 ? row.previousElementSibling : row.nextElementSibling;
  if (!other) return;
  if (step < 0) other.before(row);
  else other.after(row);
  number();
  say(row);
}

function addButtons(row) {
  const name = row.querySelector("th").textContent;
  const moves = document.createElement("span");
  moves.className = "moves";
  for (const [step, sign, word] of [[-1, "↑", "up"], [1, "↓", "down"]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "secondary";
    button.textContent = sign;
    button.setAttribute("aria-label", `Move ${name} ${word}`);
    button.addEventListener("click", () => {
      settle();
      move(row, step);
      button.focus();
    });
    moves.append(button);
  }
  row.querySelector("td").append(moves);
}

/** Moves rows to their typed numbers; the others keep their order around them. Not while numbers are being typed down
 * the list, because rows and numbers would change during typing. */
function settle() {
  const wished = (row) => Number.parseInt(row.querySelector("input").value, 10);
  const moved = typed.filter((row) => wished(row) >= 1).reverse().sort((one, other) => wished(one) - wished(other));
  typed = [];
  if (!moved.length) return;
  const order = rows().filter((row) => !moved.includes(row));
  for (const row of moved) order.splice(wished(row) - 1, 0, row);
  body.append(...order);
  number();
  if (moved.length === 1) say(moved[0]);
  else said.textContent = `${moved.length} teams moved to their places`;
}

/** Typed numbers take effect with Enter, or when the focus leaves the list. */
function follow(row) {
  const input = row.querySelector("input");
  input.addEventListener("input", () => {
    typed = [...typed.filter((each) => each !== row), row];
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // do not submit the form
    settle();
    input.focus();
  });
}

function drag(row) {
  row.draggable = true;
  row.addEventListener("dragstart", (event) => {
    if (document.activeElement?.tagName === "INPUT" && row.contains(document.activeElement)) {
      event.preventDefault(); // this is selecting text in a field
      return;
    }
    settle();
    dragged = row;
    event.dataTransfer.effectAllowed = "move";
    row.classList.add("dragged");
  });
  row.addEventListener("dragover", (event) => {
    if (!dragged || dragged === row) return;
    event.preventDefault();
    const middle = row.getBoundingClientRect().top + row.offsetHeight / 2;
    if (event.clientY < middle) row.before(dragged);
    else row.after(dragged);
  });
  row.addEventListener("dragend", () => {
    row.classList.remove("dragged");
    number();
    say(row);
    dragged = null;
  });
}

if (body) {
  box.querySelector("[data-seeding-help]").hidden = false;
  for (const row of rows()) {
    addButtons(row);
    follow(row);
    drag(row);
  }
  body.addEventListener("focusout", (event) => {
    if (!body.contains(event.relatedTarget)) settle();
  });
  box.closest("form").addEventListener("submit", settle);
}
