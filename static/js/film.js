// A film: every position of a game, as the server drew it (contest/replay/film.py). This script rebuilds the positions as
// trees and shows one in place of another. It knows neither rules nor games nor templates.
//
// A tree is a text, or {tag, attributes, children}. Trees of neighbouring positions share whatever is equal, so showing
// another position touches what differs, and a jump costs no more than a step.

const SVG = "http://www.w3.org/2000/svg";
const SMALL = 60; // as in film.py
const RECENT = "!"; // the same

export class Film {
  /** `data.from`: of a part of a film, its first ply. `before`: the film of the positions before it. */
  constructor(data, before = null) {
    this.from = data.from ?? 0;
    this.isWhole = data.from === undefined;
    this.words = data.words;
    this.pairs = data.pairs;
    this.shapes = [];
    this.leaves = [];
    this.learn(data);
    this.before = before;
    this.tracks = new Map();
    for (const [name, track] of Object.entries(data.tracks)) this.tracks.set(name, new Track(this, name, track));
    this.stops = {};
    for (const [kind, steps] of Object.entries(data.stops)) this.stops[kind] = sums(numbers(steps));
    this.decisions = sums(numbers(data.decisions));
    this.times = numbers(data.ms); // in hundredths of a second
  }

  learn({ shapes, leaves }) {
    for (const [tag, ...rest] of shapes) {
      const attributes = {};
      for (let at = 0; at < rest.length; at += 2) attributes[rest[at]] = rest[at + 1];
      this.shapes.push({ tag, attributes, children: [] });
    }
    for (const leaf of leaves) {
      if (typeof leaf === "string") this.leaves.push(leaf);
      else this.leaves.push({ ...this.shapes[leaf[0]], children: leaf.slice(1) });
    }
  }

  has(part) {
    return this.tracks.has(part);
  }

  /** A part of a position, as {children}. */
  tree(part, ply) {
    return this.tracks.get(part).tree(ply - this.from);
  }

  text(part, ply) {
    return this.tree(part, ply).children.join("");
  }

  /** How long the decision at a ply took, in milliseconds. */
  thought(ply) {
    return 10 * (typeof this.times === "number" ? this.times : (this.times[ply - this.from] ?? 0));
  }
}

/** The film of a game in progress: the films of its positions as they came, one behind the other. */
export class LiveFilm {
  constructor(data) {
    this.parts = [];
    this.length = data.from;
    this.append(data);
  }

  /** Put the next positions behind what there is. False: there are others missing before them. */
  append(data) {
    if (data.from !== this.length) return false;
    const part = new Film(data, this.parts.at(-1));
    this.parts.push(part);
    this.length += data.length;
    this.rounds = data.rounds; // the first ply of each
    this.stops = part.stops;
    this.decisions = part.decisions;
    return true;
  }

  at(ply) {
    return this.parts.findLast((part) => part.from <= ply);
  }

  has(part) {
    return this.parts[0].has(part);
  }

  tree(part, ply) {
    return this.at(ply).tree(part, ply);
  }

  text(part, ply) {
    return this.at(ply).text(part, ply);
  }

  thought(ply) {
    return this.at(ply).thought(ply);
  }
}

/** `after`, with the nodes of `before` wherever they are equal, so that showing it changes nothing else. */
function shared(before, after) {
  if (!before || before === after || typeof before === "string" || typeof after === "string") return after;
  if (before.tag !== after.tag) return after;
  const offset = before.children.length - after.children.length;
  const children = after.children.map((child, at) => {
    const near = shared(before.children[at], child);
    return near === before.children[at] || !offset ? near : shared(before.children[at + offset], child);
  });
  const isEqual = !offset && children.every((child, at) => child === before.children[at]);
  const attributes = alike(before.attributes, after.attributes) ? before.attributes : after.attributes;
  return isEqual && attributes === before.attributes ? before : { tag: after.tag, attributes, children };
}

