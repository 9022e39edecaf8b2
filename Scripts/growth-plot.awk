# Draws how times grow with a number, from the lines of the benchmarks of pages.
#
# Variable: of  rows, tabs or people
# Input: Documentation/Benchmarks.md. Output: an SVG picture with logarithmic axes.
# Exit status: 0 if there are at least two points.

of == "rows" && /^page of [0-9]+ rows: / {
  x = after("page of ")
  add("first page", x, after(": first "))
  add("later page", x, after("; later "))
  if (index($0, "a join seen after ")) add("join", x, after("a join seen after "))
}
of == "tabs" && /^[0-9]+ tabs × 100 rows: / {
  add("last tab", $1, after(", last tab "))
  add("floor", $1, after("floor: last tab "))
}
of == "people" && /^[0-9]+ people × 2 actions a second, / {
  add("99 of 100", $1, after(", p99 "))
  add("median", $1, after(": median "))
  add("floor", $1, after("floor: median "))
}

END {
  if (!points) exit 1
  left = 90; right = 640; top = 40; bottom = 340
  lowX = decade(minX, 0); highX = decade(maxX, 1)
  lowY = decade(minY, 0); highY = decade(maxY, 1)
  if (highX == lowX) exit 1
  split("#0f3a4c #c2571a #5b7f2b", colours, " ")
  print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 400\" role=\"img\">"
  print "  <title>" titles() "</title>"
  print "  <style>text { font: 14px system-ui, sans-serif; fill: #333 } .grid { stroke: #ddd }</style>"
  print "  <rect width=\"760\" height=\"400\" fill=\"#fff\"/>"
  text_at(left, 24, "start", titles())
  for (power = lowX; power <= highX; power++) {
    line_at(atX(10 ^ power), top, atX(10 ^ power), bottom)
    text_at(atX(10 ^ power), bottom + 22, "middle", grouped(10 ^ power))
  }
  text_at((left + right) / 2, bottom + 46, "middle", unit())
  for (power = lowY; power <= highY; power++) {
    line_at(left, atY(10 ^ power), right, atY(10 ^ power))
    text_at(left - 8, atY(10 ^ power) + 5, "end", grouped(10 ^ power) " ms")
  }
  for (s = 1; s <= series; s++) draw(s)
  place_labels()
  print "</svg>"
}

# The number after the first occurrence of a text.
function after(text,    rest) {
  rest = substr($0, index($0, text) + length(text))
  return rest + 0
}

function add(name, x, y,    s, count) {
  if (y <= 0) return
  if (!(name in number)) { number[name] = ++series; names[series] = name }
  s = number[name]
  # A later measurement of the same size replaces an earlier one.
  for (count = 1; count <= counts[s]; count++) if (xs[s, count] == x) break
  if (count > counts[s]) counts[s] = count
  xs[s, count] = x
  ys[s, count] = y
  points++
  if (minX == "" || x < minX) minX = x
  if (x > maxX) maxX = x
  if (minY == "" || y < minY) minY = y
  if (y > maxY) maxY = y
}

# The power of ten at or below a number, or at or above it.
function decade(number, isUp,    power) {
  power = int(log(number) / log(10) + (number < 1 ? -1 : 0) + 0.0000001)
  return isUp && 10 ^ power < number ? power + 1 : power
}

function atX(x) { return left + (right - left) * (log(x) / log(10) - lowX) / (highX - lowX) }
function atY(y) {
  return bottom - (bottom - top) * (log(y) / log(10) - lowY) / (highY > lowY ? highY - lowY : 1)
}

function draw(s,    order, i, j, keep, path, last) {
  for (i = 1; i <= counts[s]; i++) {
    for (j = i; j > 1 && xs[s, order[j - 1]] > xs[s, i]; j--) order[j] = order[j - 1]
    order[j] = i
  }
  for (i = 1; i <= counts[s]; i++) {
    path = path sprintf("%s%.1f %.1f", i == 1 ? "M" : " L", atX(xs[s, order[i]]), \
      atY(ys[s, order[i]]))
  }
  printf "  <path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>\n", path, colours[s], \
    names[s] == "floor" ? " stroke-dasharray=\"6 4\"" : ""
  for (i = 1; i <= counts[s]; i++) {
    printf "  <circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n", atX(xs[s, order[i]]), \
      atY(ys[s, order[i]]), colours[s]
  }
  last = order[counts[s]]
  labelX[s] = atX(xs[s, last]) + 10
  labelY[s] = atY(ys[s, last]) + 5
}

# Writes the names of the series at their ends, from the top, none above another one.
function place_labels(    s, i, place) {
  for (s = 1; s <= series; s++) {
    for (i = s; i > 1 && labelY[place[i - 1]] > labelY[s]; i--) place[i] = place[i - 1]
    place[i] = s
  }
  for (i = 2; i <= series; i++) {
    if (labelY[place[i]] < labelY[place[i - 1]] + 16) labelY[place[i]] = labelY[place[i - 1]] + 16
  }
  for (s = 1; s <= series; s++) text_at(labelX[s], labelY[s], "start", names[s])
}

function line_at(x1, y1, x2, y2) {
  printf "  <line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x1, y1, x2, y2
}

function text_at(x, y, anchor, text) {
  printf "  <text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, text
}

function grouped(number) {
  if (number < 1) return number
  return number >= 1000 ? sprintf("%d,%03d", number / 1000, number % 1000) : sprintf("%d", number)
}

function titles() {
  return of == "rows" ? "A page of a board, by the activities of its group" : \
    of == "tabs" ? "A change until all tabs have it, by the tabs" : \
    "An action until its person sees it, by the people who act"
}

function unit() { return of == "rows" ? "activities" : of }
