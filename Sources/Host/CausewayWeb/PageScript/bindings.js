// Binds the elements of a page to the view state.
import { events, send } from "./actions.js";
import { followAddress } from "./address.js";
import { setValue } from "./controls.js";
import { restoreDrafts } from "./drafts.js";
import { focusing, settleFocus } from "./focus.js";
import { attempt, reader, report, root, text } from "./page.js";
import { list, settleRows } from "./rows.js";

// "name:path; name2:path2"
const pairs = (list) => [...(list ?? "").matchAll(/([^;:]+):([^;]+)/g)]
  .map(([, name, path]) => [name.trim(), reader(path.trim())]);

const attributes = ["each", "with", "text", "show", "hide", "attr", "class", "value", "focus", "on",
  "address"];
const selector = attributes.map((name) => `[data-${name}]`).join();
const later = []; // Values of controls. The options of a select must exist first.

// Formats for the language and the time zone of the viewer.
const formats = {
  number: (languages) => new Intl.NumberFormat(languages),
  percent: (languages) => new Intl.NumberFormat(languages, { style: "percent" }),
  time: (languages) => new Intl.DateTimeFormat(languages, { timeStyle: "short" }),
  date: (languages) => new Intl.DateTimeFormat(languages, { dateStyle: "long" }),
  weekday: (languages) => new Intl.DateTimeFormat(languages, { weekday: "long" }),
  instant: (languages) => new Intl.DateTimeFormat(
    languages, { dateStyle: "medium", timeStyle: "short" }),
};
function formatter(name) {
  if (name === undefined) return text;
  if (!Object.hasOwn(formats, name)) {
    report(`there is no format "${name}"`);
    return text;
  }
  const format = formats[name](navigator.languages);
  const isDate = format instanceof Intl.DateTimeFormat;
  return (value) => {
    if (text(value) === "") return "";
    const subject = isDate ? new Date(value) : Number(value);
    return Number.isNaN(Number(subject)) ? text(value) : format.format(subject);
  };
}

// A web address in a text. A punctuation mark at its end belongs to the sentence. A bracket belongs
// to the address only together with its partner. Characters that change the direction of a text do
// not belong to the address, because they could hide where it leads.
const inside = "[^\\s()。、，！？；：（）「」『』【】《》"
  + "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]";
const bracket = `\\(${inside}*\\)`;
const closingMark = "[.,:;!?'\"[\\]{}<>“”‘’«»…]";
const webAddress = new RegExp(
  `(https?://(?:${inside}|${bracket})*(?:(?!${closingMark})${inside}|${bracket}))`, "i");

// The parts of a text, with links in place of its web addresses.
const withLinks = (shown) => shown.split(webAddress)
  .map((part, index) => {
    if (index % 2 === 0 || !isLink(part)) return part;
    const link = document.createElement("a");
    // The other page must neither control this one nor learn its address.
    Object.assign(link, { href: part, target: "_blank", rel: "noopener noreferrer" });
    link.textContent = part;
    return link;
  });

// Returns the updates of an element, in the order in which they must run.
function bind(element) {
  const { each, show, hide, value, focus, ...bound } = element.dataset;
  const updates = [];
  const add = (expression, update) => {
    if (expression === undefined) return;
    const get = reader(expression);
    updates.push((item) => update(get(item)));
  };
  if (each !== undefined) add(each, list(element, bindAll));
  if (bound.with !== undefined) {
    const update = list(element, bindAll);
    add(`${bound.with.replace(/\?$/, "")}?`, (value) => update(text(value) === "" ? [] : [value]));
  }
  const hasLinks = bound.format === "links";
  const format = formatter(hasLinks ? undefined : bound.format);
  add(bound.text, (value) => {
    const shown = format(value);
    if (element.textContent === shown) return;
    element.replaceChildren(...(hasLinks ? withLinks(shown) : [shown]));
  });
  add(show, (value) => { element.hidden = !value; });
  add(hide, (value) => { element.hidden = Boolean(value); });
  for (const [name, get] of pairs(bound.attr)) {
    if (isSafe(element, name)) updates.push((item) => setAttribute(element, name, get(item)));
    else report(`the attribute ${name} cannot be bound`, element);
  }
  for (const [name, get] of pairs(bound.class)) {
    updates.push((item) => element.classList.toggle(name, Boolean(get(item))));
  }
  add(value, (value) => later.push(() => setValue(element, value)));
  for (const path of focus?.split(";") ?? []) add(path.trim(), focusing(element));
  add(bound.address, followAddress);
  for (const name of bound.on?.split(/\s+/) ?? []) {
    if (!events.includes(name.split(".")[0]) && !(name === "address" && bound.address)) {
      report(`there is no event "${name}"`, element);
    }
  }
  return updates;
}
export const bindAll = (elements) => elements.flatMap((element) => {
  const inside = [...element.querySelectorAll(selector)];
  return (element.matches(selector) ? [element, ...inside] : inside)
    .flatMap((bound) => attempt(bind, bound));
});
const isSafe = (element, name) =>
  /^(?!on|data-|style$|srcdoc$|srcset$)[a-z][a-z0-9-]*$/.test(name)
  && !/^(script|iframe|object|embed|base|link|meta)$/.test(element.localName);
const isLink = (address) => URL.canParse(address, location.href)
  && /^(https?|mailto):$/.test(new URL(address, location.href).protocol);

function setAttribute(element, name, value) {
  if (/^(href|src|action|formaction|poster|cite)$/.test(name) && !isLink(value)) value = null;
  if (name.startsWith("aria-") && value !== null) value = text(value);
  if (value === false || value === null || value === undefined) element.removeAttribute(name);
  else if (value === true) element.toggleAttribute(name, true);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

let updates;
export function render() {
  updates ??= bindAll([root]);
  const focused = document.activeElement; // An update may move the focus.
  for (const update of updates) attempt(update);
  settleRows(focused);
  for (const update of later.splice(0)) attempt(update);
  settleFocus(focused);
  attempt(restoreDrafts, send);
}
