// Reading an event stream, for a page and for the shared worker.

// Returns a function that receives the pieces of a stream, and returns their complete blocks. It
// reads each piece once, because a large state has many pieces.
export function blockReader() {
  let [parts, end] = [[], ""]; // The line feed at the end of a piece may begin an empty line.
  return (piece) => {
    const blocks = (end + piece).split("\n\n");
    if (blocks.length > 1) blocks[0] = [...parts.splice(0), blocks[0]].join("");
    const rest = blocks.pop();
    end = rest.endsWith("\n") ? "\n" : "";
    parts.push(rest.slice(0, rest.length - end.length));
    return blocks;
  };
}

// The position after an event. A position has parts such as "3" and "name.7", and the id of an
// event has the parts that the event has changed.
export function position(before, id) {
  const name = (part) => (part.includes(".") ? part.split(".")[0] : "");
  const parts = id.split(" ");
  const others = String(before).split(" ")
    .filter((old) => parts.every((part) => name(part) !== name(old)));
  return [...parts, ...others].join(" ");
}
