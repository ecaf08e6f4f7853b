// A row of cards that a person chooses from: the own hand, or what lies on the table. Arrow keys walk along the row, and
// it is one stop for the Tab key. Knows no rules: it is told which cards may be chosen.

const NARROWEST = 45; // pixels of a card and its gap: a finger must hit it

/** What cards are called and look like, by the name that the server knows them by. */
export class Faces {
  constructor(list) {
    this.byName = new Map(list.map((face) => [face.card, face]));
    this.byLook = new Map(list.map((face) => [`${face.suit} ${face.rank}`, face.card]));
    this.suits = new Set(list.map((face) => face.suit));
  }

  of(card) {
    return this.byName.get(String(card)) ?? { card: String(card), rank: String(card), suit: "", words: String(card) };
  }

  words(card) {
    return this.of(card).words;
  }

  /** The cards of a hand that the server drew, each with its marks, in the order of the drawing. */
  read(tree) {
    const found = [];
    const walk = (node) => {
      if (typeof node === "string") return;
      const names = (node.attributes.class ?? "").split(" ");
      if (node.tag === "i" && names[0] === "card" && !names.includes("back")) {
        const suit = names.find((name) => name && this.suits.has(name)) ?? "";
        const card = this.byLook.get(`${suit} ${node.children.join("")}`);
        if (card !== undefined) found.push({ card, seen: names.includes("seen"), now: names.includes("now") });
      } else node.children.forEach(walk);
    };
    walk(tree);
    return found;
  }
}

export class Row {
  /** `pick(card, button)` is called with every card that is chosen, whether it is allowed or not. */
  constructor(element, faces, pick) {
    this.element = element;
    this.faces = faces;
    this.buttons = [];
    element.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-card]");
      if (!button) return;
      this.reach(button);
      pick(button.dataset.card, button);
    });
    element.addEventListener("keydown", (event) => this.walk(event));
    element.addEventListener("focusin", (event) => {
      if (event.target.matches("button[data-card]")) this.reach(event.target);
    });
    new ResizeObserver(() => this.arrange()).observe(element);
  }

  /** Show cards: [{card, seen, now}]. Buttons of cards that stay are kept, and so is the focus. */
  show(cards) {
    const had = this.buttons.indexOf(document.activeElement);
    const free = [...this.buttons];
    this.buttons = cards.map(({ card, seen, now }) => {
      const at = free.findIndex((button) => button.dataset.card === card);
      const button = at < 0 ? this.make(card) : free.splice(at, 1)[0];
      button.classList.toggle("seen", Boolean(seen));
      button.classList.toggle("now", Boolean(now));
      return button;
    });
    const same = this.buttons.length === this.element.children.length
      && this.buttons.every((button, index) => button === this.element.children[index]);
    if (same) return;
    this.element.replaceChildren(...this.buttons);
    this.reach(this.buttons.find((button) => button.tabIndex === 0) ?? this.buttons[0]);
    if (had >= 0) this.buttons[Math.min(had, this.buttons.length - 1)]?.focus({ preventScroll: true });
    this.arrange();
  }

  make(card) {
    const face = this.faces.of(card);
    const button = document.createElement("button");
    button.type = "button";
    button.className = ["card", face.suit, face.rank === "10" ? "ten" : ""].filter(Boolean).join(" ");
    button.dataset.card = card;
    button.textContent = face.rank;
    button.setAttribute("aria-label", face.words);
    button.tabIndex = -1;
    return button;
  }

  /** Which cards may be chosen: a set, or null when nobody is asked. `several`: cards are collected before they go. */
  allow(legal, several) {
    this.element.classList.toggle("asked", Boolean(legal));
    for (const button of this.buttons) {
      const may = !legal || legal.has(button.dataset.card);
      button.classList.toggle("legal", Boolean(legal) && may);
      button.classList.toggle("dim", !may);
      button.classList.remove("sent");
      if (may) button.removeAttribute("aria-disabled");
      else button.setAttribute("aria-disabled", "true");
      if (several && legal && may) button.setAttribute("aria-pressed", String(button.classList.contains("chosen")));
      else {
        button.removeAttribute("aria-pressed");
        button.classList.remove("chosen");
      }
    }
  }

  choose(button, yes) {
    button.classList.toggle("chosen", yes);
    if (button.hasAttribute("aria-pressed")) button.setAttribute("aria-pressed", String(yes));
  }

  get chosen() {
    return this.buttons.filter((button) => button.classList.contains("chosen"));
  }

  get legal() {
    return this.buttons.filter((button) => button.classList.contains("legal"));
  }

  focus() {
    (this.legal[0] ?? this.buttons[0])?.focus({ preventScroll: true });
  }

  /** Make a card the one that the Tab key comes to. */
  reach(button) {
    for (const each of this.buttons) each.tabIndex = each === button ? 0 : -1;
  }

  walk(event) {
    const at = this.buttons.indexOf(event.target);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const columns = this.columns ?? this.buttons.length;
    const ways = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - columns, ArrowDown: at + columns };
    const to = { ...ways, Home: 0, End: this.buttons.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.buttons[to]?.focus();
  }

  /** As many rows as it takes for a finger, all about equally long. */
  arrange() {
    const width = this.element.clientWidth;
    const count = this.buttons.length;
    if (!width || !count) return;
    const rows = Math.ceil((count * NARROWEST) / (width + 1));
    this.columns = Math.ceil(count / rows);
    this.element.classList.toggle("folded", rows > 1);
    this.element.style.setProperty("--columns", Math.max(this.columns, 4));
  }
}
