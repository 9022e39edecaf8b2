// Keeps the last state of the page on this device, for a reload without a connection.
//
// The server adds this module, and the constant `offline`, if the option is on.
import { drainAll, dropActions, dropStored, replaced, showProblem } from "./actions.js";
import {
  adoptQueues, claim, confirm, forget, isOf, keep, personOf, remove, storeQueue,
} from "./kept.js";
import { keeper, meta, owner, pause, root, session, state } from "./page.js";
import { routed } from "./places.js";
import { isStored, lanes, storedActions, takeUp } from "./queue.js";
import { dropAll, loadAgain, replacePage } from "./reload.js";
import { isOnline, said } from "./status.js";
import { tabLock, tabOf } from "./tab.js";

const workers = globalThis.navigator.serviceWorker; // A browser has none for plain HTTP.
const isOff = new URLSearchParams(location.search).has("noworker");

let claimed = Promise.resolve(undefined); // The mark; without one, nothing is kept.
let [keptState, keptPath, keptTime] = [null, "", 0];
let [keeping, shortest] = [0, 1000]; // The timer, and the shortest time between two states.

// A browser that allows no storage changes nothing else.
const quietly = (work) => work.catch(() => undefined);
const claimFor = (owner) => {
  claimed = quietly(claim(owner, offline.build).then(({ mark, dropped, isNew }) => {
    if (dropped > 0) showProblem(replaced);
    if (isNew) tell({ person: personOf(owner) });
    return mark;
  }));
};

// Tells the other pages who uses the browser. Some browsers have no channels.
let channel;
function openChannel() {
  try { channel = new BroadcastChannel("causeway"); } catch { return; }
  channel.onmessage = ({ data: { person } }) => {
    if (person === personOf(owner)) return;
    if (!person && !isOnline) dropAll();
    startOver();
  };
}
const tell = (message) => { try { channel?.postMessage(message); } catch { /* It is closed. */ } };

// Loads the page again if its state can belong to a person who has left. A connected page gets the
// new state from the server.
async function startOver() {
  for (;;) {
    await pause(250); // The page may be about to lose its connection, or to store an action.
    if (isOnline) return;
    const isAlone = !session || document.hidden || root.dataset.connection === "offline";
    // A reload would lose an action that is not stored.
    if (isAlone && [...lanes.values()].every(({ queue }) => queue.every(isStored))) {
      document.body.style.display = "none";
      // If hidden pages of two accounts loaded again, they could make each other load forever.
      if (document.hidden) {
        await new Promise((done) => addEventListener("visibilitychange", done, { once: true }));
      }
      loadAgain();
      return;
    }
  }
}

// A hidden member can be anywhere in the state. Its value becomes empty and is not removed, because
// the rest of the page expects a value.
const hidden = (value) => (typeof value === "string" ? "" : Array.isArray(value) ? [] : null);
const textOf = (value) => JSON.stringify(value, (name, part) => (
  offline.hiding.includes(name) ? hidden(part) : part));

const shell = () => routed(offline.routes, location.pathname) ?? -1;
const mayKeep = () => location.search === "" && shell() >= 0;

// The waiting actions are stored under the tab and its address, like in the session storage.
let [usedKey, hasBegun, isStoring] = [undefined, false, true];
let storingQueue = Promise.resolve(); // The last change of the stored queue.
let checking = Promise.resolve(); // Whether another tab has taken the actions of this page.
const oldest = () => Date.now() - offline.days * 86_400_000;
const queueKey = () => `${tabOf(tabLock())} ${location.pathname}${location.search}`;
const queueOf = (items) => ({ owner, path: location.pathname, items });
// Takes over the actions of closed tabs. Without locks, the page cannot know which tabs are closed.
async function takeQueues() {
  if (!tabLock() || shell() < 0) return;
  const { held } = await navigator.locks.query();
  const tabs = new Set(held.map(({ name }) => tabOf(name)));
  const { items, isMoved } = await adoptQueues(
    queueKey(), queueOf(storedActions()), oldest(), (key) => tabs.has(key.split(" ")[0]));
  if (isMoved) dropStored();
  // Pages without a session use the same numbers, so these actions get new ones.
  const others = items.map((item) => (item.session ? item : { ...item, number: undefined }));
  if (items.length > 0) takeUp([...storedActions(), ...others]);
}
async function begin() {
  await quietly(takeQueues());
  hasBegun = true;
  storeWaiting(storedActions());
  drainAll();
}
function storeWaiting(items) {
  if (!hasBegun || !tabLock() || (items.length === 0 && !isStoring)) return;
  isStoring = items.length > 0;
  const key = queueKey();
  // The address may change while the page is open.
  if (usedKey !== undefined && usedKey !== key) quietly(storeQueue(usedKey, queueOf([])));
  usedKey = key;
  if (shell() >= 0) storingQueue = quietly(storeQueue(key, queueOf(items)));
}

