// What a player has chosen for all tables, kept in this browser: pace, looks, keys.

const KEPT = "kibitz.seat";
const BEATS = { slow: 1600, normal: 800, fast: 350, none: 0 }; // milliseconds for each card of the others
const DEFAULTS = { pace: "normal", deals: "wait", confirm: false, colours: false, big: false, keys: true };

export function settings(root, { told }) {
  const now = { ...DEFAULTS, ...read() };
  const dialog = root.querySelector("#settings");

  function apply() {
    root.classList.toggle("four-colours", now.colours);
    root.classList.toggle("big-index", now.big);
    for (const field of dialog.querySelectorAll("[name]")) {
      if (field.type === "checkbox") field.checked = now[field.name];
      else field.value = now[field.name];
    }
  }

  dialog.addEventListener("change", ({ target }) => {
    now[target.name] = target.type === "checkbox" ? target.checked : target.value;
    write(now);
    apply();
    told("Saved in this browser.");
  });
  apply();
  return { now, beat: () => BEATS[now.pace] ?? BEATS.normal };
}

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

function write(now) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(now));
  } catch {
    // a browser without storage forgets, nothing else
  }
}
