// Binds a page to the view state of its session.
//
// The page contains the first view state. An event stream sends a full view state, then patches
// (RFC 7396). The files of this folder are modules for tools. The server joins them to one script.
import { focusing, settleFocus } from "./focus.js";
import { setValue } from "./controls.js";
import { list, settleRows } from "./rows.js";
import { restoreDrafts } from "./drafts.js";
import { followAddress } from "./address.js";
import { parsed } from "./paths.js";

export const root = document.documentElement;
export const meta = (name) => document.querySelector(`meta[name="causeway-${name}"]`)?.content;
export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
export const text = (value) => (value === null || value === undefined ? "" : String(value));
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// The owner identifies the browser, the account and the scope whose data the page shows.
export let [session, version, owner] = [meta("session"), meta("version"), meta("owner")];
export let state = JSON.parse(document.getElementById("state").textContent);
// What the page does at its events to keep its state on the device; nothing without that option.
export const keeper = {
  online() {}, heard() {}, refused() {}, acting() {}, stored() {}, ready() {}, begun() {},
  renewed: () => false,
};
export function adopt(next) {
  ({ session = session, version = version, state = state, owner = owner } = next);
}

const reported = new Set();
export function report(problem, ...details) {
  if (reported.has(problem)) return;
  reported.add(problem);
  console.error(`causeway: ${problem}`, ...details);
}
// Returns a function that reads a path; `item` is the row of the element.
export function reader(expression) {
  try {
    const get = parsed(expression, (path) => report(`the view state has no "${path}"`));
    return (item) => get(state, item);
  } catch (error) {
    report(error.message);
    return () => undefined;
  }
}
// "name:path; name2:path2"
const pairs = (list) => [...(list ?? "").matchAll(/([^;:]+):([^;]+)/g)]
  .map(([, name, path]) => [name.trim(), reader(path.trim())]);

export function patched(target, patch) {
  if (!isObject(patch)) return patch;
  if (Array.isArray(target) && patch.$rows) return patchedRows(target, patch.$rows);
  const result = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = patched(Object.hasOwn(result, name) ? result[name] : undefined, value);
  }
  return result;
}
// Unmoved rows keep their order. The other rows are inserted from the lowest index to the
// highest.
function patchedRows(target, { gone = [], placed = [], changed = {} }) {
  const known = new Map(target.map((row) => [String(row.id), row]));
  // If a page reads an event twice, the new row must replace its first copy.
  const idOf = (row) => (isObject(row) ? String(row.id) : row);
  const away = new Set([...gone, ...placed.map(([, row]) => idOf(row))]);
  const result = target.filter((row) => !away.has(String(row.id)));
  for (const [index, row] of placed) {
    const entry = isObject(row) ? row : known.get(row);
    // After this error, the page requests the whole state.
    if (entry === undefined) throw new Error(`a list has no row "${row}" to move`);
    result.splice(index, 0, entry);
  }
  return result.map((row) => (
    Object.hasOwn(changed, row.id) ? patched(row, changed[row.id]) : row));
}

const attributes = ["each", "with", "text", "show", "hide", "attr", "class", "value", "focus", "on",
  "address"];
const selector = attributes.map((name) => `[data-${name}]`).join();
export const events = ["submit", "click", "input", "change", "keydown"];
export const later = []; // Values of controls. The options of a select must exist first.

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

// A web address in a text. A mark at its end belongs to the sentence, and a bracket to the address
// only with its partner. Characters that change the direction of a text could hide where it leads.
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
  if (each !== undefined) add(each, list(element));
  if (bound.with !== undefined) {
    const update = list(element);
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
// A value that does not fit its element, or a mistake in one element, must not stop the others.
export function attempt(action, argument) {
  try { return action(argument); } catch (error) {
    console.error("causeway:", error);
    return [];
  }
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
  attempt(restoreDrafts);
}
