// The tab's lock, which shows other tabs and the shared worker that its page is alive.
//
// A duplicated tab gets a copy of the session storage, with the id and the queued actions of the
// first tab. The first tab still has its lock and sends these actions, so the duplicate drops them.
// A browser releases the locks of a page that was closed or killed.

let [id, isHeld] = ["", false];
let release = () => {};
const lockOf = (tab) => `causeway tab ${tab}`;
export const tabOf = (lock) => lock.slice(lockOf("").length);
// The name of the lock; undefined without the lock. A browser has no locks for plain HTTP.
export const tabLock = () => (isHeld ? lockOf(id) : undefined);

// Holds the lock while the page is shown. Returns whether the lock became free before the signal.
const hold = (tab, signal) => new Promise((done) => {
  const held = () => {
    isHeld = true;
    done(true);
    return new Promise((end) => { release = () => { isHeld = false; end(); }; });
  };
  navigator.locks.request(lockOf(tab), { signal }, held).catch(() => done(false));
});

// Returns whether this page is the only one with the tab's storage.
export async function claimTab() {
  if (!navigator.locks) return true;
  let known = null;
  try { known = sessionStorage.getItem("causeway tab"); } catch { /* No storage is allowed. */ }
  addEventListener("pagehide", () => release());
  addEventListener("pageshow", ({ persisted }) => { if (persisted) hold(id); });
  // After a reload, the browser may still be about to release the lock of the last page.
  if (known && await hold(known, AbortSignal.timeout(1000))) {
    id = known;
    return true;
  }
  const own = crypto.randomUUID();
  try { sessionStorage.setItem("causeway tab", own); } catch { /* No storage is allowed. */ }
  await hold(own);
  id = own;
  return known === null;
}
