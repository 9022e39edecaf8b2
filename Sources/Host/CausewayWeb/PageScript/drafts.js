// Keeps the text typed into forms when the page or its session is replaced.
//
// `data-draft` of a form is the action that opens the form, or empty. A new session has no record
// of the open forms, so the page sends this action again.
import { fill, keeper, report, state } from "./page.js";
import { isUnsaved, retype, typed } from "./controls.js";
import { storedActions } from "./queue.js";
import { rowOf } from "./rows.js";
import { store } from "./storage.js";

const drafts = new Map(); // Drafts that wait for their form, by the form's name.

const forms = () => [...document.querySelectorAll("form[data-draft]")];
const nameOf = (form) => `${openingOf(form)} ${form.dataset.action}`;
// If the action in `data-draft` is not JSON, the form counts as always open, so it keeps its text.
function openingOf(form) {
  const { draft } = form.dataset;
  try { return draft && fill(draft, { item: rowOf(form)?.item, state }); } catch {
    report(`data-draft="${draft}" is not JSON`);
    return "";
  }
}
export const isKept = (control) => control.name && !["password", "file"].includes(control.type)
  && isUnsaved(control);

// The draft of a form, or undefined if the form has no text to keep.
export function draftOf(form) {
  const controls = [...form.elements].filter(isKept);
  if (form.dataset.draft === undefined || controls.length === 0) return undefined;
  const values = controls.map((control) => [control.name, control.value, typed(control)]);
  return [nameOf(form), { opening: openingOf(form), values }];
}
const all = () => forms().map(draftOf).filter(Boolean);

// Stores the typed text before the state of a new session replaces it.
export function keepDrafts() {
  for (const [name, draft] of all()) drafts.set(name, draft);
}
export const keepDraft = ([name, draft]) => drafts.set(name, draft);

// Puts drafts back into their forms, and sends the actions that open the missing forms.
export function restoreDrafts(send) {
  if (drafts.size === 0) return;
  const open = new Map(forms().map((form) => [nameOf(form), form]));
  for (const [name, draft] of drafts) {
    const form = open.get(name);
    if (!form?.checkVisibility() && draft.opening && !draft.isAsked) {
      draft.isAsked = true;
      send(draft.opening, () => { if (drafts.get(name) === draft) drafts.delete(name); });
    }
    if (!form) continue;
    const found = draft.values.map((value) => [controlOf(form, value), value[2]])
      .filter(([control]) => control);
    // If the form has newer text, that text stays. The draft waits until the form is sent or reset.
    if (found.some(([control, old]) => isUnsaved(control) && typed(control) !== old)) continue;
    drafts.delete(name);
    for (const [control, old] of found) retype(control, old);
  }
}
function controlOf(form, [name, value, old]) {
  const group = form.elements[name];
  const controls = group instanceof RadioNodeList ? [...group] : [group];
  const isChoice = typeof old === "boolean" && controls.length > 1;
  return isChoice ? controls.find((one) => one.value === value) : controls[0];
}
export function storeDrafts() {
  const queue = storedActions();
  // A queued action contains its own text. Only text that was typed later is stored as a draft.
  const idOf = ([name, { values }]) => JSON.stringify([name, values]);
  const queued = new Set(queue.filter(({ draft }) => draft).map(({ draft }) => idOf(draft)));
  store("drafts", [...drafts, ...all()].filter((draft) => !queued.has(idOf(draft))));
  store("actions", queue);
  keeper.stored(queue);
}
// The browser may end a page without an event, so the text is stored while it is typed.
let storing = 0;
export function storeDraftsSoon(delay = 500) {
  clearTimeout(storing);
  storing = setTimeout(storeDrafts, delay);
}

// Removes all typed text. Returns whether there was any.
export function dropDrafts() {
  const hasText = drafts.size + all().length > 0;
  drafts.clear();
  store("drafts", []);
  for (const form of document.forms) form.reset();
  return hasText;
}
