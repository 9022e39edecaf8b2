// The keyboard focus, when elements appear and disappear.
import { isOnline } from "./status.js";

const origins = new Map(); // The previous focus, by the element that received it.
let [actor, wanted, left] = [null, null, null];
export const setActor = (element) => { actor = element; };
export const leave = (container) => { left = container; };
// Returns a function that requests the keyboard focus when a value becomes true. It does so only
// after the person has done something: a page that opens, or restores a draft, leaves the focus
// where it is.
export const focusing = (element, was = false) => (value) => {
  if (value && !was && isOnline && actor) wanted ??= element;
  was = Boolean(value);
};
// The nearest control to a focused element that an update has hidden. A field of another form does
// not count, because it would open a keyboard on the screen.
function neighbour(element) {
  if (!element || element === document.body || element.checkVisibility()) return null;
  const form = element.closest("form");
  const controls = "button, input, select, textarea, a[href], [tabindex]";
  const isNear = (one) => one.checkVisibility()
    && (!one.matches("input, select, textarea") || (form && one.form === form));
  for (let place = element.parentElement; place; place = place.parentElement) {
    const found = [...place.querySelectorAll(controls)].find(isNear);
    if (found) return found;
  }
  return null;
}
// When the focused element is gone, the focus returns to its origin, or stays nearby.
export function settleFocus(focused) {
  let [target, near] = [wanted, left];
  [wanted, left] = [null, null];
  if (target) origins.set(target, actor);
  for (const [element, origin] of origins) {
    if (element.checkVisibility()) continue;
    origins.delete(element);
    near = origin?.checkVisibility() ? origin : origin?.closest("[tabindex]") ?? near;
  }
  near ??= neighbour(focused);
  const active = document.activeElement;
  if (!active?.checkVisibility() || active === document.body) target ??= near;
  if (target?.matches("[data-each]:not([tabindex])")) target.tabIndex = -1;
  target?.focus({ preventScroll: target.tabIndex < 0 });
}
