// What a coach says at a decision (games/coach.py): shown beside the table. The texts come from the server.

/** Show the advice of a question in an element, in place of what it showed before. */
export function showAdvice(element, advice) {
  const news = list("news", advice.happened ?? []);
  const refused = (advice.may_not ?? []).map((each) => [`${upper(each.words)}: `, each.why]);
  element.replaceChildren(
    ...[
      paragraph("welcome", advice.welcome),
      news,
      ...(advice.marks ?? []).map((text) => paragraph("mark", text)),
      heading(advice.title),
      paragraph("now", [advice.now, advice.may, advice.stake].filter(Boolean).join(" ")),
      ...(advice.ideas ?? []).map((idea) => lesson(idea)),
      refused.length ? more("Why not the others?", refusedList(refused)) : null,
      advice.hint ? more("A hint", [paragraph("hint", advice.hint)]) : null,
    ].filter(Boolean),
  );
  element.hidden = false;
}

function made(tag, name, ...children) {
  const element = document.createElement(tag);
  if (name) element.className = `advice-${name}`;
  element.append(...children);
  return element;
}

const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const paragraph = (name, text) => (text ? made("p", name, text) : null);
const heading = (text) => (text ? made("h2", "title", text) : null);
const lesson = ({ title, text }) => made("p", "idea", made("b", "", `${title}.`), ` ${text}`);
const more = (label, children) => made("details", "more", made("summary", "", label), ...children);

function list(name, texts) {
  return texts.length ? made("ul", name, ...texts.map((text) => made("li", "", text))) : null;
}

function refusedList(refused) {
  return [made("ul", "refused", ...refused.map(([cards, why]) => made("li", "", made("b", "", cards), why)))];
}
