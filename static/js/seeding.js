// Seeding by hand: rows are dragged or moved with arrow buttons, and the numbers in their fields follow. Without this
// file the numbers are typed. The list is put away while another kind of seeding is chosen.

const box = document.querySelector("[data-seeding]");
const body = box?.querySelector("tbody");
const said = box?.querySelector("[data-seeding-said]");
let dragged = null;

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
      move(row, step);
      button.focus();
    });
    moves.append(button);
  }
  row.querySelector("td").append(moves);
}

/** A typed number moves its row there, when the field is left. */
function follow(row) {
  const input = row.querySelector("input");
  input.addEventListener("change", () => {
    const wished = Number.parseInt(input.value, 10);
    if (!Number.isInteger(wished) || wished < 1) return;
    const others = rows().filter((each) => each !== row);
    const before = others[wished - 1];
    if (before) before.before(row);
    else body.append(row);
    number();
    say(row);
  });
}

function drag(row) {
  row.draggable = true;
  row.addEventListener("dragstart", (event) => {
    if (document.activeElement?.tagName === "INPUT" && row.contains(document.activeElement)) {
      event.preventDefault(); // selecting text in a field
      return;
    }
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

function showWhenChosen() {
  const chosen = document.querySelector("input[name=seeding]:checked")?.value;
  box.hidden = chosen !== "hand";
}

if (body) {
  box.querySelector("[data-seeding-help]").hidden = false;
  for (const row of rows()) {
    addButtons(row);
    follow(row);
    drag(row);
  }
  for (const input of document.querySelectorAll("input[name=seeding]")) {
    input.addEventListener("change", showWhenChosen);
  }
  showWhenChosen();
}
