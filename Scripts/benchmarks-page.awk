# Writes the output of a benchmark as a table, and lines without a goal or a floor as text.
#
# A row is "NAME TIME [floor TIME ratio NUMBER] allocations NUMBER [(floor NUMBER)]  [GOAL]". A line
# "NAME: FIGURE  [GOAL]" or "NAME: FIGURE (target NUMBER)" has a goal too.

BEGIN { time = "[0-9]+[.][0-9]+ (ns|µs)" }

# Long numbers are rounded.
{
  while (match($0, /[0-9]+\.[0-9][0-9][0-9][0-9]+/)) {
    $0 = substr($0, 1, RSTART - 1) sprintf("%.2f", substr($0, RSTART, RLENGTH)) \
      substr($0, RSTART + RLENGTH)
  }
}

match($0, time "( floor " time " ratio [0-9.]+)? allocations ") {
  name = substr($0, 1, RSTART - 1)
  sub(/ +$/, "", name)
  count = split(substr($0, RSTART), words, " ")
  work = words[1] " " words[2]
  floor = ratio = ""
  if (words[3] == "floor") { floor = words[4] " " words[5]; ratio = words[7] }
  allocations = $0
  sub(/.* allocations /, "", allocations)
  sub(/  \[.*/, "", allocations)
  goal = bracketed($0)
  add(name, goal, work, floor, ratio, allocations, \
    verdict(goal, name, nanoseconds(work), nanoseconds(floor), ratio, allocations + 0))
  next
}

match($0, /: .*(  \[[^\]]*\]| \(target [0-9.]+\))$/) {
  name = substr($0, 1, RSTART - 1)
  figure = substr($0, RSTART + 2)
  goal = bracketed(figure)
  if (match(figure, / \(target [0-9.]+\)$/)) {
    number = substr(figure, RSTART + 9) + 0
    figure = substr(figure, 1, RSTART - 1)
    unit = figure
    sub(/^[0-9.]+ /, "", unit)
    goal = "<= " number " " unit
  }
  sub(/  \[.*/, "", figure)
  ratio = match(figure, /ratio [0-9.]+/) ? substr(figure, RSTART + 6, RLENGTH - 6) : ""
  add(name, goal, figure, "", ratio, "", verdict(goal, name, size(figure), "", ratio, 0))
  next
}

NF && !/^\[[0-9]+\/[0-9]+\]|^Build |^Building / { others = others $0 "\n" }

END {
  if (rows) {
    print "| row | goal | figure | floor | ratio | allocations | |"
    print "|---|---|---|---|---|---|---|"
    printf "%s", rows
    print ""
    if (goals) print (goals - missed) " of " goals " goals are met" \
      (missed ? ", " missed " missed." : ".")
  }
  if (others) {
    if (rows) print ""
    print "```text"
    printf "%s", others
    print "```"
  }
}

function add(name, goal, figure, floor, ratio, allocations, mark) {
  gsub(/\|/, "\\|", name)
  rows = rows "| " name " | " goal " | " figure " | " floor " | " ratio " | " allocations " | " \
    mark " |\n"
}

# Says whether a figure meets its goal; empty if there is no goal.
function verdict(goal, name, work, floor, ratio, allocations,    limit, isMissed) {
  if (goal == "") return ""
  if (match(goal, /<= floor \+ [0-9.]+ [^ ,]+/)) {
    isMissed = work > floor + size(substr(goal, RSTART + 11, RLENGTH - 11))
  } else if (match(goal, /<= [0-9.]+ x /)) {
    isMissed = ratio + 0 > substr(goal, RSTART + 3) + 0
  } else if (match(goal, /<= [0-9.]+ [^ ,]+/)) {
    limit = size(substr(goal, RSTART + 3, RLENGTH - 3))
    # The goal of one consumer; the name begins with their number.
    if (goal ~ /a consumer/ && match(name, /[0-9]+/)) limit *= substr(name, RSTART, RLENGTH)
    isMissed = work > limit
  }
  if (goal ~ /0 allocations|no allocation|no copy/ && allocations > 0.001) isMissed = 1
  goals++
  missed += isMissed
  return isMissed ? "**missed**" : "met"
}

function bracketed(text) {
  if (!match(text, /  \[[^\]]*\]$/)) return ""
  return substr(text, RSTART + 3, RLENGTH - 4)
}

function nanoseconds(text) { return text == "" ? "" : size(text) }

# A time in nanoseconds, or an amount of memory in bytes.
function size(text,    words, unit) {
  split(text, words, " ")
  unit = words[2]
  sub(/[,;]$/, "", unit)
  return words[1] * (unit == "µs" || unit == "us" || unit == "kB" ? 1000 : unit == "ms" || \
    unit == "MB" ? 1000000 : unit == "s" ? 1000000000 : 1)
}
