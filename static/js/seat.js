// A seat at a table: what has happened is shown card by card (seat_story.js), and what the player decides is sent to the
// server (seat_decision.js). The server draws every position and knows the rules.

import { showAdvice } from "./advice.js";
import { follow } from "./broadcast.js";
import { Faces } from "./hand.js";
import { Decision } from "./seat_decision.js";
import { settings } from "./seat_settings.js";
import { Story } from "./seat_story.js";

const PAUSE = 400; // milliseconds between two questions for what is new
const GRACE = 1500; // milliseconds without a connection before anybody needs to know
const LOOKS = [0, 500, 1000, 2000, 4000, 8000]; // waits before another look for the result

const root = document.querySelector("#seat");
if (root) start(root);

function start(root) {
  const one = (selector) => root.querySelector(selector);
  const data = root.dataset;
  const kept = settings(root, { told: (words) => say(words) });
  let losing = 0;

  const story = new Story(root, {
    drawn: (position) => decision.hold(position),
    idle: () => decision.refresh(),
    note: heard,
    say,
    beat: kept.beat,
    waits: () => kept.now.deals === "wait",
  });
  const decision = new Decision(root, new Faces(JSON.parse(data.faces)), {
    story,
    say,
    advise,
    asksFirst: () => kept.now.confirm,
    unreached: () => lost(true),
  });

  function say(words, urgent = false) {
    one(urgent ? "#warned" : "#said").textContent = words;
  }

  function advise(advice) {
    const element = one("#advice");
    if (element && advice) showAdvice(element, advice);
    element?.classList.toggle("decided", !advice); // its place stays, so that nothing moves
  }

  // What the server tells -------------------------------------------------------------------------------------------------------

  /** `current`: nobody has decided for this seat since. */
  function heard(name, told, current) {
    if (name === "question" && current) decision.ask(told);
    else if (name === "clock") clock(told);
    else if (name === "left" || name === "back") return here(told.seat, name === "back");
    else if (name === "replaced") return replaced(told.text);
    return undefined;
  }

  /** Somebody is thinking. */
  function clock(told) {
    if (String(told.seat) !== data.seat && story.isNewest(told.at)) decision.waitFor(told);
  }

  function begin(sent) {
    lost(false);
    story.begin(sent);
    settle();
  }

  function grow(piece) {
    if (!story.grow(piece)) return false;
    settle();
    decision.waitFor(null);
    lost(false);
    return true;
  }

  /** What is asked may have been decided. After a lost connection, earlier decisions come once more: they do not count. */
  function settle() {
    if (decision.question && story.decided() > decision.before) decision.ask(null);
  }

  function over({ next }) {
    story.add(async () => {
      decision.ask(null);
      if (next === null) return finish();
      await story.pauseHere("Next game");
      return watch(next);
    });
  }

  function watch(game) {
    const address = new URL(data.live, location.href);
    if (game) address.searchParams.set("game", game);
    follow(address.href, {
      film: begin,
      piece: grow,
      note: (sent) => story.hear(sent),
      over,
      lost: () => over({ next: null }),
      state: (connected) => lost(!connected),
    }, PAUSE);
  }

  function lost(yes) {
    clearTimeout(losing);
    if (yes) losing = setTimeout(offline, GRACE, true);
    else offline(false);
  }

  function offline(yes) {
    one("#lost").hidden = !yes;
    root.classList.toggle("offline", yes);
  }

  /** Somebody has left or is here again: the page has the words for it. */
  async function here(seat, yes) {
    if (String(seat) === data.seat && yes === Boolean(data.left)) return location.reload();
    say(yes ? `${story.nameOf(seat)} is back.` : `${story.nameOf(seat)} has left. The house plays on.`);
    await renewPeople();
    return undefined;
  }

  /** A version has lost its seat. Whoever comes back is told again. */
  function replaced(why) {
    if (why === data.replaced) return undefined;
    data.replaced = why;
    story.tell(why);
    story.speak();
    return renewPeople();
  }

  async function renewPeople() {
    const people = (await look())?.querySelector(".people");
    if (people) one(".people").replaceWith(document.adoptNode(people));
  }

  /** This page as it is now. */
  async function look() {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
    return answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  }

  /** Show the result, which the server writes a moment after the last card. */
  async function finish() {
    data.over = "yes";
    story.speak();
    for (const wait of LOOKS) {
      if (wait) await new Promise((done) => setTimeout(done, wait));
      const page = await look();
      const result = page?.querySelector("section#result");
      if (!result) continue;
      root.classList.add("over");
      const farewell = page.querySelector("#advice:not([hidden])");
      if (farewell) {
        one("#advice").replaceChildren(...farewell.children);
        one("#advice").classList.remove("decided");
        one("#advice").hidden = false;
      }
      one("#result").replaceWith(document.adoptNode(result));
      one("#result").focus({ preventScroll: true });
      one("#result").scrollIntoView({ block: "nearest" });
      return;
    }
    location.reload();
  }

  // What players do ---------------------------------------------------------------------------------------------------------------

  const where = () => `${one("#where").textContent}. ${one("#caption").textContent} ${decision.words()}`;

  const KEYS = {
    ArrowLeft: () => decision.row.focus(),
    ArrowRight: () => decision.row.focus(),
    " ": () => (story.waiting ? story.goOn() : story.quick()),
    c: () => one("#confirm").click(),
    t: () => story.peek(),
    w: () => say(where()),
    "?": () => one("#help").showModal(),
    Escape: () => (decision.hush(), story.unpeek()),
  };

  function actionOf(key) {
    if (/^\d$/.test(key)) return () => decision.choosePlace((Number(key) + 9) % 10);
    return KEYS[key.length === 1 ? key.toLowerCase() : key];
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !kept.now.keys) return;
    if (event.target.closest("input, select, textarea, [contenteditable], dialog")) return;
    if (event.key === " " && event.target.closest("button, summary, a")) return;
    const action = actionOf(event.key);
    if (!action) return;
    event.preventDefault();
    action();
  });

  const ACTS = {
    peek: () => story.peek(),
    help: () => one("#help").showModal(),
    settings: () => one("#settings").showModal(),
  };

  root.addEventListener("click", (event) => {
    ACTS[event.target.closest("button[data-act]")?.dataset.act]?.();
    if (event.target.closest(".felt") && story.busy && !story.waiting) story.quick();
    if (!event.target.closest("#why, #hand, #offer, #confirm, #answers")) decision.hush();
  });
  // Whoever leaves is on the way elsewhere: the note about it must not load this page again.
  root.addEventListener("submit", (event) => {
    if (event.target.closest(".leave")) data.left = "yes";
  });
  one("#skip").addEventListener("click", () => story.quick());
  one("#continue").addEventListener("click", () => story.goOn());

  root.classList.add("ready");
  if (data.live) watch();
}
