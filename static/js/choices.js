// Fields that make sense only with certain choices (data-when="entry=best", several with a blank between them: any of
// them) are put away while those are not made. Without this file all fields are shown, and those not needed are not read.

const fields = [...document.querySelectorAll("[data-when]")];

/** The values that are chosen in a field: of radio buttons and checkboxes those that are checked. */
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
