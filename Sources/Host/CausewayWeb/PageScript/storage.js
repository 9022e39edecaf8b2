// The tab's session storage: typed text and unanswered actions, for the next page at this address.
import { owner } from "./page.js";

// The address may change while the page is open. A reload shows the newest address.
const keyOf = (kind) => `causeway ${kind} ${location.pathname}${location.search}`;
const usedKeys = new Map(); // By kind, to remove a key when the address has changed.

// Stores a list. If the storage is full, drafts replace actions, because the browser warns before
// the user leaves a page with unanswered actions. If it is still full, the largest items are left
// out.
export function store(kind, list) {
  const key = keyOf(kind);
  const size = (item) => JSON.stringify(item).length;
  for (let items = list; ;) {
    try {
      const old = usedKeys.get(kind) ?? key;
      if (old !== key) sessionStorage.removeItem(old);
      usedKeys.set(kind, key);
      if (items.length > 0) sessionStorage.setItem(key, JSON.stringify({ owner, items }));
      else sessionStorage.removeItem(key);
      return;
    } catch {
      if (items.length === 0) return; // The browser allows no storage.
      if (kind === "drafts" && recall("actions").length > 0) {
        sessionStorage.removeItem(keyOf("actions"));
      } else {
        const largest = Math.max(...items.map(size));
        items = items.filter((item) => size(item) < largest);
      }
    }
  }
}

// Returns a stored list. If it belongs to another owner, removes it and calls `refused`.
export function recall(kind, refused = () => {}) {
  try {
    const stored = JSON.parse(sessionStorage.getItem(keyOf(kind)));
    if (stored?.owner === owner) return stored.items;
    if (stored) {
      sessionStorage.removeItem(keyOf(kind));
      refused();
    }
  } catch { /* The browser allows no storage. */ }
  return [];
}
