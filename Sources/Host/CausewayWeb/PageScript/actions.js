// Numbers and sends the actions of the page.
//
// An action gets its number when the user acts, and keeps it as long as its session lives. The
// server applies each number of a session once. The page stores the queue before it sends an
// action. After a reload, or after the tab was killed, the next page sends these actions with the
// same numbers to the same session. If that session has ended, only actions that were never sent
// get new numbers.
//
// Actions of one lane are sent one after another. `data-lane` names a lane; actions of different
// lanes are sent at the same time. An action whose effects take long leaves its lane, and is sent
// again until the server answers that they have ended.
import { fill, keeper, owner, pause, reader, session, state, text } from "./page.js";
import { isUnsaved } from "./controls.js";
import { draftOf, keepDraft, restoreDrafts, storeDraftsSoon } from "./drafts.js";
import { setActor } from "./focus.js";
import { lane, lanes, storedActions } from "./queue.js";
import { rowOf } from "./rows.js";
import { isOnline, reconnect, resume, showConnection } from "./status.js";
import { store } from "./storage.js";
import { upload } from "./upload.js";

export const events = ["submit", "click", "input", "change", "keydown"];

// Files become base64 text, which Swift decodes as `Data`.
const fileText = (file) => file && new Promise((done) => {
  const reading = new FileReader();
  reading.onloadend = () => done(reading.result?.slice(reading.result.indexOf(",") + 1));
  reading.readAsDataURL(file);
});
function controlValue(control) {
  if (!control || control instanceof RadioNodeList) return control?.value;
  if (control.type === "checkbox") return control.checked;
  if (control.type === "file") return fileText(control.files[0]);
  if (control.type === "select-multiple") return [...control.selectedOptions].map((o) => o.value);
  const kind = control.dataset?.type ?? control.type;
  if (!["instant", "number", "range"].includes(kind)) return control.value;
  if (control.value === "") return undefined;
  if (kind !== "instant") return Number(control.value);
  const date = new Date(control.value);
  // The server refuses a text that is not a date, and names the control.
  return Number.isNaN(date.getTime()) ? control.value : date.toISOString();
}
const shape = (form) => new URLSearchParams(new FormData(form)).toString();

// The page refuses an action that it cannot make in the same way as an action that the server
// refuses.
export const act = (...event) => makeAction(...event).catch((error) => {
  console.error("causeway:", error);
  showProblem(unsent);
});
async function makeAction(element, target, type) {
  const form = element.closest("form");
  const named = [...(form?.elements ?? [])].filter((control) => control.name);
  // A file that is uploaded is not part of the action.
  const isUpload = (control) => element.dataset.upload && control?.type === "file";
  const values = named.filter((control) => !isUpload(control))
    .map(({ name }) => [name, controlValue(form.elements[name])]);
  const value = isUpload(target) ? undefined : controlValue(target);
  // All values are read now, because the page may change before the action is sent.
  const context = { item: rowOf(element)?.item, state, checked: target.checked };
  const entry = { element, isSecret: named.some((control) => control.type === "password") };
  const began = owner;
  // An action with a password is not stored, and a page without a session may have to reload.
  if (entry.isSecret && !session) {
    showProblem(unconnected);
    return;
  }
  if (type === "submit") {
    const watch = form.dataset.reset;
    Object.assign(entry, { form, shape: shape(form), draft: draftOf(form), watch });
  }
  const isLosing = form && [...form.elements].some(isUnsaved);
  const { confirm, confirmUnsaved } = element.dataset;
  const question = confirm ?? (isLosing ? confirmUnsaved : undefined);
  if (question && !(await agreed(question, element, context.item))) return;
  setActor(type === "submit" ? document.activeElement : element);
  if (element.dataset.upload) {
    try { context.upload = await upload(target, element, context.item); } catch (problem) {
      if (problem.message) showProblem(problem.message);
      return;
    }
  }
  if (owner !== began) {
    showProblem(replaced);
    return;
  }
  keeper.acting(element);
  entry.body = (async () => {
    for (const pair of values) pair[1] = await pair[1];
    Object.assign(context, { value: await value, form: Object.fromEntries(values) });
    return fill(element.dataset.action, context);
  })();
  enqueue(entry, lane(element.dataset.lane ?? ""));
}
// Sends an action without `$` paths. Calls `refused` if the server refuses the action.
export const send = (body, refused) => enqueue({ body: Promise.resolve(body), refused }, lane(""));

