// A finished table: the others may want to play again, and keep a seat. Looks every three seconds, for ten minutes.

const PAUSE = 3000;
const LOOKS = 200;
let looks = 0;
setTimeout(look, PAUSE);

async function look() {
  const shown = document.querySelector("[data-invited]");
  if (shown?.childElementCount) return;
  if (shown && !document.hidden) {
    looks += 1;
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
    const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
    const invitation = page && page.querySelector("[data-invited] > *");
    if (invitation) shown.replaceChildren(document.adoptNode(invitation));
  }
  if (looks < LOOKS) setTimeout(look, PAUSE);
}
