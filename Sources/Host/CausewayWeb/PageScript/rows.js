// Lists of rows, identified by their keys.
//
// When a row leaves one list and enters another list with the same template, it moves there with
// its typed text. So all lists first release rows, and then make the missing rows.
import { attempt, reader, text } from "./page.js";
import { read } from "./paths.js";
import { leave } from "./focus.js";

export const rows = new WeakMap(); // The row of each element.
const lists = new WeakMap(); // A function for each container that returns its rows.
const parked = new Map(); // Rows without a place, by template and key.
const unfinished = []; // Lists that wait for rows.

let templates = 0;
export function numberTemplates(node) {
  for (const template of node.querySelectorAll("template")) {
    template.dataset.kind = templates += 1;
    numberTemplates(template.content);
  }
}

export function rowOf(element) {
  while (element && !rows.has(element)) element = element.parentElement;
  return rows.get(element);
}

// Returns a function that shows an array as rows. `bindAll` returns the updates of elements.
export function list(container, bindAll) {
  const template = container.querySelector(":scope > template");
  const { kind } = template.dataset;
  const keyPath = container.dataset.key?.split(".");
  // The page's own members of shared rows, by key.
  const over = container.dataset.over && reader(container.dataset.over);
  let current = new Map();
  lists.set(container, () => [...current.values()]);
  const isOwn = (row) => row?.container === container;

  return (items) => {
    const next = new Map();
    for (const shared of Array.isArray(items) ? items : []) {
      let key = keyPath ? text(read(shared, keyPath)) : String(next.size);
      const own = over && read(over(), [key]);
      const item = own ? { ...shared, ...own } : shared;
      while (next.has(key)) key += "'"; // A duplicate key must not lose a row.
      const row = current.get(key);
      next.set(key, { item, row: isOwn(row) ? row : null });
    }
    const old = [...current.values()].filter(isOwn);
    for (const row of old) if (next.has(row.key)) unpark(row); else park(row);
    for (const { item, row } of next.values()) if (row) update(row, item);
    unfinished.push(() => {
      const wanted = [...next].map(([key, { item, row }]) => {
        if (isOwn(row)) return row;
        const entered = take(kind, key) ?? make(template, kind, key, bindAll);
        entered.container = container;
        update(entered, item);
        return entered;
      });
      place(container, old.filter(isOwn), wanted);
      current = new Map(wanted.map((row) => [row.key, row]));
    });
  };
}

function make(template, kind, key, bindAll) {
  const elements = [...template.content.cloneNode(true).children];
  const row = { elements, kind, key, updates: bindAll(elements) };
  elements.forEach((element) => rows.set(element, row));
  return row;
}
function update(row, item) {
  row.item = item;
  for (const update of row.updates) attempt(update, item);
}

const slotOf = ({ kind, key }) => `${kind} ${key}`;
function park(row) {
  const name = slotOf(row);
  if (!parked.has(name)) parked.set(name, new Set());
  parked.get(name).add(row);
  // The rows inside it can move to another list too.
  for (const element of row.elements) {
    for (const container of [element, ...element.querySelectorAll("[data-each], [data-with]")]) {
      for (const inner of lists.get(container)?.() ?? []) {
        if (inner.container === container) park(inner);
      }
    }
  }
}
const unpark = (row) => parked.get(slotOf(row))?.delete(row);
function take(kind, key) {
  const [row] = parked.get(slotOf({ kind, key })) ?? [];
  if (row) unpark(row);
  return row;
}

// Makes or moves the rows that lists wait for, and removes the rows that no list needs.
export function settleRows(active) {
  for (let finish; (finish = unfinished.shift());) attempt(finish);
  const gone = [...parked.values()].flatMap((rows) => [...rows]);
  parked.clear();
  const left = gone.filter(({ elements }) => elements.some((one) => one.contains(active)));
  for (const row of gone) row.elements.forEach((element) => element.remove());
  const near = left.find(({ container }) => container.isConnected);
  if (near) leave(near.container);
  const isLost = active?.isConnected && document.activeElement !== active;
  if (isLost && active !== document.body) active.focus({ preventScroll: true });
}

// Puts rows into the wanted order, and moves as few rows as possible.
function place(container, old, wanted) {
  const positions = new Map(old.map((row, index) => [row, index]));
  let [after, next] = [null, old.length]; // From the end: insertion point, last unmoved row.
  for (const row of wanted.toReversed()) {
    const isStaying = positions.get(row) < next;
    if (isStaying) next = positions.get(row);
    for (const element of row.elements.toReversed()) {
      const canMove = element.isConnected && container.isConnected && container.moveBefore;
      if (!isStaying) container[canMove ? "moveBefore" : "insertBefore"](element, after);
      after = element;
    }
  }
}
