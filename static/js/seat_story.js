// What has happened at a table, shown to the player position by position: nothing earlier than its turn, and nothing
// that has not happened. The server has drawn every position (film.js).

import { LiveFilm, build, change } from "./film.js";

const MANY = 40; // positions behind: somebody comes back, and wants to see now, not then
const BEHIND = 8; // positions, from which on a button leads to now
const ON_ITS_OWN = 12_000; // milliseconds after which the next deal begins while a clock runs
const LASTING = new Set(["question", "clock", "replaced"]); // notes that still hold for whoever comes later
const LOGGED = 200; // sentences that are kept in the list

/** The first node of a tree that has this class (or these classes, in this order). */
export function find(node, name) {
  if (!node || typeof node === "string") return null;
  if (` ${node.attributes.class ?? ""} `.includes(` ${name} `)) return node;
  for (const child of node.children) {
    const found = find(child, name);
    if (found) return found;
  }
  return null;
}

export class Story {
  /** `told`: what to do about {drawn, idle, note, say}; `beat()`: milliseconds for each card. */
  constructor(root, { drawn, idle, note, say, beat, waits }) {
    Object.assign(this, { root, drawn, idle, note, say, beat, waits });
    this.own = root.dataset.seat;
    this.queue = []; // what the server told and is not shown yet: functions
    this.unsaid = []; // sentences that are not read aloud yet
    this.film = null; // the one that is shown
    this.newest = null; // the one that grows
    this.game = null;
    this.ply = -1;
    this.past = Number(root.dataset.ply ?? -1); // up to this ply it was seen, or had happened when the page was made
    this.open = false; // a question with a clock waits for this player
    this.back = false; // they come back to a game: what they are asked is more urgent than what they have missed
    this.logged = -1;
    this.busy = false;
    this.hurry = false;
    this.wake = () => {};
  }

  one(selector) {
    return this.root.querySelector(selector);
  }

  // What the server tells -------------------------------------------------------------------------------------------------------

  add(work) {
    this.queue.push(work);
    if (!this.busy) this.work();
  }

  async work() {
    this.busy = true;
    while (this.queue.length) await this.queue.shift()();
    this.busy = false;
    this.hurry = this.back = false;
    this.idle();
  }

  /** Everything so far: at the start, and again after the connection was lost. It may be older than what is shown. */
  begin({ game, film: data, notes }) {
    const other = this.newest && game !== this.told;
    this.back = !other;
    this.told = game;
    const film = (this.newest = new LiveFilm(data));
    const { length } = film;
    this.add(async () => {
      if (other) this.logged = this.past = -1;
      const last = length - 1;
      const from = !this.film ? last : other ? 0 : Math.min(this.ply, last);
      if (this.film && !other) this.past = Math.max(this.past, this.ply);
      Object.assign(this, { film, game, fresh: true });
      this.draw(from);
      await this.showRest(length);
    });
    for (const each of notes ?? []) if (LASTING.has(each.name)) this.hear(each);
  }

  /** What is new. False: something before it is missing. */
  grow(piece) {
    const decided = this.decided();
    if (!this.newest?.append(piece)) return false;
    if (this.decided() > decided) this.open = false;
    const length = this.newest.length;
    this.add(() => this.showRest(length));
    return true;
  }

  hear({ name, data }) {
    const decided = this.decided();
    this.add(() => this.note(name, data, decided === this.decided()));
    if (name === "question") {
      this.open = typeof data.left_ms === "number";
      if (this.back) this.quick();
    }
    this.wake("news");
  }

  /** How often the player of this seat has decided, or the house for them. */
  decided() {
    return this.newest?.stops[`seat${this.own}`]?.length ?? 0;
  }

  /** Whether nothing has happened since there were so many positions. */
  isNewest(positions) {
    return this.newest?.length === positions;
  }

  stops(kind) {
    return this.film?.stops[kind] ?? [];
  }

  /** Show what has happened up to a ply, one position after the other. */
  async showRest(length) {
    while (this.ply < length - 1) {
      this.catchUp(length);
      if (this.ply === length - 1) return;
      const next = this.ply + 1;
      const deals = this.stops("round");
      if (this.ply >= deals[0] && deals.includes(next)) await this.pauseHere(`Next ${this.root.dataset.hand || "deal"}`);
      const changed = this.draw(next);
      const mine = this.stops(`seat${this.own}`).includes(next);
      if (changed && !(mine && next < length - 1)) await this.pause(this.stops("trick").includes(next) ? 1.9 : 1);
    }
  }

