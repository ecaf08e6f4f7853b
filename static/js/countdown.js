// The time that is left for a decision: a number and a bar that run down, and a warning before the end.

const WARNING = 10_000; // milliseconds
export const AMPLE = 300_000; // who has this long for a decision
export const SOON = 60_000; // … sees the clock in its last minute only

const JUMP = 2000; // milliseconds: smaller differences between clocks mean nothing here

const server = { ahead: NaN, offset: NaN, again: 0 };

/**
 * Milliseconds until a moment by the server's clock; NaN while that clock is unknown. The browser's own may be wrong, and is
 * set, or stops with the machine, while a page is open: then the server is asked again.
 */
export function leftUntil(moment) {
  const offset = Date.now() - performance.now();
  if (!(Math.abs(offset - server.offset) < JUMP) && performance.now() >= server.again) ask(offset);
  return moment - Date.now() - server.ahead;
}

async function ask(offset) {
  server.again = performance.now() + JUMP;
  const answer = await fetch("/healthz", { method: "HEAD" }).catch(() => null);
  const date = Date.parse(answer?.headers.get("Date")) + 1000; // whole seconds: rather show too little time than too much
  if (!Number.isNaN(date)) Object.assign(server, { offset, ahead: date - Date.now() });
}

export class Countdown {
  constructor(element, warn) {
    this.element = element;
    this.text = element.querySelector("[data-left]");
    this.bar = element.querySelector("[data-bar]");
    this.warn = warn;
    this.timer = 0;
  }

  /** `own`: it is this person's time, so they are warned before its end. */
  start({ due_ms: due, limit_ms: limit }, own = true) {
    this.stop();
    if (!due) return;
    this.own = own;
    this.element.classList.toggle("theirs", !own);
    this.due = due;
    this.limit = limit;
    this.warned = !own || leftUntil(due) < WARNING;
    this.tick();
    this.timer = setInterval(() => this.tick(), 250);
  }

  stop() {
    clearInterval(this.timer);
    this.element.hidden = true;
    this.element.classList.remove("late");
  }

  tick() {
    const left = leftUntil(this.due);
    const seconds = Math.ceil(left / 1000);
    this.element.hidden = !(left > 0) || (this.limit >= AMPLE && left > SOON);
    if (this.element.hidden) return;
    this.text.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    this.bar.value = Math.min(1, left / this.limit);
    this.element.classList.toggle("late", this.own && left <= WARNING);
    if (left <= WARNING && !this.warned) {
      this.warned = true;
      this.warn(`${seconds} seconds left.`);
    }
  }
}
