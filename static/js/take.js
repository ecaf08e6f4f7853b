// “Play from here” begins at the position that is shown, which replay.js writes into the address.

for (const form of document.querySelectorAll("form[data-take]")) {
  form.addEventListener("submit", () => {
    const ply = new URLSearchParams(location.search).get("ply");
    if (ply !== null) form.elements.ply.value = ply;
  });
}
