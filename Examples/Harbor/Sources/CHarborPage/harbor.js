// Copies the address in the value of a button with `data-copy`. The button shows this for two
// seconds.
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
