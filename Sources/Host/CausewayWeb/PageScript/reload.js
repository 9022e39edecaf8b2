// Typed text and actions over a reload of the page.
import { dropActions, replaced, showProblem } from "./actions.js";
import { isUnsaved } from "./controls.js";
import { dropDrafts, isKept, keepDraft, storeDrafts, storeDraftsSoon } from "./drafts.js";
import { attempt } from "./page.js";
import { isStored, lanes, takeUp, waiting } from "./queue.js";
import { recall } from "./storage.js";
import { uploads } from "./upload.js";

// Removes all actions and typed text, because the page now shows another account or scope. Returns
// a problem for the user.
export function dropAll() {
  const problem = dropActions();
  return dropDrafts() ? problem || replaced : problem;
}

let isReplaced = false;
// Reloads the page to get the server's version of it, but only if the next page gets everything
// that the user has done. Returns whether the page reloads.
export function replacePage() {
  const entries = [...lanes.values()].flatMap(({ queue }) => queue);
  const controls = [...document.querySelectorAll("[name]")].filter(isUnsaved);
  const isSafe = uploads === 0 && entries.every(isStored)
    && controls.every((control) => isKept(control) && control.form?.dataset.draft !== undefined);
  if (isSafe) loadAgain();
  return isSafe;
}
// Reloads the page without the browser's question.
export function loadAgain() {
  isReplaced = true;
  storeDrafts();
  location.reload();
}

function takeUpStored() {
  const refused = () => showProblem(replaced);
  for (const [name, draft] of recall("drafts", refused)) {
    keepDraft([name, { ...draft, isAsked: false }]);
  }
  takeUp(recall("actions", refused));
}
export function beginDrafts() {
  attempt(takeUpStored); // Another version of this script may use another format.
  addEventListener("input", () => storeDraftsSoon());
  addEventListener("pagehide", storeDrafts);
  addEventListener("visibilitychange", () => { if (document.hidden) storeDrafts(); });
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) attempt(() => takeUp(recall("actions")));
  });
  addEventListener("beforeunload", (event) => {
    if (isReplaced) return;
    const isQueued = uploads > 0 || waiting() > 0;
    const controls = [...document.querySelectorAll("form[data-on] [name]")];
    if (isQueued || controls.some((one) => one.checkVisibility() && isUnsaved(one))) {
      event.preventDefault();
    }
  });
}
