// The values of form controls: the server's last value, and the text that the user has typed since.
import { text } from "./page.js";

// The server's last value, whether the user has changed it since, and the typed text. The
// server's echo of a typed text must not overwrite text that was typed later.
export const controls = new WeakMap();

export function setValue(control, value) {
  const known = controls.get(control) ?? { isEdited: false, typed: new Set(), server: NaN };
  const hasChanged = known.server !== value;
  controls.set(control, Object.assign(known, { server: value }));
  if (known.isEdited && !hasChanged) return;
  const isEcho = known.isEdited && known.typed.has(text(value));
  const isOlder = document.activeElement === control && text(value) !== control.value;
  if (!isEcho || !isOlder) settle(control, known);
}

function settle(control, known) {
  known.isEdited = false;
  known.typed.clear();
  if (control.type === "checkbox") control.checked = Boolean(known.server);
  else if (control.type === "radio") control.checked = control.value === text(known.server);
  else if (control.value !== text(known.server)) control.value = text(known.server);
}

document.addEventListener("input", ({ target }) => {
  const known = controls.get(target);
  if (known) known.isEdited = Boolean(known.typed.add(target.value));
}, true);
// A reset empties controls, so the server's values are written again after it.
document.addEventListener("reset", ({ target }) => queueMicrotask(() => {
  const known = [...target.elements].filter((control) => controls.has(control));
  for (const control of known) settle(control, controls.get(control));
}));

export const typed = (control) => (
  ["checkbox", "radio"].includes(control.type) ? control.checked : control.value);
// Whether the control has a value that only the page knows.
export function isUnsaved(control) {
  const known = controls.get(control);
  if (known) return known.isEdited && text(typed(control)) !== text(known.server);
  if (["checkbox", "radio"].includes(control.type)) {
    return control.checked !== control.defaultChecked;
  }
  return "defaultValue" in control && control.type !== "hidden"
    && control.value !== control.defaultValue;
}
// Puts typed text back into a control.
export function retype(control, value) {
  if (typeof value === "boolean") control.checked = value;
  else control.value = value;
  const known = controls.get(control);
  if (known) known.isEdited = Boolean(known.typed.add(control.value));
}
