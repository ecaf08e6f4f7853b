// The time that is left for a decision: a number and a bar that run down, and a warning before the end.

const WARNING = 10_000; // milliseconds
export const AMPLE = 300_000; // who has this long for a decision
export const SOON = 60_000; // … sees the clock in its last minute only

/**
 * Milliseconds that are left of a question or a note `clock`, on a page that was written at `now` by the server's clock. It
 * is due at one moment, however late a browser comes and whatever its own clock says.
 */
export function leftOf({ due_ms: due, left_ms: left }, now) {
  const [page] = performance.getEntriesByType("navigation");
  if (typeof due !== "number" || !now || !page) return left;
  return Math.max(0, due - Number(now) - (Date.now() - performance.timeOrigin - page.responseStart));
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
  start(left, limit, own = true) {
    this.stop();
    if (typeof left !== "number") return;
    this.own = own;
    this.element.classList.toggle("theirs", !own);
    this.until = performance.now() + left;
    this.limit = limit || left;
    this.warned = !own || left < WARNING;
    this.tick();
    this.timer = setInterval(() => this.tick(), 250);
  }

  stop() {
    clearInterval(this.timer);
    this.element.hidden = true;
    this.element.classList.remove("late");
  }

  tick() {
    const left = Math.max(0, this.until - performance.now());
    const seconds = Math.ceil(left / 1000);
    this.element.hidden = this.limit >= AMPLE && left > SOON;
    this.text.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    this.bar.value = Math.min(1, left / this.limit);
    this.element.classList.toggle("late", this.own && left <= WARNING);
    if (left <= WARNING && !this.warned) {
      this.warned = true;
      this.warn(`${seconds} seconds left.`);
    }
  }
}
