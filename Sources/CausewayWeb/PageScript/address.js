// The address of the page within its session: `data-address` shows it, and the user's way back and
// forward sends an action.
import { act } from "./actions.js";

let last = null; // The last address that the server has sent.

export function followAddress(address) {
  const next = new URL(address, location.href);
  if (next.origin !== location.origin || next.href === last) return;
  const isFirst = last === null;
  last = next.href;
  if (next.href === location.href) return;
  // A reload at an old address is not a step that the user has made.
  history[isFirst ? "replaceState" : "pushState"](null, "", next.href);
}

export function beginAddress() {
  addEventListener("popstate", () => {
    const element = document.querySelector('[data-address][data-on~="address"][data-action]');
    if (!element) return;
    const value = location.pathname + location.search;
    act(element, { value }, "address");
  });
}
