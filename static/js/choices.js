// Hides fields that need certain choices (data-when="entry=best"; with several, separated by blanks, any of them is
// enough). Without this file all fields are shown, and the server ignores those it does not need.

const fields = [...document.querySelectorAll("[data-when]")];

/** The chosen values of a field; for radio buttons and checkboxes the checked ones. */
function chosen(name) {
  const inputs = [...document.querySelectorAll(`[name="${name}"]`)];
  const boxes = inputs.filter((input) => input.type === "radio" || input.type === "checkbox");
  const others = inputs.filter((input) => !boxes.includes(input));
  return [...boxes.filter((input) => input.checked), ...others].map((input) => input.value);
}

function show() {
  for (const field of fields) {
    const wanted = field.dataset.when.split(" ").map((pair) => pair.split("="));
    field.hidden = !wanted.some(([name, value]) => chosen(name).includes(value)) && !field.querySelector(".errorlist");
  }
}

document.addEventListener("change", show);
show();
