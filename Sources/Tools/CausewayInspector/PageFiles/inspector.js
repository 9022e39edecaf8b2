// The list of the inspector: it has the height of all rows, and contains only the rows around the
// visible ones. The server finds the rows. The page sends one request at a time, so a fast scroll
// skips rows.
const list = document.querySelector("#list");
const rows = document.querySelector("#rows");
const spacer = document.querySelector("#spacer");
const place = document.querySelector("#window");
const margin = 30; // Rows that are asked for above the visible ones.

const read = (name) => Number(place.getAttribute(name));
const isFollowing = () => place.hasAttribute("following");
const height = () => rows.firstElementChild?.offsetHeight || 28;
let shown = { first: 0, selected: -1 };
let asked = -Infinity; // The time of the request without an answer.
let own = -1; // The position to which the script has scrolled.

function scrollTo(wanted) {
  list.scrollTop = wanted;
  own = list.scrollTop; // The list limits and rounds the position.
}

const isAtEnd = () => list.scrollTop + list.clientHeight >= list.scrollHeight - 2;

function layOut() {
  const row = height();
  // The event of the user's scroll may still come.
  const isLeaving = list.scrollTop < own - 1 && !isAtEnd();
  spacer.style.height = `${read("total") * row}px`;
  rows.style.transform = `translateY(${read("first") * row}px)`;
  asked = -Infinity;
  if (isFollowing() && !isLeaving) scrollTo(list.scrollHeight);
  const selected = read("selected");
  if (selected >= 0 && selected !== shown.selected) {
    const [top, bottom] = [selected * row, (selected + 1) * row];
    if (top < list.scrollTop) scrollTo(Math.max(0, top - row));
    else if (bottom > list.scrollTop + list.clientHeight) {
      scrollTo(bottom + row - list.clientHeight);
    }
  }
  shown = { first: read("first"), selected };
  if (!isFollowing()) ask();
}

// Asks for rows if some of the visible ones are missing.
function ask() {
  const row = height();
  const top = Math.floor(list.scrollTop / row);
  const bottom = Math.min(read("total"), Math.ceil((list.scrollTop + list.clientHeight) / row));
  const [first, count] = [read("first"), rows.childElementCount];
  // An answer can be lost, or be the same window.
  if (performance.now() - asked < 1000 || (top >= first && bottom <= first + count)) return;
  const wanted = Math.max(0, top - margin);
  if (wanted === first) return;
  asked = performance.now();
  const control = document.querySelector("#scroll");
  control.value = String(wanted);
  control.dispatchEvent(new Event("input", { bubbles: true }));
}

list.addEventListener("scroll", () => {
  // One event can stand for a scroll of the script and a later scroll of the user.
  if (list.scrollTop === own) return;
  if (isFollowing() && !isAtEnd()) {
    // After the user's first scroll, the list no longer follows new events, so that it stays in
    // place.
    const control = document.querySelector("#scroll");
    control.value = String(read("first"));
    control.dispatchEvent(new Event("input", { bubbles: true }));
  }
  ask();
});
document.querySelector("#first").addEventListener("click", () => scrollTo(0));
new MutationObserver(layOut).observe(place, { attributes: true });
new MutationObserver(layOut).observe(rows, { childList: true });
addEventListener("resize", layOut);
layOut();

const keys = {
  ArrowUp: "#up", k: "#up", ArrowDown: "#down", j: "#down", Home: "#first", End: "#present",
  " ": "#pause", Escape: "#close",
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const isTyping = event.target.matches("input, select, textarea");
  if (event.key === "Escape" && isTyping) event.target.blur();
  if (event.key === "/" && !isTyping) {
    event.preventDefault();
    document.querySelector("#search").focus();
    return;
  }
  const isButton = event.target.matches("button") && event.key === " ";
  const button = keys[event.key] && document.querySelector(keys[event.key]);
  if (isTyping || isButton || !button) return;
  event.preventDefault();
  button.click();
});
document.querySelector(".tools").addEventListener("submit", (event) => event.preventDefault());

// A dropped file is like a file that was chosen with the button.
const isFile = (event) => event.dataTransfer?.types.includes("Files");
const mark = (isOver) => document.body.classList.toggle("is-dropping", isOver);
addEventListener("dragover", (event) => {
  if (!isFile(event)) return;
  event.preventDefault();
  mark(true);
});
addEventListener("dragleave", (event) => { if (event.relatedTarget === null) mark(false); });
addEventListener("drop", (event) => {
  if (!isFile(event)) return;
  event.preventDefault(); // The browser would leave the page for the file.
  mark(false);
  const control = document.querySelector("#file");
  control.files = event.dataTransfer.files;
  control.dispatchEvent(new Event("change", { bubbles: true }));
});
// The same file can be chosen again after it has changed.
document.querySelector("#file").addEventListener("click", ({ target }) => { target.value = ""; });

// The app's page at an earlier step. Its server sends it other states, so only another model
// needs another address.
const frame = document.querySelector("#app iframe");
let framed = "";
new MutationObserver(() => {
  const wanted = place.getAttribute("page") ?? "";
  if (wanted === framed || (wanted && !wanted.startsWith("http://127.0.0.1:"))) return;
  framed = wanted;
  if (wanted) frame.src = wanted;
}).observe(place, { attributes: true, attributeFilter: ["page"] });
