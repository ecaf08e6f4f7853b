// What a player is asked, and what they decide: cards of the own hand or from the table, and answers that are no cards.
// The server knows what is allowed; a card that is not is explained beside it.

import { Countdown } from "./countdown.js";
import { build } from "./film.js";
import { Row } from "./hand.js";
import { find } from "./seat_story.js";

const TRIES = [0, 500, 1000, 2000, 4000, 8000]; // waits before a move is sent again
const LONGEST = 10_000; // milliseconds for an answer of the server
const NUMBERS = ["none", "one", "two", "three", "four", "five"];

const numeral = (number) => NUMBERS[number] ?? String(number);
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export class Decision {
  /** `story` shows what has happened; `say(words, urgently)` reads aloud; `asksFirst()`: whether one card needs a second look;
   * `advise(advice)` shows what a coach says (null: nothing); `unreached()`: a move did not reach the server. */
  constructor(root, faces, { story, say, asksFirst, advise, unreached }) {
    Object.assign(this, { root, faces, story, say, asksFirst, advise, unreached });
    this.question = null;
    this.before = 0; // how often this seat had decided when the question came
    this.sending = false;
    this.advised = false; // the coach says something about the question
    this.answered = Number(root.dataset.decided); // the last decision that is made
    this.hand = new Row(this.one("#hand"), faces, (card, button) => this.choose(this.hand, card, button));
    this.offer = new Row(this.one("#offer"), faces, (card, button) => this.choose(this.offer, card, button));
    this.clock = new Countdown(this.one("#clock"), (words) => say(words, true));
    this.one("#confirm").addEventListener("click", () => this.sendChosen());
    this.dock = this.one(".dock");
    for (const kind of ["focusin", "pointerdown"]) {
      document.addEventListener(kind, ({ target }) => (this.inside = this.dock.contains(target)));
    }
  }

  /** What had the focus may be gone with a card, a button or a whole row: whoever plays by keys goes on from their cards. */
  keepFocus() {
    const { activeElement: at } = document;
    if (!this.inside || (at !== document.body && at?.offsetParent)) return;
    const [row] = [this.row, this.hand].filter((each) => each.buttons.length);
    if (row) row.focus();
    else this.dock.focus({ preventScroll: true });
  }

  one(selector) {
    return this.root.querySelector(selector);
  }

  // What is asked -----------------------------------------------------------------------------------------------------------------

  /** Ask, unless this has been decided. null: nothing is asked any more. */
  ask(question) {
    if (question && question.number <= this.answered) return;
    if (question && question.number === this.question?.number) {
      // After the portal has started anew there is more time for the same question.
      if (question.due_ms !== this.question.due_ms) this.clock.start(Object.assign(this.question, question));
      return;
    }
    if (this.question && !question) this.answered = Math.max(this.answered, this.question.number);
    this.question = question;
    this.before = this.story.decided();
    this.root.dataset.asked = question?.number ?? "";
    this.sending = false;
    this.clock.stop();
    this.hush();
    for (const row of [this.hand, this.offer]) row.buttons.forEach((button) => row.choose(button, false));
    if (question) this.clock.start(question);
    if (question?.advice) this.advise(question.advice);
    else if (this.advised) this.advise(null);
    this.advised = Boolean(question?.advice);
    this.refresh();
    if (question && this.inside && !this.row.element.contains(document.activeElement)) this.row.focus();
    if (question) this.story.speak(this.words());
  }

  /** Show how long another person still has; null: they have decided. */
  waitFor(clock) {
    if (this.question || this.sending) return;
    if (clock) this.clock.start(clock, false);
    else this.clock.stop();
  }

  /** The own hand, as the server drew it, as buttons. */
  hold(drawn) {
    const seat = find(drawn, `seat at-${this.root.dataset.seat}`);
    const cards = seat && find(seat, "hand");
    this.hand.show(cards ? this.faces.read(cards) : []);
    if (!this.question) this.hand.allow(null);
    this.lying = find(drawn, "centre");
    this.keepFocus();
  }

  get legal() {
    return new Set((this.question?.cards ?? []).map(String));
  }

  get needed() {
    return Math.max(1, this.question?.choose ?? 1);
  }

  /** The row from which cards are chosen. */
  get row() {
    return this.one("#offer").hidden ? this.hand : this.offer;
  }

  /** Bring cards, buttons and words in line with what is asked. */
  refresh() {
    const { question, sending, legal } = this;
    const open = Boolean(question) && !sending;
    const held = new Set(this.hand.buttons.map((button) => button.dataset.card));
    const outside = [...legal].filter((card) => !held.has(card));
    this.root.classList.toggle("mine", open);
    this.root.classList.toggle("offered", outside.length > 0);
    this.one("#offer").hidden = !outside.length;
    this.offer.show(this.inOrder(outside).map((card) => ({ card })));
    if (!sending) {
      this.offer.allow(open ? legal : null, this.needed > 1);
      this.hand.allow(open && !outside.length && legal.size ? legal : null, this.needed > 1);
    }
    this.answers(open ? (question.answers ?? []) : []);
    this.confirm();
    this.one("#prompt").textContent = this.words();
    this.keepFocus();
  }

  /** Cards that lie on the table, as they lie there. */
  inOrder(cards) {
    const lying = cards.length && this.lying ? this.faces.read(this.lying).map((each) => each.card) : [];
    return lying.filter((card) => cards.includes(card)).concat(cards.filter((card) => !lying.includes(card)));
  }

  words() {
    const { question, sending, story } = this;
    if (sending) return "Sending …";
    if (question) return this.asked(question);
    if (story.busy || this.root.dataset.over) return "";
    return story.turn ? `${story.turn} is thinking …` : "";
  }

  asked({ kind, cards, answers }) {
    if (!cards?.length) return "Your turn: what do you answer?";
    const what = this.needed > 1 ? `${numeral(this.needed)} cards` : "a card";
    const others = answers?.length ? `, or ${answers.map((each) => each.label.toLowerCase()).join(" or ")}` : "";
    return `Your turn: ${kind} ${what}${others}`;
  }

  answers(list) {
    const box = this.one("#answers");
    const wanted = list.map((each) => each.label).join("\n");
    if (box.dataset.shown === wanted) return;
    box.dataset.shown = wanted;
    box.replaceChildren(...list.map(({ label }, index) => {
      const button = build({ tag: "button", attributes: { type: "button" }, children: [label] });
      button.addEventListener("click", () => this.send({ answer: index }, button));
      return button;
    }));
  }

  /** The button that sends cards which were collected. */
  confirm() {
    const button = this.one("#confirm");
    const { chosen } = this.row;
    button.hidden = !this.question || this.sending || (this.needed === 1 && !chosen.length);
    if (button.hidden) return;
    const missing = this.needed - chosen.length;
    const verb = capital(this.question.kind);
    button.setAttribute("aria-disabled", String(missing > 0));
    if (missing > 0) button.textContent = `Choose ${numeral(missing)}${chosen.length ? " more" : ""}`;
    else if (this.needed > 1) button.textContent = `${verb} these ${numeral(this.needed)}`;
    else button.textContent = `${verb} the ${this.faces.words(chosen[0].dataset.card)}`;
  }

  // What is decided ------------------------------------------------------------------------------------------------------------------

  /** Somebody chose a card: send it, collect it, or say why not. */
  choose(row, card, button) {
    this.hush();
    if (this.sending) return undefined;
    if (!this.question) return this.explain(button, this.whyWait());
    if (row !== this.row) return this.explain(button, this.words());
    if (!this.legal.has(card)) return this.refuse(card, button);
    if (this.needed === 1 && !this.asksFirst()) return this.send({ cards: [this.value(card)] }, button);
    return this.collect(row, button);
  }

  collect(row, button) {
    const { chosen } = row;
    if (chosen.includes(button)) row.choose(button, false);
    else if (this.needed > 1 && chosen.length >= this.needed) {
      return this.explain(button, `You have chosen ${numeral(this.needed)}. To change one, choose it again first.`);
    } else {
      if (this.needed === 1) chosen.forEach((each) => row.choose(each, false));
      row.choose(button, true);
    }
    this.confirm();
    if (this.needed > 1) this.say(`${row.chosen.length} of ${this.needed} chosen.`);
    return undefined;
  }

  /** The n-th card that may be played, and after the cards the answers. */
  choosePlace(place) {
    [...this.row.legal, ...this.one("#answers").children][place]?.click();
  }

  sendChosen() {
    const { chosen } = this.row;
    if (!this.question || this.sending) return undefined;
    if (chosen.length < this.needed) {
      return this.explain(this.one("#confirm"), `Choose ${numeral(this.needed)} cards first.`);
    }
    return this.send({ cards: chosen.map((button) => this.value(button.dataset.card)) });
  }

  /** A card as the server knows it: some games count their cards with numbers. */
  value(card) {
    const cards = this.question.cards ?? [];
    const same = cards.find((each) => String(each) === card);
    return same ?? (typeof cards[0] === "number" ? Number(card) : card);
  }

  async send(decision, button) {
    const { question } = this;
    if (!question || this.sending) return undefined;
    this.sending = true;
    this.hush();
    const sent = (decision.cards ? this.row.chosen : []).concat(button ?? []);
    for (const each of sent) each.classList.add("sent");
    this.refresh();
    const why = await this.deliver({ decision: question.number, ...decision }, question);
    if (this.question !== question) return undefined; // meanwhile the game went on
    this.sending = false;
    if (!why) return this.taken(question);
    for (const each of sent) each.classList.remove("sent");
    this.refresh();
    return this.explain(button?.isConnected ? button : this.one("#prompt"), why);
  }

  /** Send a decision until the server has it. Returns why it was refused, or nothing. */
  async deliver(body, question) {
    for (const wait of TRIES) {
      if (wait) await new Promise((done) => setTimeout(done, wait));
      if (this.question !== question) return "";
      const answer = await this.post(body);
      if (answer?.ok) return "";
      if (answer && answer.status < 500) {
        return (await answer.json().catch(() => ({}))).why ?? "The server refused this. Reload the page.";
      }
      this.unreached();
    }
    return "This did not reach the server. Try again.";
  }

  taken(question) {
    this.answered = Math.max(this.answered, question.number);
    this.question = null;
    this.root.dataset.asked = "";
    this.clock.stop();
    if (this.advised) this.advise(null);
    this.advised = false;
    this.one("#prompt").textContent = "";
    this.confirm();
    this.answers([]);
    this.root.classList.remove("mine");
    this.keepFocus();
  }

  post(body) {
    return fetch(this.root.dataset.move, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json",
        "X-CSRFToken": this.root.dataset.token,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(LONGEST),
    }).catch(() => null);
  }

  // Why not ----------------------------------------------------------------------------------------------------------------------------

  whyWait() {
    if (this.root.dataset.over) return "The game is over.";
    if (this.story.waiting) return "This deal is over. Go on to the next one.";
    if (this.story.busy) return "Not yet: the others are still playing.";
    return this.story.turn ? `It is not your turn: ${this.story.turn} decides.` : "It is not your turn.";
  }

  /** A card that is not allowed: in the coach's words if there are any, or else in the referee's. */
  async refuse(card, button) {
    const { question } = this;
    const known = question.advice?.may_not?.find((each) => each.cards.map(String).includes(card));
    if (known) return this.explain(button, known.why);
    const answer = await this.post({ decision: question.number, cards: [this.value(card)] });
    const why = answer?.status === 409 ? (await answer.json()).why : "The server does not answer. Try again in a moment.";
    return this.question === question ? this.explain(button, why) : undefined;
  }

  /** Say why not, beside what was chosen. */
  explain(beside, why) {
    const box = this.one("#why");
    box.querySelector("p").textContent = why;
    box.hidden = false;
    const frame = this.one(".dock").getBoundingClientRect();
    const place = beside.getBoundingClientRect();
    const middle = place.left + place.width / 2 - frame.left;
    const width = box.offsetWidth;
    const left = Math.min(Math.max(middle - width / 2, 4), Math.max(4, frame.width - width - 4));
    box.style.setProperty("--left", `${left}px`);
    box.style.setProperty("--point", `${Math.min(Math.max(middle - left, 14), width - 14)}px`);
    box.style.setProperty("--top", `${place.top - frame.top}px`);
    this.say(why, true);
    beside.classList.add("refused");
    setTimeout(() => beside.classList.remove("refused"), 400);
  }

  hush() {
    this.one("#why").hidden = true;
    this.one("#warned").textContent = "";
  }
}
