// The kept states of pages, in the browser's own storage. The page writes them, and the service
// worker reads them.
//
// In the store "kept", the record "index" is { person, build, mark, pages: [{ path, owner, time,
// size }] }. The state of a page is a text under its path. Only one person's states are kept; the
// pages of this person may have several scopes. A page gets the mark when it claims the storage,
// and can keep its state while the index has this mark. So a page that was opened before a sign-out
// cannot keep anything after it.
//
// The store "queues" has the waiting actions of each tab, because the browser removes the session
// storage of a closed tab. A record is { owner, path, items, time, size }, or { owner, movedAt } after
// another tab has taken the items. Only a page with the same path may take them, because the same
// actions of another page change something else.

// The limits, in characters and pages. The oldest pages and queues are removed first.
export const limits = { state: 2_000_000, all: 4_000_000, pages: 16, queues: 1_000_000 };

// An owner is two hashes: of the person, and of the person and the scope.
export const personOf = (owner) => owner.split(".")[0];

const database = () => new Promise((done, fail) => {
  const opening = indexedDB.open("causeway", 1);
  opening.onupgradeneeded = () => {
    for (const name of ["kept", "queues"]) opening.result.createObjectStore(name);
  };
  opening.onsuccess = () => done(opening.result);
  opening.onerror = () => fail(opening.error);
});

// Runs `use` with both stores in one transaction, and returns its result.
async function open(mode, use) {
  const opened = await database();
  try {
    return await new Promise((done, fail) => {
      const transaction = opened.transaction(["kept", "queues"], mode);
      let result;
      use(transaction.objectStore("kept"), transaction.objectStore("queues"), (value) => {
        result = value;
      });
      transaction.oncomplete = () => done(result);
      transaction.onabort = () => fail(transaction.error);
    });
  } finally {
    opened.close();
  }
}

const access = (mode, use) => open(mode, (kept, queues, done) => {
  kept.get("index").onsuccess = ({ target }) => done(use(kept, target.result, queues));
});
// Calls `use` with each record of a store: its key, its value and its cursor. Then calls `end`.
const each = (store, use, end = () => {}) => {
  store.openCursor().onsuccess = ({ target: { result: cursor } }) => {
    if (!cursor) return end();
    use(cursor.key, cursor.value, cursor);
    cursor.continue();
  };
};

// Removes the states of other persons and other versions, and the actions of other persons. Returns
// { mark, dropped, isNew }: the mark, the number of the removed actions, and whether another person
// uses the browser.
export const claim = (owner, build) => access("readwrite", (kept, index, queues) => {
  const person = personOf(owner);
  const isNew = index?.person !== person;
  if (!isNew && index.build === build) return { mark: index.mark, dropped: 0, isNew };
  const claimed = { mark: crypto.randomUUID(), dropped: 0, isNew };
  kept.clear();
  kept.put({ person, build, mark: claimed.mark, pages: [] }, "index");
  each(queues, (_, queue, cursor) => {
    if (personOf(queue.owner) === person) return;
    claimed.dropped += queue.items?.length ?? 0;
    cursor.delete();
  });
  return claimed;
});

// Removes all states and waiting actions. No page that is open now can keep its state after this.
export const forget = () => open("readwrite", (kept, queues) => {
  kept.clear();
  queues.clear();
});

// Removes the state of one page.
export const remove = (path) => access("readwrite", (kept, index) => {
  kept.delete(path);
  if (!index) return;
  kept.put({ ...index, pages: index.pages.filter((page) => page.path !== path) }, "index");
});

// Whether the states belong to a person.
export const isOf = (owner) => access("readonly", (_, index) => index?.person === personOf(owner));

// Stores the waiting actions of a tab's page. Actions that alone exceed the limit are not stored.
export const storeQueue = (key, queue) => open("readwrite", (_, queues) => {
  queues.delete(key);
  const { length: size } = JSON.stringify(queue.items);
  if (queue.items.length === 0 || size > limits.queues) return;
  const others = [];
  let all = size;
  each(queues, (name, other) => {
    others.push([other.time ?? 0, name, other.size ?? 0]);
    all += other.size ?? 0;
  }, () => {
    others.sort(([one], [other]) => one - other);
    for (const [, name, size] of others) {
      if (all <= limits.queues) break;
      if (size > 0) queues.delete(name);
      all -= size;
    }
    queues.put({ ...queue, time: Date.now(), size }, key);
  });
});

// Moves the actions of closed tabs with the same owner and path to a tab's page. Returns
// { items, isMoved }: the moved actions, and whether another tab has taken this page's own actions.
// Removes the records of closed tabs from before a time.
export const adoptQueues = (key, own, since, isOpen) => open("readwrite", (_, queues, done) => {
  const adopted = { items: [], isMoved: false };
  done(adopted);
  each(queues, (name, queue, cursor) => {
    if (name === key) {
      adopted.isMoved = queue.movedAt !== undefined;
    } else if ((queue.time ?? queue.movedAt) < since && !isOpen(name)) {
      cursor.delete();
    } else if (queue.items && queue.owner === own.owner && queue.path === own.path
      && !isOpen(name)) {
      adopted.items.push(...queue.items);
      // The browser can open a closed tab again, with its session storage.
      cursor.update({ owner: own.owner, movedAt: Date.now() });
    }
  }, () => {
    if (adopted.items.length === 0) return;
    const known = adopted.isMoved ? [] : own.items;
    const items = [...known, ...adopted.items];
    queues.put({ ...own, items, time: Date.now(), size: JSON.stringify(items).length }, key);
  });
});

// Keeps the state of a page. Returns whether the mark is still valid.
export const keep = (mark, path, owner, text, time) => access("readwrite", (kept, index) => {
  if (index?.mark !== mark) return false;
  const pages = index.pages.filter((page) => page.path !== path)
    .sort((one, other) => one.time - other.time);
  if (text.length <= limits.state) {
    pages.push({ path, owner, time, size: text.length });
    kept.put(text, path);
  } else {
    kept.delete(path);
  }
  const size = () => pages.reduce((sum, page) => sum + page.size, 0);
  while (pages.length > limits.pages || size() > limits.all) kept.delete(pages.shift().path);
  kept.put({ ...index, pages }, "index");
  return true;
});

// Notes that the kept state of a page is still the newest.
export const confirm = (mark, path, time) => access("readwrite", (kept, index) => {
  if (index?.mark !== mark) return false;
  const pages = index.pages.map((page) => (page.path === path ? { ...page, time } : page));
  kept.put({ ...index, pages }, "index");
  return true;
});

// Returns { owner, time, text } of a page that this version has kept since a time, or undefined.
export const find = (path, build, since) => access("readonly", (kept, index) => {
  const page = index?.pages.find((one) => one.path === path);
  if (!page || index.build !== build || page.time < since) return undefined;
  const found = { owner: page.owner, time: page.time };
  kept.get(path).onsuccess = ({ target }) => { found.text = target.result; };
  return found;
});
