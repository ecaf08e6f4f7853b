// A table that waits for people: look again every two seconds, and go to the table when the game begins.

const PAUSE = 2000;
const waiting = document.querySelector("#waiting");
if (waiting) setTimeout(look, PAUSE);

async function look() {
  try {
    const answer = document.hidden ? null : await fetch(location.href, { headers: { Accept: "text/html" } });
    if (answer?.ok) show(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    // the next look may reach the server
  }
  setTimeout(look, PAUSE);
}

function show(page) {
  const people = page.querySelector("[data-people]");
  if (!people) return location.reload(); // it has begun, or nobody waits any more
  const shown = waiting.querySelector("[data-people]");
  if (shown.textContent === people.textContent) return undefined;
  shown.replaceWith(document.adoptNode(people));
  waiting.querySelector("[data-said]").textContent = "Who sits at this table has changed.";
  return undefined;
}