async function keepNow() {
  clearTimeout(keeping);
  keeping = 0;
  const mark = await claimed;
  const path = location.pathname;
  // Only a connected page knows that its session is alive.
  if (!mark || !isOnline || !mayKeep()) return;
  const time = said();
  if (keptState === state && keptPath === path) {
    if (time - keptTime < 60_000) return;
    if (await quietly(confirm(mark, path, time))) keptTime = time;
    return;
  }
  const [own, ownOwner] = [state, owner];
  const began = performance.now();
  const text = textOf(own);
  // A large state is kept less often, so it takes at most about a hundredth of the time.
  shortest = Math.max(1000, 100 * (performance.now() - began));
  if (await quietly(keep(mark, path, ownOwner, text, time))) {
    [keptState, keptPath, keptTime] = [own, path, time];
  }
}
function keepSoon() {
  if (keeping === 0) keeping = setTimeout(keepNow, shortest);
}

function forgetNow() {
  claimed = Promise.resolve(undefined);
  // The server cannot tell this to pages without a connection.
  return quietly(forget()).then(() => tell({}));
}
// Called before the action that signs a person out. Without a connection, all other waiting actions
// are dropped first.
function forgetBefore() {
  const wasOnline = isOnline;
  if (!wasOnline) dropActions();
  forgetNow().then(() => { if (!wasOnline) startOver(); });
}
// The person who uses this page may not see it any more.
async function refused(status) {
  await (status === 401 ? forgetNow() : quietly(remove(location.pathname)));
  // The server's answer takes the place of the kept state.
  if (!session) loadAgain(); else if (status === 401) startOver();
}

let knownBuild;
try { knownBuild = sessionStorage.getItem("causeway build"); } catch { /* No storage is allowed. */ }
// Loads a new version once: if the worker answers with this version again, the server is slow.
function loadVersion(build) {
  if (build === undefined || build === offline.build || build === knownBuild) return false;
  if (!replacePage()) return false;
  try { sessionStorage.setItem("causeway build", build); } catch { /* No storage is allowed. */ }
  return true;
}

async function removeWorker() {
  for (const registration of await workers.getRegistrations()) {
    const { scriptURL } = registration.active ?? registration.waiting ?? registration.installing;
    if (new URL(scriptURL).pathname === offline.worker) await registration.unregister();
  }
  for (const name of await caches.keys()) {
    if (name.startsWith("causeway ")) await caches.delete(name);
  }
  await forgetNow();
}

if (workers) openChannel();
if (workers && isOff) quietly(removeWorker());
if (workers && !isOff) {
  let isRegistered = false;
  // A page that the worker has made has no session, and learns its account when it connects.
  if (session) claimFor(owner);
  Object.assign(keeper, {
    online() {
      keepSoon();
      if (isRegistered) return;
      isRegistered = true;
      quietly(workers.register(offline.worker, { scope: "/", updateViaCache: "none" }));
    },
    heard: keepSoon,
    renewed({ build, owner }) {
      claimFor(owner);
      return loadVersion(build);
    },
    refused,
    begun() {
      const beginning = begin();
      // If this tab has stored actions, the page waits, because another tab may have sent them.
      return storedActions().length > 0 ? beginning : undefined;
    },
    stored: storeWaiting,
    acting({ dataset }) { if ("forget" in dataset) forgetBefore(); },
    // An action must be stored as sent before it is sent, or another tab could send it again.
    ready: () => Promise.race([Promise.all([checking, storingQueue]), pause(2000)]),
  });
  addEventListener("visibilitychange", () => { if (document.hidden) keepNow(); });
  // A browser may keep a page for going back only if the page has no open channel.
  addEventListener("pagehide", () => { keepNow(); channel?.close(); });
  // While the browser kept the page, its person may have left, or another tab may have taken its
  // actions.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    openChannel();
    quietly(isOf(owner).then((isOwn) => { if (!isOwn) startOver(); }));
    if (usedKey === undefined) return;
    const before = new Set([...lanes.values()].flatMap(({ queue }) => queue).filter(isStored));
    checking = quietly(adoptQueues(usedKey, queueOf([]), 0, () => true).then(({ isMoved }) => {
      if (isMoved) dropStored((entry) => before.has(entry));
    }));
  });
  if (meta("kept")) {
    if (!document.querySelector("[data-connection-text]")) {
      const place = Object.assign(document.createElement("p"), { role: "status" });
      place.dataset.connectionText = "";
      document.body.prepend(place);
    }
  }
}
