// The paths of bindings, such as `!item.note?` or `draft.title|title`.
//
// `BindingPath` reads the same grammar in Swift. Both pass the cases of `Tests/BindingPaths`.

// Reads only own properties: a path must not reach a prototype. For a text, it reads only the
// length.
export const read = (value, steps) => steps.reduce((value, step) => {
  const hasStep = typeof value === "string" ? step === "length" : Object.hasOwn(value ?? {}, step);
  return hasStep ? value[step] : undefined;
}, value);

const sign = /[\s\u0085[\](){}<>=&+*/,;:!"'`%^~\\?]/;

// Returns a function that reads a path from a state and a row, or throws an error.
//
// A path that starts with `item` reads the row. `a|b` is the value of b if a has no value. The
// server leaves out missing optional values, so the path of an optional value ends with a question
// mark. `missing` is called if a path without a question mark has no value.
export function parsed(expression, missing = () => {}) {
  const [negations] = expression.match(/^!*/);
  const alternatives = expression.slice(negations.length).split("|").map((part) => {
    const isOptional = part.endsWith("?");
    const steps = (isOptional ? part.slice(0, -1) : part).split(".");
    if (steps.some((step) => step === "" || sign.test(step))) {
      throw new Error(`"${expression}" is not a path`);
    }
    return { steps, isOptional };
  });
  const find = (state, row) => {
    let value;
    for (const { steps: [first, ...rest] } of alternatives) {
      value = first === "item" ? read(row, rest) : read(state, [first, ...rest]);
      if (value !== undefined && value !== null) return value;
    }
    if (value === undefined && !alternatives.at(-1).isOptional) missing(expression);
    return value;
  };
  if (negations === "") return find;
  return (state, row) => Boolean(find(state, row)) === (negations.length % 2 === 0);
}
