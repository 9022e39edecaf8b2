// Keeps the text typed into forms when the page or its session is replaced.
//
// `data-draft` of a form is the action that opens the form, or empty. A new session has no record
// of the open forms, so the page sends this action again.
import { state } from "./causeway.js";
import { isUnsaved, retype, typed } from "./controls.js";
import { fill, lanes, rowOf, send, storedActions, takeUp } from "./actions.js";
import { recall, store } from "./storage.js";

const drafts = new Map(); // Drafts that wait for their form, by the form's name.

const forms = () => [...document.querySelectorAll("form[data-draft]")];
const nameOf = (form) => `${openingOf(form)} ${form.dataset.action}`;
const openingOf = (form) => (
  form.dataset.draft && fill(form.dataset.draft, { item: rowOf(form)?.item, state }));
const isKept = (control) => control.name && !["password", "file"].includes(control.type)
  && isUnsaved(control);

// The draft of a form, or undefined if its text is not worth keeping.
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
export function keepDraft([name, draft]) {
  drafts.set(name, draft);
  restoreDrafts();
}

// Puts drafts back into their forms, and sends the actions that open the missing forms.
export function restoreDrafts() {
  if (drafts.size === 0) return;
  const open = new Map(forms().map((form) => [nameOf(form), form]));
  for (const [name, draft] of drafts) {
    const form = open.get(name);
    if (!form?.checkVisibility() && draft.opening && !draft.isAsked) {
      draft.isAsked = true;
      send(draft.opening);
    }
    if (!form) continue;
    drafts.delete(name);
    for (const [name, value, typed] of draft.values) {
      const group = form.elements[name];
      const controls = group instanceof RadioNodeList ? [...group] : [group];
      const isChoice = typeof typed === "boolean" && controls.length > 1;
      const control = isChoice ? controls.find((one) => one.value === value) : controls[0];
      if (control) retype(control, typed);
    }
  }
}

function storeDrafts() {
  const queue = storedActions();
  const queued = new Set(queue.map(({ draft }) => draft?.[0]));
  store("drafts", [...drafts, ...all()].filter(([name]) => !queued.has(name)));
  store("actions", queue);
}
// The browser may end a page without an event, so the text is stored while it is typed.
let storing = 0;
export function storeDraftsSoon() {
  clearTimeout(storing);
  storing = setTimeout(storeDrafts, 500);
}

export function beginDrafts() {
  for (const [name, draft] of recall("drafts")) drafts.set(name, { ...draft, isAsked: false });
  takeUp(recall("actions"));
  addEventListener("input", storeDraftsSoon);
  addEventListener("pagehide", storeDrafts);
  addEventListener("visibilitychange", () => { if (document.hidden) storeDrafts(); });
  addEventListener("pageshow", ({ persisted }) => { if (persisted) takeUp(recall("actions")); });
  addEventListener("beforeunload", (event) => {
    const isQueued = [...lanes.values()].some(({ queue }) => queue.length > 0);
    const controls = [...document.querySelectorAll("form[data-on] [name]")];
    if (isQueued || controls.some((one) => one.checkVisibility() && isUnsaved(one))) {
      event.preventDefault();
    }
  });
}
