// Takes the place of the service worker of earlier visits if the option is off now.
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith("causeway ")) await caches.delete(name);
  }
  indexedDB.deleteDatabase("causeway");
  await registration.unregister();
})()));