let actions = 0; // The number of actions of this page.
function enqueue(entry, lane) {
  entry.order = actions += 1;
  entry.number = lane.next;
  lane.next += 1;
  lane.queue.push(entry);
  entry.body.then((body) => {
    entry.text = body;
    storeActions();
  }, () => {});
  mark(entry.element);
  resume();
  drain(lane);
}
// Shows on an element whether its actions are queued or sent.
function mark(element) {
  if (!element) return;
  const own = [...lanes.values()].flatMap(({ queue }) => queue)
    .filter((entry) => entry.element === element);
  const isSent = own.some((entry) => entry.isSent);
  if (own.length > 0) element.setAttribute("aria-busy", "true");
  else element.removeAttribute("aria-busy");
  element.classList.toggle("is-sent", isSent);
  element.classList.toggle("is-queued", own.length > 0 && !isSent);
}

const delayed = new Map(); // The delayed action of each element.
function dispatch(element, target, type) {
  const delay = Number(element.dataset.debounce ?? 0);
  clearTimeout(delayed.get(element)?.timer);
  delayed.delete(element);
  if (delay > 0 && type === "input") {
    delayed.set(element, { target, timer: setTimeout(() => actDelayed(element), delay) });
  } else {
    // Typed text must be sent before the click or the key that follows it.
    actAllDelayed();
    act(element, target, type);
  }
}
function actDelayed(element) {
  const { target, timer } = delayed.get(element);
  clearTimeout(timer);
  delayed.delete(element);
  act(element, target, "input");
}
const actAllDelayed = () => [...delayed.keys()].forEach(actDelayed);
const keyName = ({ key }) => (key === " " ? "Space" : key);
// The browser handles a click that opens another tab.
const isForBrowser = (event) => event.type === "click"
  && (event.ctrlKey || event.metaKey || event.shiftKey);

export function beginActions() {
  addEventListener("pagehide", actAllDelayed);
  for (const type of events) {
    document.addEventListener(type, (event) => {
      const name = type === "keydown" ? `keydown.${CSS.escape(keyName(event))}` : type;
      const element = event.target.closest?.(`[data-on~="${name}"][data-action]`);
      if (!element || event.isComposing) return;
      if (element.localName === "a" && isForBrowser(event)) return;
      if (["submit", "keydown"].includes(type) || element.localName === "a") event.preventDefault();
      dispatch(element, event.target, type);
    });
  }
  // A key presses a button of the form, dialog or section that has the focus.
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    const buttons = document.querySelectorAll(`[data-shortcut="${CSS.escape(keyName(event))}"]`);
    const isNear = (button) => button.checkVisibility()
      && button.closest("form, dialog, section")?.contains(event.target);
    const button = [...buttons].findLast(isNear); // Inner forms come after outer sections.
    if (!button) return;
    event.preventDefault();
    button.click();
  });
}

function agreed(asked, { dataset }, item) {
  const make = (name, properties) => Object.assign(document.createElement(name), properties);
  const question = asked.replace(/\{(.+?)\}/g, (_, path) => text(reader(path)(item)));
  const dialog = make("dialog", { ariaLabel: question });
  const form = make("form", { method: "dialog" });
  form.append(make("p", { textContent: question }),
    make("button", { value: "no", textContent: dataset.confirmNo ?? "Cancel" }),
    make("button", { value: "yes", textContent: dataset.confirmYes ?? "OK" }));
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((done) => dialog.addEventListener("close", () => {
    dialog.remove();
    done(dialog.returnValue === "yes");
  }));
}

