// The page: its session, its view state, and what every other module needs.
//
// The page contains the first view state. An event stream sends a full view state, then patches.
// The files of this folder are modules in layers: a module imports only modules below it. The server
// joins them to one script.
import { parsed, read } from "./paths.js";

export const root = document.documentElement;
export const meta = (name) => document.querySelector(`meta[name="causeway-${name}"]`)?.content;
export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
export const text = (value) => (value === null || value === undefined ? "" : String(value));

// The owner identifies the browser, the account and the scope whose data the page shows.
export let [session, version, owner] = [meta("session"), meta("version"), meta("owner")];
export let state = JSON.parse(document.getElementById("state").textContent);
// Functions that a page calls to keep its state on the device; they do nothing without that option.
export const keeper = {
  online() {}, heard() {}, refused() {}, acting() {}, stored() {}, ready() {}, begun() {},
  renewed: () => false,
};
export function adopt(next) {
  ({ session = session, version = version, state = state, owner = owner } = next);
}

const reported = new Set();
export function report(problem, ...details) {
  if (reported.has(problem)) return;
  reported.add(problem);
  console.error(`causeway: ${problem}`, ...details);
}
// Returns a function that reads a path; `item` is the row of the element.
export function reader(expression) {
  try {
    const get = parsed(expression, (path) => report(`the view state has no "${path}"`));
    return (item) => get(state, item);
  } catch (error) {
    report(error.message);
    return () => undefined;
  }
}
// Fills in an action: the value of a `$` path replaces a string that is exactly this path.
export const fill = (template, context) => JSON.stringify(JSON.parse(template, (_, value) => {
  if (typeof value !== "string" || !value.startsWith("$")) return value;
  const isOptional = value.endsWith("?");
  const [name, ...path] = value.slice(1, isOptional ? -1 : undefined).split(".");
  if (!Object.hasOwn(context, name)) return value;
  const found = read(context[name], path);
  if (found === undefined && !isOptional && ["item", "state"].includes(name)) {
    report(`an action reads "${value}", which does not exist`);
  }
  return found;
}));
// A value that does not fit its element, or a mistake in one element, must not stop the others.
export function attempt(action, argument) {
  try { return action(argument); } catch (error) {
    console.error("causeway:", error);
    return [];
  }
}