function alike(one, other) {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** The positions of one part, each made from the one before it. */
class Track {
  constructor(film, name, { patterns, order, operands }) {
    this.film = film;
    this.name = name;
    this.patterns = patterns;
    this.order = numbers(order);
    this.columns = operands.map((columns) => columns.map(numbers));
    this.rows = patterns.map(() => 0);
    this.trees = [];
  }

  /** The change that leads to a ply. They are asked for in their order. */
  change(ply) {
    const pattern = typeof this.order === "number" ? this.order : this.order[ply];
    return new Change(this.film, this.patterns[pattern], this.columns[pattern], this.rows[pattern]++);
  }

  tree(ply) {
    for (let next = this.trees.length; next <= ply; next++) {
      const tree = this.change(next).of(this.trees[next - 1] ?? { tag: "div", attributes: {}, children: [] });
      this.trees.push(next ? tree : shared(this.film.before?.tree(this.name, this.film.from - 1), tree));
    }
    return this.trees[ply];
  }
}

/** One change: contest/replay/changes.py says what its steps mean. */
class Change {
  constructor(film, steps, columns, row) {
    this.film = film;
    this.steps = steps;
    this.columns = columns;
    this.row = row;
    this.at = 0;
    this.operand = 0;
  }

  take() {
    const column = this.columns[this.operand++];
    return typeof column === "number" ? column : column[this.row];
  }

  of(node) {
    if (this.at >= this.steps.length) return node;
    let { attributes, children } = node;
    while (this.at < this.steps.length) {
      const step = this.steps[this.at++];
      if (step === "u") break;
      if (step === "a" || step === "r" || step === "p") attributes = this.attributes(step, { ...attributes });
      else children = this.children(step, [...children]);
    }
    return { tag: node.tag, attributes, children };
  }

  attributes(step, found) {
    const [name, value] = this.film.pairs[this.take()];
    if (step === "a") found[name] = value;
    else if (step === "r") delete found[name];
    else {
      const letters = [...found[name]];
      letters.splice(this.take(), this.take(), this.film.words[this.take()]);
      found[name] = letters.join("");
    }
    return found;
  }

  children(step, found) {
    const at = this.take();
    if (step === "d") found[at] = this.of(found[at]);
    else if (step === "t") found[at] = this.list().join(" ");
    else found.splice(at, this.take(), ...this.list());
    return found;
  }

  list() {
    const found = [];
    for (;;) {
      const step = this.steps[this.at++];
      if (step === "e") return found;
      if (step === "w") found.push(this.film.words[this.take()]);
      else if (step === "l") found.push(this.film.leaves[this.take()]);
      else found.push({ ...this.film.shapes[this.take()], children: this.list() });
    }
  }
}

/** A column of numbers as film.py wrote it: one number for all, or a text. */
function numbers(column) {
  if (typeof column === "number") return column;
  if (column[0] === RECENT) return recent(numbers(column.slice(1)));
  const found = [];
  let high = 0;
  for (let at = 0; at < column.length; at++) {
    const code = column.charCodeAt(at);
    const value = code - (code > 92 ? 36 : 35);
    if (value >= SMALL) high = value - SMALL;
    else {
      found.push(high * SMALL + value);
      high = 0;
    }
  }
  return found;
}

/** The numbers at these places in the order in which numbers were last used. */
function recent(places) {
  const order = [];
  return places.map((place) => {
    while (order.length <= place) order.push(order.length);
    const [number] = order.splice(place, 1);
    order.unshift(number);
    return number;
  });
}

function sums(steps) {
  let sum = 0;
  return (typeof steps === "number" ? [steps] : steps).map((step) => (sum += step));
}

// Showing trees ---------------------------------------------------------------------------------------------------------

/** The node of a page for a tree. `finish(name, value)` may change the value of an attribute. */
export function build(tree, finish = (name, value) => value, space = null) {
  if (typeof tree === "string") return document.createTextNode(tree);
  const inside = tree.tag === "svg" ? SVG : space;
  const made = inside ? document.createElementNS(inside, tree.tag) : document.createElement(tree.tag);
  for (const [name, value] of Object.entries(tree.attributes)) made.setAttribute(name, finish(name, value));
  made.append(...tree.children.map((child) => build(child, finish, inside)));
  return made;
}

/** Make an element that shows one tree show another. */
export function change(element, before, after) {
  if (before === after) return;
  if (before.attributes !== after.attributes) {
    for (const [name, value] of Object.entries(after.attributes)) {
      if (before.attributes[name] !== value) element.setAttribute(name, value);
    }
    for (const name of Object.keys(before.attributes)) if (!(name in after.attributes)) element.removeAttribute(name);
  }
  changeChildren(element, before.children, after.children);
}

function changeChildren(element, before, after) {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const nodes = [...element.childNodes].slice(start, before.length - end);
  const fresh = after.slice(start, after.length - end);
  if (nodes.length === fresh.length) {
    nodes.forEach((node, index) => changeNode(node, before[start + index], fresh[index]));
    return;
  }
  const next = element.childNodes[before.length - end] ?? null;
  for (const node of nodes) node.remove();
  const space = element.namespaceURI === SVG ? SVG : null;
  for (const tree of fresh) element.insertBefore(build(tree, undefined, space), next);
}

function changeNode(node, before, after) {
  if (before === after) return;
  if (typeof before === "string" && typeof after === "string") node.data = after;
  else if (before.tag && before.tag === after.tag) change(node, before, after);
  else node.replaceWith(build(after, undefined, node.parentNode.namespaceURI === SVG ? SVG : null));
}

// What the pages of films share ------------------------------------------------------------------------------------------

/** What is kept at an address, as JSON. The first reader of a film has it made. */
export async function fetched(address, tries = 60) {
  const answer = await fetch(address);
  if (answer.status === 503 && tries) {
    await new Promise((done) => setTimeout(done, 1000 * Number(answer.headers.get("Retry-After") ?? 1)));
    return fetched(address, tries - 1);
  }
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  return answer.json();
}

/** The film of a game in one view. While nobody has had it made, that of the round which is shown comes first. */
export class Fetching {
  constructor(address, isNew) {
    this.address = address;
    this.isNew = isNew;
    this.game = null; // the film, or a promise of it
    this.rounds = new Map(); // by number the same
  }

  /** A film that shows a round, or a promise of one. */
  film(round) {
    const part = this.rounds.get(round);
    if (part instanceof Film) return part; // so that a page goes from one film to another with the round
    return this.game instanceof Film || !this.isNew ? this.whole() : (part ?? this.part(round));
  }

  /** The film of the game, or a promise of it. */
  whole() {
    this.game ??= fetched(this.address).then((found) => (this.game = new Film(found)), (error) => {
      this.game = null; // asked again next time
      throw error;
    });
    return this.game;
  }

  part(round) {
    const found = fetched(`${this.address}&round=${round}`).then((data) => {
      const film = new Film(data);
      if (film.isWhole) this.game = film;
      else this.rounds.set(round, film);
      Promise.resolve(this.whole()).catch(() => {});
      return film;
    });
    this.rounds.set(round, found);
    found.then((film) => film.isWhole && this.rounds.delete(round), () => this.rounds.delete(round));
    return found;
  }
}

/** Let a control lead to an address; null: nowhere. */
export function lead(control, address) {
  if (address === null) {
    control.removeAttribute("href");
    control.setAttribute("role", "link");
    control.setAttribute("aria-disabled", "true");
  } else {
    control.href = address;
    control.removeAttribute("role");
    control.removeAttribute("aria-disabled");
  }
}

/** The view that a key shows where the page offers it; undefined for other keys. */
export function viewOf(key) {
  return { o: "table", x: "hidden", 1: "0", 2: "1", 3: "2", 4: "3" }[key];
}

/** By how many places a table is turned for a view: its seat sits nearest. */
export function turned(view, seats) {
  return /^\d+$/.test(view) ? (Math.floor(seats / 2) - Number(view) + seats) % seats : 0;
}