let actionsBeforeProblem = 0; // When the last problem was shown.
export function showProblem(problem) {
  if (problem) actionsBeforeProblem = actions;
  for (const element of document.querySelectorAll("[data-problem]")) {
    Object.assign(element, { textContent: problem, hidden: problem === "" });
  }
}
function finish(entry, lane, problem) {
  const index = lane.queue.indexOf(entry);
  if (index < 0) return;
  lane.queue.splice(index, 1);
  lanes.delete(entry);
  storeActions();
  storeDraftsSoon();
  mark(entry.element);
  // The success of an earlier action does not hide the problem of a later one.
  if (problem || entry.order > actionsBeforeProblem) showProblem(problem);
}

export const drainAll = () => { for (const lane of lanes.values()) drain(lane); };
// Sends the queued actions of a lane one after another while the page is connected.
function drain(lane) {
  if (lane.isDraining) return;
  lane.isDraining = true;
  lane.drained = sendQueue(lane);
}
// Waits until all lanes have stopped sending.
export const answers = () => Promise.all([...lanes.values()].map(({ drained }) => drained));
async function sendQueue(lane) {
  while (lane.queue.length > 0 && isOnline) {
    const entry = lane.queue[0];
    const body = await entry.body.catch((error) => console.error("causeway:", error));
    if (lane.queue[0] !== entry) continue; // The page shows another account or group now.
    const request = requestOf(entry, lane, body);
    if (!request) {
      if (!entry.session) lane.hasGap = true;
      entry.refused?.();
      refuse(entry, lane, unsent);
      continue;
    }
    const wasSent = entry.isSent;
    try {
      entry.isSent = true;
      storeActions();
      mark(entry.element);
      await keeper.ready();
      if (!lane.queue.includes(entry)) continue;
      const response = await fetch("/_causeway/action", request);
      await answered(entry, lane, response, await content(response), wasSent);
    } catch {
      // The answer was lost; the server may have applied the action.
      if (lane.queue.includes(entry)) reconnect();
    }
  }
  lane.isDraining = false;
}

// Returns undefined if the action is not JSON, or if a name in it is not allowed in a header field.
// Another attempt would fail again.
function requestOf(entry, lane, body) {
  if (!body) return undefined;
  const fields = { "Content-Type": "application/json",
    "Causeway-Session": entry.session ?? session, "Causeway-Sequence": String(entry.number) };
  if (lane.name) fields["Causeway-Lane"] = lane.name;
  if (entry.watch) fields["Causeway-Watch"] = entry.watch;
  if (entry.mayGap || (lane.hasGap && !entry.session)) fields["Causeway-Gap"] = "1";
  // The server also allows one more second for each 16 KiB of a body.
  const signal = AbortSignal.timeout(30000 + new Blob([body]).size / 16);
  try { return { method: "POST", headers: new Headers(fields), body, signal }; } catch (error) {
    console.error("causeway:", error);
    return undefined;
  }
}

const unsent = "This could not be sent.";
const unconnected = "This needs a connection. Please try again when the page is connected.";
// A proxy may refuse a request with its own page.
const content = (response) => response.json().catch((error) => {
  if (response.status < 400 || response.status > 499) throw error;
  return { detail: unsent };
});
const uncertain = "The connection was lost: please check what you did.";
export const replaced = "The page now shows another account or group: what was not sent is dropped.";
function restore(draft) {
  keepDraft(draft);
  restoreDrafts(send);
}
function refuse(entry, lane, problem) {
  finish(entry, lane, problem);
  if (!entry.form && entry.draft) restore(entry.draft);
}
// Prepares an action for the page's session, because the action's own session has ended.
function readdress(entry, lane) {
  if (entry.isSent) {
    refuse(entry, lane, uncertain);
    return;
  }
  const numbers = lane.queue.filter(isNew).map(({ number }) => number);
  delete entry.session;
  delete entry.mayGap;
  assignNumbers(lane, Math.min(lane.next, ...numbers));
}
const isNew = ({ session }) => !session;
// Numbers the actions for the page's session, in the order of the queue. None of them was sent,
// because a sent action is the first of its queue until it is answered or refused. The server would
// never apply an action with a smaller number than the action before it.
function assignNumbers(lane, first) {
  lane.next = first;
  for (const entry of lane.queue.filter(isNew)) {
    entry.number = lane.next;
    lane.next += 1;
  }
}

