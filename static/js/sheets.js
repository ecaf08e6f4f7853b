// The button that prints the sheets of a game. Browsers without scripts have it in their menu.

const button = document.querySelector("#print");
if (button) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
