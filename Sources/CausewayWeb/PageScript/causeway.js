// Binds a page to the view state of its session, and sends the session's actions.
//
// The page contains the first view state. An event stream sends a full view state, then patches
// (RFC 7396). The script posts numbered actions one at a time, so the server applies no action
// twice.
(() => {
  "use strict";

  const root = document.documentElement;
  const meta = (name) => document.querySelector(`meta[name="causeway-${name}"]`)?.content;
  const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const text = (value) => (value === null || value === undefined ? "" : String(value));
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

  let [session, version] = [meta("session"), meta("version")]; // Such as "3 shared.7".
  let state = JSON.parse(document.getElementById("state").textContent);
  // Reads only own properties: a path must not reach a prototype.
  const read = (value, path) => path.reduce(
    (value, name) => (Object.hasOwn(value ?? {}, name) ? value[name] : undefined), value);
  // Returns a function that reads a path; `item` is the row of the element.
  function reader(expression) {
    if (expression.startsWith("!")) return (item) => !reader(expression.slice(1))(item);
    const [path, ...others] = expression.split("|"); // "a|b": b if there is no a.
    const next = others.length > 0 ? reader(others.join("|")) : undefined;
    const [first, ...rest] = path.split(".");
    const own = (item) => (first === "item" ? read(item, rest) : read(state, [first, ...rest]));
    return next ? (item) => own(item) ?? next(item) : own;
  }
  // "name:path; name2:path2"
  const pairs = (list) => [...(list ?? "").matchAll(/([^;:]+):([^;]+)/g)]
    .map(([, name, path]) => [name.trim(), reader(path.trim())]);

  function patched(target, patch) {
    if (!isObject(patch)) return patch;
    if (Array.isArray(target) && patch.$rows) return patchedRows(target, patch.$rows);
    const result = isObject(target) ? { ...target } : {};
    for (const [name, value] of Object.entries(patch)) {
      if (value === null) delete result[name];
      else result[name] = patched(Object.hasOwn(result, name) ? result[name] : undefined, value);
    }
    return result;
  }
  // Unmoved rows keep their order. The other rows are inserted from the lowest index to the
  // highest.
  function patchedRows(target, { gone = [], placed = [], changed = {} }) {
    const known = new Map(target.map((row) => [String(row.id), row]));
    const away = new Set([...gone, ...placed.map(([, row]) => row)]);
    const result = target.filter((row) => !away.has(String(row.id)));
    for (const [index, row] of placed) result.splice(index, 0, known.get(row) ?? row);
    return result.map((row) => (
      Object.hasOwn(changed, row.id) ? patched(row, changed[row.id]) : row));
  }

  const selector = ["each", "text", "show", "hide", "attr", "class", "value", "focus"]
    .map((name) => `[data-${name}]`).join();
  const rows = new WeakMap(); // The row of each element.
  let later = []; // Values of controls. The options of a select must exist first.

  // Returns the updates of an element, in the order in which they must run.
  function bind(element) {
    const { each, show, hide, value, focus, ...bound } = element.dataset;
    const updates = [];
    const add = (expression, update) => {
      if (expression === undefined) return;
      const get = reader(expression);
      updates.push((item) => update(get(item)));
    };
    if (each !== undefined) add(each, list(element));
    add(bound.text, (value) => {
      if (element.textContent !== text(value)) element.textContent = text(value);
    });
    add(show, (value) => { element.hidden = !value; });
    add(hide, (value) => { element.hidden = Boolean(value); });
    for (const [name, get] of pairs(bound.attr)) {
      if (isSafe(element, name)) updates.push((item) => setAttribute(element, name, get(item)));
      else console.error(`causeway: the attribute ${name} cannot be bound`, element);
    }
    for (const [name, get] of pairs(bound.class)) {
      updates.push((item) => element.classList.toggle(name, Boolean(get(item))));
    }
    add(value, (value) => later.push(() => setValue(element, value)));
    for (const path of focus?.split(";") ?? []) add(path.trim(), focusing(element));
    return updates;
  }
  const bindAll = (elements) => elements.flatMap((element) => {
    const inside = [...element.querySelectorAll(selector)];
    return (element.matches(selector) ? [element, ...inside] : inside).flatMap(bind);
  });
  const isSafe = (element, name) =>
    /^(?!on|data-|style$|srcdoc$|srcset$)[a-z][a-z0-9-]*$/.test(name)
    && !/^(script|iframe|object|embed|base|link|meta)$/.test(element.localName);
  const isLink = (address) => URL.canParse(address, location.href)
    && /^(https?|mailto):$/.test(new URL(address, location.href).protocol);

  function setAttribute(element, name, value) {
    if (/^(href|src|action|formaction|poster|cite)$/.test(name) && !isLink(value)) value = null;
    if (name.startsWith("aria-") && value !== null) value = text(value);
    if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else if (value === true) element.toggleAttribute(name, true);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }

  // The server's last value, whether the user has changed it since, and the typed text. The
  // server's echo of a typed text must not overwrite text that was typed later.
  const controls = new WeakMap();

  function setValue(control, value) {
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

  // Returns a function that shows an array as rows, identified by their keys.
  function list(container) {
    const template = container.querySelector(":scope > template");
    const keyPath = container.dataset.key?.split(".");
    // Rows of the page's own state in the places of shared rows, by key.
    const over = container.dataset.over && reader(container.dataset.over);
    let current = new Map();
    const make = () => {
      const elements = [...template.content.cloneNode(true).children];
      const row = { elements, updates: bindAll(elements) };
      elements.forEach((element) => rows.set(element, row));
      return row;
    };
    return (items) => {
      const next = new Map();
      for (const shared of Array.isArray(items) ? items : []) {
        let key = keyPath ? text(read(shared, keyPath)) : String(next.size);
        const item = (over && read(over(), [key])) ?? shared;
        while (next.has(key)) key += "'"; // A duplicate key must not lose a row.
        const row = Object.assign(current.get(key) ?? make(), { item });
        next.set(key, row);
        for (const update of row.updates) update(item);
      }
      place(container, [...current.values()], [...next.values()]);
      current = next;
    };
  }

  // Removes rows that are gone, and moves rows whose order has changed.
  function place(container, old, wanted) {
    const active = container.contains(document.activeElement) ? document.activeElement : null;
    const gone = new Set(old).difference(new Set(wanted));
    for (const row of gone) row.elements.forEach((element) => element.remove());
    const positions = new Map(old.map((row, index) => [row, index]));
    let [after, next] = [null, old.length]; // From the end: insertion point, last unmoved row.
    for (const row of wanted.toReversed()) {
      const isStaying = positions.get(row) < next;
      if (isStaying) next = positions.get(row);
      for (const element of row.elements.toReversed()) {
        const move = element.isConnected && container.moveBefore ? "moveBefore" : "insertBefore";
        if (!isStaying) container[move](element, after);
        after = element;
      }
    }
    if (active?.isConnected) active.focus({ preventScroll: true });
    else if (active) left = container;
  }

  const origins = new Map(); // The previous focus, by the element that received it.
  let [actor, wanted, left] = [null, null, null];
  // Returns a function that requests the keyboard focus when a value becomes true.
  const focusing = (element, was = false) => (value) => {
    if (value && !was && isOnline) wanted ??= element;
    was = Boolean(value);
  };
  // When the focused element is gone, the focus returns to its origin, or stays in the list.
  function settleFocus() {
    let [target, near] = [wanted, left];
    [wanted, left] = [null, null];
    if (target) origins.set(target, actor);
    for (const [element, origin] of origins) {
      if (element.checkVisibility()) continue;
      origins.delete(element);
      near = origin?.checkVisibility() ? origin : origin?.closest("[tabindex]") ?? near;
    }
    const active = document.activeElement;
    if (!active?.checkVisibility() || active === document.body) target ??= near;
    if (target?.matches("[data-each]:not([tabindex])")) target.tabIndex = -1;
    target?.focus({ preventScroll: target.tabIndex < 0 });
  }
  const updates = bindAll([root]);

  function render() {
    for (const update of updates) {
      try { update(); } catch (error) { console.error("causeway:", error); }
    }
    for (const update of later.splice(0)) update();
    settleFocus();
  }

  const queue = []; // { element, body, number?, isUncertain?, form?, shape? }
  let [nextNumber, isDraining, isOnline] = [1, false, false];

  // Files become base64 text, which Swift decodes as `Data`.
  const fileText = (file) => file && new Promise((done) => {
    const reading = new FileReader();
    reading.onloadend = () => done(reading.result?.slice(reading.result.indexOf(",") + 1));
    reading.readAsDataURL(file);
  });
  function controlValue(control) {
    if (!control || control instanceof RadioNodeList) return control?.value;
    if (control.type === "checkbox") return control.checked;
    if (control.type === "file") return fileText(control.files[0]);
    if (control.type === "select-multiple") return [...control.selectedOptions].map((o) => o.value);
    const kind = control.dataset.type ?? control.type;
    if (!["instant", "number", "range"].includes(kind)) return control.value;
    if (control.value === "") return undefined;
    return kind === "instant" ? new Date(control.value).toISOString() : Number(control.value);
  }
  // Fills in an action: the value of a `$` path replaces a string that is exactly this path.
  const fill = (template, context) => JSON.stringify(JSON.parse(template, (_, value) => {
    if (typeof value !== "string" || !value.startsWith("$")) return value;
    const [name, ...path] = value.slice(1).split(".");
    return Object.hasOwn(context, name) ? read(context[name], path) : value;
  }));
  const shape = (form) => new URLSearchParams(new FormData(form)).toString();

  async function act(element, target, type) {
    let row = element;
    while (row && !rows.has(row)) row = row.parentElement;
    const form = element.closest("form");
    const named = [...(form?.elements ?? [])].filter((control) => control.name);
    const values = named.map(({ name }) => [name, controlValue(form.elements[name])]);
    const value = controlValue(target);
    // All values are read now, because the page may change before the action is sent.
    const context = { item: rows.get(row)?.item, state, checked: target.checked };
    const entry = { element, ...(type === "submit" && { form, shape: shape(form) }) };
    if (element.dataset.confirm && !(await agreed(element, context.item))) return;
    actor = type === "submit" ? document.activeElement : element;
    entry.body = (async () => {
      for (const pair of values) pair[1] = await pair[1];
      Object.assign(context, { value: await value, form: Object.fromEntries(values) });
      return fill(element.dataset.action, context);
    })();
    element.setAttribute("aria-busy", "true");
    queue.push(entry);
    drain();
  }

  for (const type of ["submit", "click", "input", "change"]) {
    document.addEventListener(type, (event) => {
      const element = event.target.closest?.(`[data-on~="${type}"][data-action]`);
      if (!element) return;
      if (type === "submit" || element.localName === "a") event.preventDefault();
      act(element, event.target, type);
    });
  }

  function agreed({ dataset }, item) {
    const make = (name, properties) => Object.assign(document.createElement(name), properties);
    const question = dataset.confirm.replace(/\{(.+?)\}/g, (_, path) => text(reader(path)(item)));
    const dialog = make("dialog", { ariaLabel: question });
    const form = make("form", { method: "dialog" });
    form.append(make("p", { textContent: question }),
      make("button", { value: "no", textContent: dataset.confirmNo ?? "Cancel" }),
      make("button", { value: "yes", textContent: dataset.confirmYes ?? "OK" }));
    dialog.append(form);
    document.body.append(dialog);
    dialog.showModal();
    return new Promise((done) => dialog.addEventListener("close", () => {
      dialog.remove();
      done(dialog.returnValue === "yes");
    }));
  }
  function finish(entry, problem) {
    queue.splice(queue.indexOf(entry), 1);
    const isBusy = queue.some(({ element }) => element === entry.element);
    if (!isBusy) entry.element.removeAttribute("aria-busy");
    for (const element of document.querySelectorAll("[data-problem]")) {
      Object.assign(element, { textContent: problem, hidden: problem === "" });
    }
  }
  // Sends the queued actions one after another while the stream is open.
  async function drain() {
    if (isDraining) return;
    isDraining = true;
    while (queue.length > 0 && isOnline) {
      const entry = queue[0];
      const body = await entry.body.catch((error) => console.error("causeway:", error));
      entry.number ??= nextNumber;
      const headers = { "Content-Type": "application/json", "Causeway-Session": session,
        "Causeway-Sequence": String(entry.number) };
      if (entry.form?.dataset.reset) headers["Causeway-Watch"] = entry.form.dataset.reset;
      try {
        if (!body) { finish(entry, "This could not be sent."); continue; }
        const response = await fetch("/_causeway/action",
          { method: "POST", headers, body, signal: AbortSignal.timeout(30000) });
        await answered(entry, response, await response.json());
      } catch {
        entry.isUncertain = true; // The answer was lost; the server may have applied the action.
        reconnect();
      }
    }
    isDraining = false;
  }

  async function answered(entry, response, { code, detail, expected, watched }) {
    const { form, number } = entry;
    if (response.ok) {
      nextNumber = number + 1;
      finish(entry, "");
      // A form is not reset if its text was changed after the form was sent.
      const isUnchanged = form && shape(form) === entry.shape;
      if (isUnchanged && "reset" in form.dataset && !watched) form.reset();
    } else if (code === "unknown-session") {
      reconnect();
    } else if (response.status === 429 || response.status === 503) {
      await pause(1000 * Number(response.headers.get("Retry-After") ?? 1));
    } else if (code === "out-of-order" && expected !== number) {
      nextNumber = entry.number = expected;
    } else {
      // An action that the server has read uses its number. A request that it turned away does not.
      nextNumber = code === "bad-action" ? number + 1 : number;
      finish(entry, detail);
    }
  }
  let [stream, wake] = [new AbortController(), () => {}];
  function setConnection(name) {
    isOnline = name === "online";
    root.dataset.connection = name;
    for (const element of document.querySelectorAll("[data-connection-text]")) {
      element.textContent = element.dataset[name] ?? name;
    }
  }
  const reconnect = () => { setConnection("connecting"); stream.abort(); };

  // The session has ended: it was idle for too long, or the server was restarted. The page keeps
  // typed text, and the actions that were certainly not applied.
  async function renew() {
    if (document.hidden) return; // The page tries again when it is visible.
    const headers = { Accept: "application/json" };
    const response = await fetch(location.href, { headers, signal: stream.signal });
    if (!response.ok) return;
    // Another type of answer means that the server has another page at this address now.
    if (response.headers.get("Content-Type") !== "application/json") location.reload();
    ({ session, version, state } = await response.json());
    nextNumber = 1;
    for (const entry of [...queue]) {
      delete entry.number;
      if (entry.isUncertain) finish(entry, "The connection was lost: please check what you did.");
    }
    render();
  }
  function receive(block) {
    const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/, 2)));
    if (fields.data === undefined) return; // A comment.
    const data = JSON.parse(fields.data);
    if (fields.event === "patch") state = patched(state, data);
    else state = fields.event === "shared" ? { ...state, ...data } : data;
    // An event has the position of the page's own state, of the shared state, or of both.
    const isShared = (part) => part.startsWith("shared");
    const parts = fields.id.split(" ");
    const others = version.split(" ").filter((part) => (
      !parts.some((known) => isShared(known) === isShared(part))));
    version = [...parts, ...others].join(" ");
    render();
  }

  async function listen() {
    stream = new AbortController();
    // Three missing heartbeats mean that the connection is dead, even if the system reports no
    // error.
    const expire = () => setTimeout(() => stream.abort(), 5000 + 3 * meta("heartbeat"));
    let watchdog = expire();
    try {
      const headers = { "Causeway-Session": session, "Last-Event-ID": version };
      const response = await fetch("/_causeway/stream", { headers, signal: stream.signal });
      if (!response.ok) return response.status === 410 ? await renew() : undefined;
      setConnection("online");
      drain();
      const reading = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let rest = ""; ;) {
        const { value, done } = await reading.read();
        if (done) return;
        watchdog = (clearTimeout(watchdog), expire());
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop();
        blocks.forEach(receive);
      }
    } finally {
      clearTimeout(watchdog);
    }
  }

  async function stayConnected() {
    setConnection("connecting");
    for (let failures = 0; ; failures += 1) {
      while (isResting()) await new Promise((done) => { wake = done; });
      const before = session;
      try { await listen(); } catch { /* Trying again is all there is to do. */ }
      if (session !== before) continue;
      if (isOnline) failures = 0;
      setConnection(failures < 2 ? "connecting" : "offline");
      // A random delay prevents that all pages reconnect to a server at the same moment.
      const wait = Math.min(8000, 250 * 2 ** failures) * (0.5 + Math.random() / 2);
      await Promise.race([pause(wait), new Promise((done) => { wake = done; })]);
    }
  }

  for (const type of ["online", "visibilitychange"]) addEventListener(type, () => wake());
  // Browsers open six connections to a host. A hidden page closes its stream and reconnects later.
  const isResting = () => document.hidden && queue.length === 0;
  let resting = 0;
  const rest = () => {
    if (isResting()) { isOnline = false; stream.abort(); }
    else if (document.hidden) resting = setTimeout(rest, 2000);
  };
  addEventListener("visibilitychange", () => {
    clearTimeout(resting);
    if (document.hidden) resting = setTimeout(rest, 2000);
  });
  render();
  stayConnected();
})();