  /** Go at once to what was known before, or to now where that is far away. */
  catchUp(length) {
    const far = this.newest === this.film && this.film.length - 1 - this.ply > MANY;
    const to = Math.min(length - 1, far ? this.film.length - 1 : this.past);
    if (to > this.ply) this.draw(to);
  }

  // Time to look --------------------------------------------------------------------------------------------------------------------

  pause(beats) {
    const time = this.hurry ? 0 : beats * this.beat();
    if (!time) return undefined;
    return new Promise((done) => {
      const timer = setTimeout(done, time);
      this.wake = (why) => {
        if (why === "news") return;
        clearTimeout(timer);
        done();
      };
    });
  }

  /** The end of a deal: the player goes on when they have seen it, or soon where their clock runs. */
  async pauseHere(label) {
    if (this.hurry || !this.waits()) return this.pause(3);
    this.speak();
    const button = this.one("#continue");
    button.textContent = label;
    this.one("#between").hidden = false;
    this.idle();
    if (!document.activeElement?.closest("dialog, input, select")) button.focus({ preventScroll: true });
    await new Promise((done) => {
      let timer = this.open ? setTimeout(done, ON_ITS_OWN) : 0;
      this.wake = (why) => {
        if (why === "news") {
          if (this.open && !timer) timer = setTimeout(done, ON_ITS_OWN);
          return;
        }
        clearTimeout(timer);
        done();
      };
    });
    this.one("#between").hidden = true;
    return undefined;
  }

  get waiting() {
    return !this.one("#between").hidden;
  }

  goOn() {
    this.wake("go");
  }

  quick() {
    this.hurry = true;
    this.wake("hurry");
  }

  // Drawing -------------------------------------------------------------------------------------------------------------------------

  /** Show a position. Returns whether anything can be seen of what happened. */
  draw(ply) {
    this.unpeek();
    const { film } = this;
    const changed = this.paint(ply);
    this.ply = ply;
    const caption = film.text("caption", ply);
    this.one("#where").textContent = film.text("where", ply);
    if (caption) this.one("#caption").textContent = caption;
    if (caption && ply > this.logged) this.log(caption, ply);
    this.logged = Math.max(ply, this.logged);
    this.one("#skip").hidden = film.length - 1 - ply < BEHIND;
    this.one("[data-act=peek]").disabled = this.lastTrick() === undefined;
    this.drawn(this.shown);
    return changed && Boolean(caption);
  }

  paint(ply) {
    const element = this.one("#position");
    const after = this.film.tree("position", ply);
    const before = this.shown;
    if (before && !this.fresh) change(element, before, after);
    else element.replaceChildren(...after.children.map((child) => build(child)));
    Object.assign(this, { shown: after, fresh: false });
    return before !== after;
  }

  /** Something that is no event of the game. */
  tell(words) {
    this.unsaid.push(words);
    const list = this.one("#log");
    list.append(build({ tag: "li", attributes: {}, children: [words] }));
    while (list.children.length > LOGGED) list.firstChild.remove();
  }

  log(caption, ply) {
    this.tell(caption);
    if (this.stops("trick").includes(ply) || ply === this.film.length - 1) this.speak();
  }

  /** Read aloud what has happened, all at once: a voice is slower than the cards. */
  speak(last = "") {
    const words = [...this.unsaid.splice(0), last].filter(Boolean).join(" ");
    if (words) this.say(words);
  }

  /** Who is to decide at the position that is shown. */
  get turn() {
    return this.one("#position .seat.turn .who")?.textContent.trim();
  }

  nameOf(seat) {
    return this.one(`#position .seat.at-${seat} .who`)?.textContent.trim() ?? "A player";
  }

  // The last trick, for as long as one wants to see it --------------------------------------------------------------------------------

  lastTrick() {
    const deals = this.stops("round");
    const deal = deals.findLast((each) => each <= this.ply);
    return this.stops("trick").findLast((each) => each <= this.ply && each > deal);
  }

  peek() {
    if (this.peeking) return this.unpeek();
    const at = this.lastTrick();
    if (at === undefined) return undefined;
    this.mark(true);
    this.paint(at);
    return this.say(`The last trick. ${this.film.text("caption", at)}`);
  }

  unpeek() {
    if (!this.peeking) return;
    this.mark(false);
    this.paint(this.ply);
  }

  mark(yes) {
    this.peeking = yes;
    this.root.classList.toggle("peeking", yes);
    this.one("[data-act=peek]").setAttribute("aria-pressed", String(yes));
  }
}
