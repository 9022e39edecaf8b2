// The paths of pages, for a page and for the service worker.

// Returns the entry of the first route whose pattern matches a path. A route is [pattern, entry].
export function routed(routes, path) {
  let parts;
  try { parts = path.slice(1).split("/").map(decodeURIComponent); } catch { return undefined; }
  const isMatch = (pattern) => {
    const names = pattern.slice(1).split("/");
    const isOpen = names.at(-1) === "**" && names.pop() && parts.length > names.length;
    return (isOpen || names.length === parts.length)
      && names.every((name, index) => name.startsWith(":") || name === parts[index]);
  };
  return routes.find(([pattern]) => isMatch(pattern))?.[1];
}