// The server has applied the action, but its effects have not ended. The action waits in a lane of
// its own, whose key is the entry, so the next actions of its lane are sent.
async function waitForEffects(entry, lane) {
  if (lanes.get(entry) === lane) {
    entry.delay = Math.min(2 * entry.delay, 10_000);
    await pause(entry.delay);
    return;
  }
  if (!entry.session) lane.hasGap = false;
  lane.queue.splice(lane.queue.indexOf(entry), 1);
  entry.delay = 500;
  const own = { name: lane.name, queue: [entry], next: 1, hasGap: false, isDraining: false };
  lanes.set(entry, own);
  drain(own);
}

async function answered(entry, lane, response, { code, detail, watched }, wasSent) {
  // The session was replaced meanwhile, and the action is no longer in the lane.
  if (!lane.queue.includes(entry)) return;
  const { form } = entry;
  if (response.status === 202) {
    await waitForEffects(entry, lane);
  } else if (response.ok) {
    if (!entry.session) lane.hasGap = false;
    finish(entry, lane, "");
    // A form is not reset if its text was changed after the form was sent.
    const isUnchanged = form && shape(form) === entry.shape;
    if (isUnchanged && "reset" in form.dataset && !watched) form.reset();
    if (!form && entry.draft && watched) restore(entry.draft);
  } else if (code === "unknown-session") {
    entry.isSent = wasSent; // The server has not applied it this time.
    if (entry.session) readdress(entry, lane); else reconnect();
    storeActions();
  } else if (response.status === 429 || response.status === 503) {
    if (response.status === 429) entry.isSent = wasSent;
    // A proxy may write a date, which is not a number.
    const seconds = Number(response.headers.get("Retry-After")) || 1;
    await pause(1000 * Math.min(Math.max(seconds, 1), 60));
  } else if (code === "out-of-order" && !entry.mayGap) {
    entry.mayGap = true; // The page does not have the missing actions.
  } else if (code === "number-used" || code === "effects-cancelled") {
    refuse(entry, lane, uncertain);
  } else {
    // The server may have refused the request without using its number.
    if (!entry.session) lane.hasGap = code !== "bad-action";
    entry.refused?.();
    refuse(entry, lane, detail ?? unsent);
  }
}

// A new session begins. It gets the actions that the old session has certainly not applied.
export function renumber() {
  for (const lane of lanes.values()) {
    lane.hasGap = false;
    const own = lane.queue.filter((entry) => !entry.session);
    for (const entry of own) {
      if (entry.isSent) refuse(entry, lane, uncertain); else delete entry.mayGap;
    }
    assignNumbers(lane, 1);
  }
  storeActions();
}
// Removes all actions, because the page now shows another account or scope. Returns a problem for
// the user, or an empty text if there was no action.
export function dropActions() {
  for (const { timer } of delayed.values()) clearTimeout(timer);
  delayed.clear();
  const dropped = [...lanes.values()].flatMap(({ queue }) => queue.splice(0));
  for (const { element } of dropped) mark(element);
  if (dropped.some(({ isSent }) => isSent)) return uncertain;
  return dropped.length > 0 ? replaced : "";
}

// Removes the actions of an earlier page, because another tab sends them.
export function dropStored(isGone = ({ isTaken }) => isTaken) {
  for (const { queue } of lanes.values()) {
    for (const entry of queue.filter(isGone)) {
      queue.splice(queue.indexOf(entry), 1);
      mark(entry.element);
    }
  }
  storeActions();
}

const storeActions = () => {
  const items = storedActions();
  store("actions", items);
  keeper.stored(items);
  showConnection();
};
