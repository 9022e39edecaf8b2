// Keeps the last state of the page on this device, for a reload without a connection.
//
// The server adds this module, and the constant `offline`, if the option is on.
import {
  drainAll, dropStored, replaced, showProblem, storedActions, takeUp,
} from "./actions.js";
import { keeper, meta, owner, session, state } from "./causeway.js";
import { isOnline, said } from "./connection.js";
import { loadAgain, replacePage } from "./drafts.js";
import { adoptQueues, claim, confirm, forget, keep, storeQueue } from "./kept.js";
import { routed } from "./places.js";
import { tabLock, tabOf } from "./tab.js";

const workers = globalThis.navigator.serviceWorker; // A browser has none for plain HTTP.
const isOff = new URLSearchParams(location.search).has("noworker");

let claimed = Promise.resolve(undefined); // The mark; without one, nothing is kept.
let [keptState, keptPath, keptTime] = [null, "", 0];
let [keeping, shortest] = [0, 1000]; // The timer, and the shortest time between two states.

// A browser that allows no storage changes nothing else.
const quietly = (work) => work.catch(() => undefined);
const claimFor = (owner) => {
  claimed = quietly(claim(owner, offline.build).then(({ mark, dropped }) => {
    if (dropped > 0) showProblem(replaced);
    return mark;
  }));
};

// A name that the app hides can be anywhere in the state. The rest of the page expects a value.
const hidden = (value) => (typeof value === "string" ? "" : Array.isArray(value) ? [] : null);
const textOf = (value) => JSON.stringify(value, (name, part) => (
  offline.hiding.includes(name) ? hidden(part) : part));

const shell = () => routed(offline.routes, location.pathname) ?? -1;
const mayKeep = () => location.search === "" && shell() >= 0;

// The waiting actions are stored under the tab and its address, like in the session storage.
let [usedKey, hasBegun, isStoring] = [undefined, false, true];
const queueKey = () => `${tabOf(tabLock())} ${location.pathname}${location.search}`;
const queueOf = (items) => ({ owner, path: location.pathname, items });
// Takes the actions of closed tabs over. Without locks, the page cannot know which tabs are closed.
async function takeQueues() {
  if (!tabLock() || shell() < 0) return;
  const { held } = await navigator.locks.query();
  const tabs = new Set(held.map(({ name }) => tabOf(name)));
  const { items, isMoved } = await adoptQueues(
    queueKey(), queueOf(storedActions()), (key) => tabs.has(key.split(" ")[0]));
  if (isMoved) dropStored();
  // Without a session, pages number their actions alike.
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
  if (shell() >= 0) quietly(storeQueue(key, queueOf(items)));
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
  const own = state;
  const began = performance.now();
  const text = textOf(own);
  // A large state is kept less often, so it takes at most about a hundredth of the time.
  shortest = Math.max(1000, 100 * (performance.now() - began));
  if (await quietly(keep(mark, path, text, time))) {
    [keptState, keptPath, keptTime] = [own, path, time];
  }
}
function keepSoon() {
  if (keeping === 0) keeping = setTimeout(keepNow, shortest);
}

function forgetNow() {
  claimed = Promise.resolve(undefined);
  const done = quietly(forget());
  // Pages that show a kept state have no connection that could tell them. This page may be one.
  done.then(() => { try { new BroadcastChannel("causeway").postMessage("forgotten"); } catch { } });
  return done;
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

if (workers && isOff) quietly(removeWorker());
if (workers && !isOff) {
  let isRegistered = false;
  // A page that the worker has made knows no account for sure before it is connected.
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
      return build !== undefined && build !== offline.build && replacePage();
    },
    async refused() {
      await forgetNow();
      if (!session) loadAgain(); // The server's answer takes the place of the kept state.
    },
    begun() {
      const beginning = begin();
      // Another tab may have sent what this tab has stored. Without that, the page connects at once.
      return storedActions().length > 0 ? beginning : undefined;
    },
    stored: storeWaiting,
    acting({ dataset }) { if ("forget" in dataset) forgetNow(); },
  });
  addEventListener("visibilitychange", () => { if (document.hidden) keepNow(); });
  addEventListener("pagehide", () => keepNow());
  // Another tab may have taken the actions of this page while the browser kept the page.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted || usedKey === undefined) return;
    quietly(adoptQueues(usedKey, queueOf([]), () => true).then(({ isMoved }) => {
      if (isMoved) location.reload();
    }));
  });
  if (meta("kept")) {
    if (!document.querySelector("[data-connection-text]")) {
      const place = Object.assign(document.createElement("p"), { role: "status" });
      place.dataset.connectionText = "";
      document.body.prepend(place);
    }
    try {
      new BroadcastChannel("causeway").onmessage = () => { if (!session) loadAgain(); };
    } catch { /* A browser without channels. */ }
  }
}
