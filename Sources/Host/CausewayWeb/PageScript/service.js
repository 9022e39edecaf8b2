// The service worker. If the server does not answer, the worker answers a page and its files from
// what is kept on this device. It also answers a page's requests for files of the page's own
// version. All other requests go to the server.
//
// The server puts the constant `offline` in front of it. A new version of the host has another
// constant, so the browser installs a new worker, with a cache of its own.
import { find, forget, remove } from "./kept.js";
import { routed } from "./places.js";

const cacheName = `causeway ${offline.build}`;
const shellAddress = (index) => `/_causeway/shell?build=${offline.build}&page=${index}`;
const ownClients = new Set(); // The pages that have the version of this worker.
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function fill() {
  const cache = await caches.open(cacheName);
  const add = async (address) => {
    const response = await fetch(address, { cache: "no-cache" });
    if (!response.ok) throw new Error(`${address} was answered with ${response.status}.`);
    await cache.put(address, response);
  };
  await Promise.all(offline.assets.map(add));
  // The server refuses the shells of another version, so files of two versions are never mixed.
  const shells = new Set(offline.routes.map(([, shell]) => shell).filter((shell) => shell >= 0));
  await Promise.all([...shells].map((shell) => add(shellAddress(shell))));
}
addEventListener("install", (event) => event.waitUntil((async () => {
  const isNew = !(await caches.has(cacheName)); // The running worker may use this cache.
  try { await fill(); } catch (error) {
    if (isNew) await caches.delete(cacheName);
    throw error;
  }
  await skipWaiting();
})()));
addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith("causeway ") && name !== cacheName) await caches.delete(name);
  }
  // An earlier version has enabled the preload. In Firefox, a failed preload takes the place of the
  // kept page.
  await registration.navigationPreload?.disable();
  await clients.claim();
})()));

addEventListener("fetch", (event) => {
  const { request, clientId } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.method !== "GET") return;
  if (request.mode === "navigate") {
    // The server must know whether a request is for a frame, but a request of the worker does not
    // contain this.
    if (request.destination === "document") event.respondWith(answer(event));
  } else if (offline.assets.includes(pathname) && !request.headers.has("Range")) {
    event.respondWith(asset(request, pathname, ownClients.has(clientId)));
  }
});

// The browser ends an idle worker. When the worker starts again, it knows no page.
async function asset(request, path, isOwn) {
  const kept = async () => (await caches.open(cacheName)).match(path);
  if (isOwn) return (await kept()) ?? fetch(request);
  return fetch(request).catch(async () => (await kept()) ?? Response.error());
}

async function answer(event) {
  const { request } = event;
  const { pathname, search } = new URL(request.url);
  const arrival = fetch(request).then((response) => (isProxys(response) ? missing() : response));
  const shell = search ? -1 : routed(offline.routes, pathname);
  if (!(shell >= 0)) return arrival.catch(missing);
  // The browser cancels the request if nothing waits for it.
  event.waitUntil(arrival.catch(() => {}));
  const response = await Promise.race([arrival.catch(() => {}), pause(offline.patience)]);
  if (response && response.status < 500) {
    // The page needs no request for a file of its own version.
    if (response.headers.get("Causeway-Build") === offline.build) {
      ownClients.add(event.resultingClientId);
    }
    await leave(response, pathname).catch(() => {});
    return response;
  }
  const kept = await keptPage(pathname, shell).catch(() => {});
  if (!kept) return response ?? arrival.catch(missing);
  ownClients.add(event.resultingClientId);
  return kept;
}

// Whether a proxy answers in place of the server, whose pages all have this field.
const isProxys = ({ status, headers }) => [502, 503, 504].includes(status)
  && !headers.has("Content-Security-Policy");

// Removes what the person may not see any more. Another site can make the browser open an address
// that is refused. So only an answer that says that the person is unknown removes everything.
async function leave({ status, type }, path) {
  if (status === 401) {
    await forget();
    const channel = new BroadcastChannel("causeway");
    channel.postMessage({}); // Tells pages without a connection.
    channel.close();
  } else if ([403, 404, 410].includes(status) || type === "opaqueredirect") await remove(path);
}

// The fields of the server's answer that protect the page.
const fields = ["Content-Security-Policy", "Cross-Origin-Opener-Policy",
  "Cross-Origin-Resource-Policy", "Referrer-Policy", "X-Content-Type-Options", "X-Frame-Options"];
function page(text, status, source) {
  const headers = new Headers({
    "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" });
  for (const name of fields) {
    if (source?.headers.has(name)) headers.set(name, source.headers.get(name));
  }
  if (!source) headers.set(fields[0], "default-src 'none'; img-src data:; frame-ancestors 'none'");
  return new Response(text, { status, headers });
}
async function keptPage(path, shell) {
  const since = Date.now() - offline.days * 86_400_000;
  const kept = await find(path, offline.build, since);
  const source = await (await caches.open(cacheName)).match(shellAddress(shell));
  if (!kept?.text || !source) return undefined;
  const state = kept.text.replaceAll("<", "\\u003c");
  // The replacements are functions, because `$` has a special meaning in a replacement text.
  const text = (await source.text())
    .replace('name="causeway-owner" content=""', (field) => (
      `name="causeway-kept" content="${kept.time}">\n<meta ${field.slice(0, -1)}${kept.owner}"`))
    .replace('id="state">null<', () => `id="state">${state}<`);
  return page(text, 200, source);
}
const missing = () => page(`<!doctype html><html lang="en"><head><meta charset="utf-8">
  <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
  <link rel="icon" href="data:,"><title>No connection</title></head><body><main>
  <h1>No connection</h1><p>The server does not answer, and this page is not kept on this device.</p>
  <p><a href="">Try again</a></p></main></body></html>`, 503);
