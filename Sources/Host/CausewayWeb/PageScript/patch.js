// Patches of a view state (RFC 7396), and of the rows in it.
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

export function patched(target, patch) {
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
  // If a page reads an event twice, the new row must replace its first copy.
  const idOf = (row) => (isObject(row) ? String(row.id) : row);
  const away = new Set([...gone, ...placed.map(([, row]) => idOf(row))]);
  const result = target.filter((row) => !away.has(String(row.id)));
  for (const [index, row] of placed) {
    const entry = isObject(row) ? row : known.get(row);
    // After this error, the page requests the whole state.
    if (entry === undefined) throw new Error(`a list has no row "${row}" to move`);
    result.splice(index, 0, entry);
  }
  return result.map((row) => (
    Object.hasOwn(changed, row.id) ? patched(row, changed[row.id]) : row));
}
