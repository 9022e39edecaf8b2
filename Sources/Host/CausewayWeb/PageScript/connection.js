// The connection to the server: one event stream for all visible pages of a browser.
//
// Browsers open six connections to a host. A shared worker holds the stream, so all tabs together
// need only one. A browser without shared workers opens a stream for each page.
import { answers, beginActions, drainAll, dropStored, renumber, showProblem } from "./actions.js";
import { beginAddress } from "./address.js";
import { render } from "./bindings.js";
import { keepDrafts } from "./drafts.js";
import { blockReader, position } from "./events.js";
import { adopt, keeper, meta, owner, pause, root, session, state, version } from "./page.js";
import { patched } from "./patch.js";
import { waiting } from "./queue.js";
import { beginDrafts, dropAll } from "./reload.js";
import { numberTemplates } from "./rows.js";
import { disconnect, hear, isOnline, line, reconnect, setConnection } from "./status.js";
import { claimTab, tabLock } from "./tab.js";
import { uploads } from "./upload.js";

const cache = "no-store"; // Otherwise Firefox lets a request wait for an earlier one.
let stream = new AbortController();
line.abort = () => stream.abort();
// The session has ended: it was idle for too long, or the server was restarted. The page keeps
// typed text, and the actions that were certainly not applied.
async function renew() {
  if (isResting()) return; // The page tries again when it is visible.
  const headers = { Accept: "application/json" };
  if (session) headers["Causeway-Session"] = session; // A page that shows a kept state has none.
  const response = await fetch(location.href, {
    headers, signal: AbortSignal.timeout(30000), cache });
  if ([401, 403, 404, 410].includes(response.status)) keeper.refused(response.status);
  if (!response.ok) return;
  // Another type of answer means that the server has another page at this address now.
  const isOther = response.headers.get("Content-Type") !== "application/json";
  if (isOther || response.redirected) {
    location.reload();
    return;
  }
  const opening = await response.json();
  if (keeper.renewed(opening)) return;
  const problem = opening.owner === owner ? keepDrafts() : dropAll();
  adopt(opening);
  renumber();
  render();
  if (problem) showProblem(problem);
}
// Sends the viewer's time zone to the server, and requests a state for that zone.
async function tellZone() {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!("zone" in root.dataset) || meta("zone") === zone) return;
  document.cookie = `causeway-zone=${zone}; path=/; max-age=34560000; samesite=strict`;
  if (!session) return; // The page requests a session next.
  try { await renew(); } catch { /* The page stays as it is, and connects. */ }
}
function receive(block) {
  const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s, 2)));
  if (fields.data === undefined) return; // A comment.
  const data = JSON.parse(fields.data);
  const changes = {
    patch: () => patched(state, data),
    // The whole state that the page shares with other pages.
    shared: () => ({ ...state, ...data }),
    state: () => data,
  };
  adopt({
    state: (changes[fields.event] ?? changes.state)(),
    version: position(version, fields.id),
  });
  render();
}

// Reads the page's own stream. Returns the status of the answer.
async function readStream(signal, { opened, received }) {
  const headers = { "Causeway-Session": session, "Last-Event-ID": version };
  const response = await fetch("/_causeway/stream", { headers, signal, cache });
  if (!response.ok) return response.status;
  opened();
  const reading = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (const blocksOf = blockReader(); ;) {
    const { value, done } = await reading.read();
    if (done) return 200;
    received(blocksOf(value));
  }
}

let worker;
function sharedWorker() {
  if (worker !== undefined) return worker;
  try {
    worker = new SharedWorker(meta("worker"), "causeway");
    worker.onerror = () => { worker = null; stream.abort(); };
    worker.port.start();
  } catch {
    worker = null;
  }
  return worker;
}
// Reads the page's part of the browser's stream. Returns the status of the answer.
function readShared({ port }, signal, { opened, received }) {
  return new Promise((done) => {
    const end = (status) => {
      port.removeEventListener("message", listener);
      signal.removeEventListener("abort", leave);
      done(status);
    };
    const leave = () => {
      port.postMessage({});
      end(0);
    };
    const listener = ({ data }) => {
      if (data.session !== session) return;
      if (data.isOpen) opened();
      received(data.blocks ?? []);
      if (data.status !== undefined) end(data.status);
    };
    port.addEventListener("message", listener);
    signal.addEventListener("abort", leave);
    port.postMessage({ session, version, lock: tabLock() });
  });
}

async function listen() {
  stream = new AbortController();
  // Three missing heartbeats mean that the connection is dead, even if the system reports no
  // error.
  const expire = () => setTimeout(() => {
    stream.abort();
    worker = undefined; // It may be dead. The next connection starts it again.
  }, 5000 + 3 * meta("heartbeat"));
  let watchdog = expire();
  const uses = {
    opened: () => {
      hear();
      setConnection("online");
      keeper.online();
      drainAll();
    },
    received: (blocks) => {
      watchdog = (clearTimeout(watchdog), expire());
      hear();
      try { blocks.forEach(receive); } catch (error) {
        console.error("causeway:", error);
        adopt({ version: "0" }); // The state may lack this event. The server sends all of it again.
        reconnect();
      }
      keeper.heard();
    },
  };
  try {
    const shared = sharedWorker();
    const read = shared ? readShared(shared, stream.signal, uses) : readStream(stream.signal, uses);
    if (await read === 410) {
      setConnection("connecting");
      // The server may still answer actions that it has applied.
      await Promise.race([answers(), pause(5000)]);
      await renew();
    }
  } finally {
    clearTimeout(watchdog);
  }
}

async function stayConnected() {
  setConnection(session ? "connecting" : "offline");
  // The server may be slow and still be making the page. So the script first waits.
  if (!session) {
    const wait = 1000 + 2000 * Math.random();
    await Promise.race([pause(wait), new Promise((done) => { line.wake = done; })]);
  }
  for (let failures = session ? 0 : 2; ; failures += 1) {
    while (isResting()) await new Promise((done) => { line.wake = done; });
    const [before, began] = [session, performance.now()];
    // After any error, the page tries again.
    try { await (session ? listen() : renew()); } catch { /* See above. */ }
    if (session !== before) continue;
    // If another tab uses the same session, their streams end each other. A stream that ends soon
    // counts as a failure, so the tabs do not reconnect all the time.
    if (isOnline && performance.now() - began > 10000) failures = 0;
    setConnection(failures < 2 ? "connecting" : "offline");
    // Because of the random delay, pages do not all reconnect to a server at the same moment.
    const wait = Math.min(8000, 250 * 2 ** failures) * (0.5 + Math.random() / 2);
    await Promise.race([pause(wait), new Promise((done) => { line.wake = done; })]);
  }
}

for (const type of ["online", "visibilitychange"]) addEventListener(type, () => line.wake());
// A hidden page leaves the stream and reconnects later.
const isResting = () => document.hidden && uploads === 0 && waiting() === 0;
let resting = 0;
const rest = () => {
  if (isResting()) disconnect();
  else if (document.hidden) resting = setTimeout(rest, 2000);
};
addEventListener("visibilitychange", () => {
  clearTimeout(resting);
  if (document.hidden) resting = setTimeout(rest, 2000);
});
addEventListener("pagehide", () => stream.abort());

if (!session) setConnection("offline"); // The page shows a kept state.
numberTemplates(document);
beginDrafts();
render();
beginActions();
beginAddress();
// The page sends no action before it is connected.
claimTab()
  .then((isOwn) => { if (!isOwn) dropStored(); })
  .then(() => keeper.begun())
  .then(tellZone)
  .then(stayConnected);
