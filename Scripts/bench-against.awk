# Compares the rows that two versions of the benchmarks have printed, each in several rounds.
#
# The variable `limit` is a percentage, `old` and `new` are the names of the versions, and `version`
# is 1 while the rows of the old version are read, then 2.
# A row is "NAME TIME UNIT [floor TIME UNIT] … allocations …". Other lines are ignored.
# Exit status: 0 if no row is slow, 1 if a row is slow, 2 if there are no rows to compare.

BEGIN { time = "[0-9]+[.][0-9]+ (ns|µs)" }

match($0, time "( floor " time " ratio [0-9.]+)? allocations ") {
  name = substr($0, 1, RSTART - 1)
  sub(/ +$/, "", name)
  count = split(substr($0, RSTART, RLENGTH), words, " ")
  if (!((1, name) in rounds) && !((2, name) in rounds)) names[++nameCount] = name
  round = ++rounds[version, name]
  work[version, name, round] = nanoseconds(words[1], words[2])
  if (words[3] == "floor") floor[version, name, ++floors[version, name]] = \
    nanoseconds(words[4], words[5])
}

END {
  for (i = 1; i <= nameCount; i++) {
    name = names[i]
    if (!((2, name) in rounds)) { print "only " old ": " name; continue }
    if (!((1, name) in rounds)) { print "only " new ": " name; continue }
    compared++
    before = median(work, 1, name, rounds[1, name])
    after = median(work, 2, name, rounds[2, name])
    change = percentage(before, after)
    text = sprintf("%-58s %s -> %s (%+.0f %%)", name, written(before), written(after), change)
    isFloorSlow = 0
    if (floors[1, name] && floors[2, name]) {
      drift = percentage(median(floor, 1, name, floors[1, name]), \
        median(floor, 2, name, floors[2, name]))
      text = text sprintf(", floor %+.0f %%", drift)
      isFloorSlow = drift > limit
    }
    isNoise = extreme(work, 2, name, rounds[2, name], -1) <= \
      extreme(work, 1, name, rounds[1, name], 1)
    isSlow = change > limit && !isFloorSlow && !isNoise
    slow += isSlow
    print (isSlow ? "SLOW  " : "ok    ") text
  }
  if (!compared) { print "No row was measured by both versions."; exit 2 }
  if (slow) { print "Slower by more than " limit " %: " slow " of " compared " rows."; exit 1 }
  print "None of " compared " rows is slower by more than " limit " %."
}

function nanoseconds(number, unit) { return number * (unit == "ns" ? 1 : 1000) }

function written(time) {
  return time < 1000 ? sprintf("%.1f ns", time) : sprintf("%.2f µs", time / 1000)
}

function percentage(before, after) { return before > 0 ? (after / before - 1) * 100 : 0 }

# The largest value, or with the sign -1 the smallest one.
function extreme(values, version, name, count, sign,    i, best) {
  best = values[version, name, 1]
  for (i = 2; i <= count; i++) {
    if (sign * values[version, name, i] > sign * best) best = values[version, name, i]
  }
  return best
}

# The middle value; of an even number of values, the mean of the middle ones.
function median(values, version, name, count,    sorted, i, j, value) {
  for (i = 1; i <= count; i++) {
    value = values[version, name, i]
    for (j = i; j > 1 && sorted[j - 1] > value; j--) sorted[j] = sorted[j - 1]
    sorted[j] = value
  }
  return (sorted[int((count + 1) / 2)] + sorted[int(count / 2) + 1]) / 2
}
