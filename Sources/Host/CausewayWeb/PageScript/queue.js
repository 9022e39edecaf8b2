// The actions that the server has not answered, by their lanes.
import { session } from "./page.js";

// Each entry: { body, text?, number, order?, session?, isSent?, mayGap?, element?, form?, shape?,
// draft?, watch?, isSecret?, isTaken? }. `session` is the session of an earlier page that stored the
// entry, and such an entry has no `order`. `isTaken`: an earlier page has stored it.
export const lanes = new Map();
export function lane(name) {
  const empty = { name, queue: [], next: 1, hasGap: false, isDraining: false };
  if (!lanes.has(name)) lanes.set(name, empty);
  return lanes.get(name);
}
export const waiting = () => [...lanes.values()].reduce((sum, { queue }) => sum + queue.length, 0);

// Whether the action is stored for the next page. Passwords and large actions are not stored.
export const isStored = ({ text, isSecret }) => text && text.length < 200_000 && !isSecret;
export const storedActions = () => [...lanes.values()].flatMap(({ name, queue }) => queue
  .filter(isStored)
  .map(({ text, number, draft, watch, isSent, session: own = session }) => (
    { lane: name, text, draft, watch, isSent, number, session: own })));

// Adds the stored actions of an earlier page. If the browser shows this page again, this also
// removes actions that are no longer stored, because another page may have sent them.
export function takeUp(stored) {
  const idOf = (name, { number, session: own = session }) => `${own} ${number} ${name}`;
  const kept = new Map(stored.map((entry) => [idOf(entry.lane, entry), entry]));
  const known = new Set();
  for (const { name, queue } of lanes.values()) {
    for (const entry of queue.splice(0)) {
      const id = idOf(name, entry);
      if (isStored(entry) && !kept.has(id)) continue;
      entry.isSent ||= kept.get(id)?.isSent; // The other page may have sent it.
      queue.push(entry);
      known.add(id);
    }
  }
  for (const { lane: name, text, ...entry } of stored) {
    if (known.has(idOf(name, entry))) continue;
    const taken = { ...entry, text, body: Promise.resolve(text), isTaken: true };
    // A page without a connection had no session: the action gets a number of this page's session.
    if (!entry.session) {
      taken.session = undefined;
      taken.number = lane(name).next;
      lane(name).next += 1;
    }
    lane(name).queue.push(taken);
  }
}
