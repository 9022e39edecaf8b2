// Whether the page is connected, and what it shows about that.
import { meta, root, session } from "./page.js";
import { waiting } from "./queue.js";

export let isOnline = false;
// Functions of the connection for the modules below it: one ends the stream, one ends a pause.
export const line = { abort() {}, wake() {} };
// When the server last sent an event, to this page or to the page that kept the state.
let heard = Number(meta("kept")) || Date.now();
export const said = () => heard;
export const hear = () => { heard = Date.now(); };
export function setConnection(name) {
  isOnline = name === "online";
  root.dataset.connection = name;
  showConnection();
}
export function showConnection() {
  const name = root.dataset.connection;
  if (!name) return; // The page has not begun to connect.
  for (const element of document.querySelectorAll("[data-connection-text]")) {
    let shown = element.dataset[name] ?? name;
    // A kept state must not look like the current one.
    if (name === "offline" && !session && !shown.includes("{time}")) {
      shown = `Offline, as of {time}. ${element.dataset.offline ?? ""}`.trim();
    }
    shown = shown.replace("{time}", timeHeard).replace("{waiting}", waiting);
    if (element.textContent !== shown) element.textContent = shown;
  }
}
function timeHeard() {
  const isToday = new Date(heard).toDateString() === new Date().toDateString();
  const format = isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
  return new Intl.DateTimeFormat(navigator.languages, format).format(heard);
}
export const reconnect = () => { setConnection("connecting"); line.abort(); };
// A hidden page disconnects to save its connection.
export const disconnect = () => { isOnline = false; line.abort(); };
// Reconnects a hidden page that has disconnected, because it has a new action.
export const resume = () => { if (document.hidden) line.wake(); };
