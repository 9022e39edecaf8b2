// The event stream of all visible pages of a browser, in a shared worker.
//
// A page posts { session, version, lock } to take part, and {} to leave. It receives { session }
// with `isOpen`, with `blocks` of the stream, or with the `status` that has ended its part. If a page
// was killed, it cannot post that it leaves. The browser then releases its lock.
import { blockReader, position } from "./events.js";

const pages = new Map(); // The port and the last version of each session.
let [stream, opening] = [new AbortController(), 0];

// Opens the stream again for the current pages, after a short wait for further changes of the
// pages.
function reopen() {
  stream.abort();
  clearTimeout(opening);
  opening = setTimeout(() => { stream = new AbortController(); read(stream); }, 10);
}

globalThis.onconnect = ({ ports: [port] }) => {
  let own;
  let isWatched = false;
  const remove = () => { if (pages.get(own)?.port === port) pages.delete(own); };
  const watch = async (lock) => {
    if (isWatched || !lock || !navigator.locks) return;
    isWatched = true;
    await navigator.locks.request(lock, () => { isWatched = false; });
    if (pages.get(own)?.port !== port) return;
    remove();
    reopen();
  };
  port.onmessage = ({ data: { session, version, lock } }) => {
    remove();
    own = session;
    if (session) pages.set(session, { port, version, isNew: true });
    watch(lock);
    reopen();
  };
};

const tell = (session, message) => pages.get(session)?.port.postMessage({ session, ...message });
function open(session) {
  const page = pages.get(session);
  if (page?.isNew) tell(session, { isOpen: true });
  if (page) page.isNew = false;
}
function leave(session, status) {
  tell(session, { status });
  pages.delete(session);
}

async function read(own) {
  if (pages.size === 0) return;
  const members = [...pages.keys()];
  let status = 0;
  try {
    const headers = { "Causeway-Session": members.join(),
      "Last-Event-ID": members.map((session) => pages.get(session).version).join() };
    // Without `cache`, Firefox lets the request wait for an earlier one of the same address.
    const response = await fetch("/_causeway/stream",
      { headers, signal: own.signal, cache: "no-store" });
    status = response.status;
    if (!response.ok) return;
    // If there are several sessions, some may have ended. The stream then names the others.
    if (members.length === 1) open(members[0]);
    const reading = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let subject = members[0];
    for (const blocksOf = blockReader(); ;) {
      const { value, done } = await reading.read();
      if (done) return;
      for (const block of blocksOf(value)) subject = forward(block, subject);
      // This tells every page that the connection is alive.
      for (const session of pages.keys()) tell(session, {});
    }
  } catch { /* The pages are told below. */ } finally {
    // A page that has joined in the meantime belongs to the next stream.
    if (!own.signal.aborted) for (const session of members) leave(session, status);
  }
}

// Forwards a block to its page. Returns the session that the next blocks belong to.
function forward(block, subject) {
  const field = (name) => block.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1];
  const [event, id] = [field("event"), field("id")];
  if (event === "session") {
    open(field("data"));
    return field("data");
  }
  // `gone`: the session has ended. `closed`: only its stream has ended.
  if (event === "gone" || event === "closed") {
    leave(field("data"), event === "gone" ? 410 : 200);
    return subject;
  }
  if (id === undefined) return subject;
  tell(subject, { blocks: [block] });
  const page = pages.get(subject);
  if (page) page.version = position(page.version, id);
  return subject;
}
