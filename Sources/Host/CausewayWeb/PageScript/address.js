// The address of the page within its session: `data-address` shows it, and going back or forward
// sends an action.
import { act } from "./actions.js";
import { storeDraftsSoon } from "./drafts.js";

let last = null; // The last address that the server has sent.

export function followAddress(address) {
  const next = new URL(address, location.href);
  if (next.origin !== location.origin || next.href === last) return;
  const isFirst = last === null;
  last = next.href;
  // The browser scrolls to the fragment of the first address, so it must stay.
  if (next.href === location.href.replace(/#.*/s, "")) return;
  // The first address after a reload is not a step of the user, so it adds no history entry.
  history[isFirst ? "replaceState" : "pushState"](null, "", next.href);
  storeDraftsSoon(0); // The key of the storage contains the address.
}

export function beginAddress() {
  addEventListener("popstate", () => {
    storeDraftsSoon(0);
    const element = document.querySelector('[data-address][data-on~="address"][data-action]');
    if (!element) return;
    const value = location.pathname + location.search;
    act(element, { value }, "address");
  });
}
