// The paths of pages, for a page and for the service worker.

// Returns the entry of the first route whose pattern matches a path. A route is [pattern, entry].
export function routed(routes, path) {
  // Like on the server, "/" has no parts.
  const split = (text) => (text === "/" ? [] : text.slice(1).split("/"));
  let parts;
  try { parts = split(path).map(decodeURIComponent); } catch { return undefined; }
  const isMatch = (pattern) => {
    const names = split(pattern);
    const isOpen = names.at(-1) === "**" && names.pop() !== undefined;
    return (isOpen ? parts.length > names.length : parts.length === names.length)
      && names.every((name, index) => name.startsWith(":") || name === parts[index]);
  };
  return routes.find(([pattern]) => isMatch(pattern))?.[1];
}
