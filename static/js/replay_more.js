// What readers of a replay do now and then: searching, copying, checking, writing. It comes when the page has nothing more
// urgent to load, or when it is first asked for.

import { build, fetched } from "./film.js";

const FOUND = 100; // moves in the list of those that were searched for

/**
 * `replay`: what replay.js lends us. {root, one, all, act, data, state, address(ply, view), pause(), say(words),
 * whole(view), last(), firsts()}
 */
export function more({ root, one, all, act, data, state, address, pause, say, whole, last, firsts }) {
  const asked = JSON.parse(data.asked ?? "{}"); // by view the addresses of what bots were sent, and then that

  /** On the chart a line at the position, between the rounds before and after it. */
  function cursor(ply, round) {
    const columns = all(".chart a[data-ply] rect");
    if (!columns[round]) return;
    const [x, next] = [columns[round - 1], columns[round]].map((it) => it.x.baseVal.value + it.width.baseVal.value / 2);
    const end = Number(columns[round].parentNode.dataset.ply);
    const at = x + (next - x) * Math.min(1, (ply - firsts()[round - 1]) / Math.max(1, end - firsts()[round - 1]));
    const chart = one(".chart");
    let line = one(".chart .cursor");
    if (!line) {
      const { y, height } = columns[0];
      const attributes = { class: "cursor", y1: y.baseVal.value, y2: y.baseVal.value + height.baseVal.value };
      line = build({ tag: "line", attributes, children: [] }, undefined, chart.namespaceURI);
      chart.prepend(line);
    }
    line.setAttribute("x1", at);
    line.setAttribute("x2", at);
  }

  /** What decided the game, from the page of this view: each seat has lost by another lead. */
  async function decided() {
    const { ply, view } = state;
    state.told = view;
    const page = await fetch(address(ply, view)).then((answer) => answer.text()).catch(() => "");
    const fresh = new DOMParser().parseFromString(page, "text/html").querySelector(".swings");
    if (fresh && view === state.view) one(".swings").replaceWith(fresh);
  }

  /** Searching the moves of the whole game. */
  async function search() {
    const words = one("#search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const by = one("#by").value;
    const found = one("#found");
    const searching = Boolean(words.length || by);
    found.hidden = !searching;
    one("#moves").hidden = searching;
    if (!searching) return;
    const film = await whole(state.view).catch(() => null);
    if (!film) return;
    const among = by ? film.stops[by] : [...Array(last() + 1).keys()];
    const hits = [];
    for (const ply of among) {
      const text = `${film.text("where", ply)}: ${film.text("caption", ply)}`;
      if (words.every((word) => text.toLowerCase().includes(word))) hits.push([ply, text]);
    }
    const shown = hits.slice(0, FOUND).map(([ply, text]) => build({
      tag: "li",
      attributes: {},
      children: [{ tag: "a", attributes: { href: address(ply, state.view), "data-ply": `${ply}` }, children: [text] }],
    }));
    found.replaceChildren(...shown.length ? shown : [build({ tag: "li", attributes: {}, children: ["No move found"] })]);
    say(`${hits.length} moves found${hits.length > FOUND ? `, the first ${FOUND} are shown` : ""}.`);
  }

  function toNote() {
    const text = one("#note-text");
    if (!text) return;
    pause();
    text.closest("details").open = true;
    text.focus();
  }

  function toLog() {
    one(".log").scrollIntoView({ block: "nearest" });
    one("#search").focus();
  }

  /** By ply: what bots were sent, as far as a view may know it. */
  function sent(view) {
    if (typeof asked[view] === "string") asked[view] = fetched(asked[view]).catch(() => ({}));
    return Promise.resolve(asked[view] ?? {});
  }

  async function fillAsked() {
    const { ply, view } = state;
    const found = await sent(view);
    const pre = one("[data-asked]");
    if (pre && ply === state.ply && view === state.view) pre.textContent = found[ply] ?? "";
  }

  async function fillDebug() {
    const { ply } = state;
    state.debug ??= fetched(data.debug).catch(() => ({}));
    const found = await state.debug;
    if (ply !== state.ply) return;
    const said = found[ply] ?? [];
    one("[data-debug]").replaceChildren(...said.flatMap(([heading, text]) => [
      build({ tag: "p", attributes: { class: "small muted" }, children: [heading] }),
      build({ tag: "pre", attributes: { tabindex: "0" }, children: [text] }),
    ]));
  }

  async function copy(name, text, said) {
    const control = act(name);
    try {
      await navigator.clipboard.writeText(text);
      say(said);
      const label = (control.dataset.label ??= control.textContent);
      control.textContent = "Copied";
      setTimeout(() => (control.textContent = label), 1500);
    } catch {
      say("The browser did not allow it: copy the address of the page.");
    }
  }

  /** In a frame of another site the link leads to the page of the replay. */
  const copyLink = () => {
    const link = data.page ? new URL(data.page + location.search, location.href).href : location.href;
    copy("copy", link, "The link to this position is copied.");
  };

  /** HTML that shows this position in a page of another site. */
  function copyEmbed() {
    const { search } = new URL(address(state.ply, state.view), location.href);
    const code = act("embed").dataset.code.replace("/embed/", `/embed/${search.replaceAll("&", "&amp;")}`);
    copy("embed", code, "HTML for another site is copied.");
  }

  /** The position in words: what a screen reader says of the hands, and the notes below the table. */
  function copyText() {
    const words = (element) => element.textContent.replace(/\s+/g, " ").trim();
    const rows = all("#position tr").map((row) => [...row.cells].map(spoken).join(" | "));
    const hands = all("#position .hand").map((hand) => hand.getAttribute("aria-label"));
    const trick = all("#position .trick [aria-label], #position .cover [aria-label]").map((it) => it.getAttribute("aria-label"));
    const said = [words(one("#where")), words(one("#caption")), ...hands];
    if (trick.length) said.push(`On the table: ${trick.join(", ")}`);
    copy("copytext", [...said, ...rows, location.href].join("\n"), "This position is copied as text.");
  }

  function spoken(cell) {
    const copied = cell.cloneNode(true);
    for (const each of copied.querySelectorAll("[aria-label]")) each.textContent = `${each.getAttribute("aria-label")} `;
    return copied.textContent.replace(/\s+/g, " ").trim();
  }

  /** What the bot that decides next is sent, as its protocol puts it. */
  async function copySent() {
    const found = await sent(state.view);
    const next = Object.keys(found).map(Number).find((ply) => ply > state.ply);
    if (next === undefined) return say("In this view nobody is asked any more.");
    copy("copysent", found[next], "What the next bot is sent is copied.");
  }

  /** Run the whole record again by the rules, on the server. */
  async function verify() {
    const verdict = one("#verdict");
    verdict.hidden = false;
    verdict.classList.remove("notice-bad");
    verdict.textContent = "Running the match again by the rules …";
    try {
      const found = await fetched(data.verify);
      verdict.textContent = found.text;
      verdict.classList.toggle("notice-bad", !found.equal);
      if (found.game !== Number(data.number)) return;
      const link = { tag: "a", attributes: { href: address(found.ply, state.view) }, children: ["See the position"] };
      verdict.append(" ", build(link));
    } catch {
      verdict.textContent = "The server did not answer. Try again in a minute.";
    }
  }

  return {
    cursor, decided, search, toNote, toLog, fillAsked, fillDebug, verify,
    copy: copyLink, copytext: copyText, copysent: copySent, embed: copyEmbed,
  };
}
