// Small help for the form of a new table: whose seat is whose, and all opponents at once.

const form = document.querySelector("#table-form");
if (form?.querySelector(".seat-choice")) start(form);

function start(form) {
  const level = form.querySelector("#level");
  const players = [...form.querySelectorAll(".player select")];

  function seats() {
    const seat = form.elements.seat.value;
    for (const row of form.querySelectorAll(".seat-choice li")) {
      const mine = row.querySelector("input").value === seat && seat !== "any";
      const player = row.querySelector(".player");
      if (!player) continue;
      player.hidden = mine;
      player.querySelector("select").disabled = mine;
      row.querySelector(".you").hidden = !mine;
    }
  }

  level.parentElement.hidden = false;
  level.addEventListener("change", () => {
    if (level.value) for (const each of players) each.value = level.value;
  });
  form.addEventListener("change", (event) => {
    if (players.includes(event.target)) level.value = "";
    seats();
  });
  seats();
}
