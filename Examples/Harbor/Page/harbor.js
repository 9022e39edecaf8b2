// Copies the address of a button with `data-copy`, and shows this in the button for two seconds.
addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copy]");
  if (!button) return;
  const address = new URL(button.value, location.href).href;
  try {
    await navigator.clipboard.writeText(address);
    button.classList.add("copied");
    setTimeout(() => button.classList.remove("copied"), 2000);
  } catch {
    // Without the permission, the user can still copy the address by hand.
    prompt("Copy this address:", address);
  }
});

// Loads a picture again after a failure, at most three times: the connection may be back.
addEventListener("error", ({ target }) => {
  if (!(target instanceof HTMLImageElement)) return;
  const tries = 1 + Number(target.dataset.tries ?? 0);
  if (tries > 3 || !target.getAttribute("src")) return;
  target.dataset.tries = tries;
  setTimeout(() => (target.src = target.src), 1000 * tries);
}, true);
addEventListener("load", ({ target }) => delete target.dataset?.tries, true);
