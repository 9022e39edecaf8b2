# Prints the long parts of the checks that the last push needs, the most urgent first.
#
# Input: the table of Scripts/long-parts, an empty line, and the commits with their files, the newest
#        first: "commit SECOND HASH", and a line for each path.
#        A path in an earlier commit can lack the room of its module, such as Sources/Data, so all
#        paths are compared in that form.
# Variables: base   the commit before the last push, or nothing
#            until  the minutes of all of .ci/run, of which 18 are for the quick parts
#
# Output: a name a line; "!" marks the part that has not run for the longest time.
#
# First is the part with the deepest path that has changed, then the one that has not run for the
# longest time, then the other changed ones. A part that does not fit any more waits for another push.
# The time that a push really needs is not known here, so Scripts/long always runs the marked part.
BEGIN { budget = until - 18; gap = 90 * 60; push = 1 }

!tableRead && NF == 0 { tableRead = 1; next }
!tableRead {
  name[++parts] = $1
  minutes[parts] = $2
  pathCount[parts] = NF - 2
  for (i = 3; i <= NF; i++) path[parts, i - 2] = earlierForm($i)
  # At first, the last part of the table has not run for the longest time.
  lastRun[parts] = -1000 - parts
  next
}
/^commit [0-9]+ [0-9a-f]+$/ {
  isOver = base != "" ? $3 == base : time && time - $2 > gap
  if (isOver) { push++; base = "" }
  time = $2
  next
}
NF { note(earlierForm($0)) }

END {
  # The newest push has the number 1.
  for (number = push; number >= 1; number--) decide(number, number == 1)
}

function earlierForm(path) {
  sub(/^Sources\/(Floor|Runtime|Data|Drivers|Host|Tools)\//, "Sources/", path)
  # These folders were modules of their own.
  sub(/^Sources\/CausewayCache/, "Sources/CausewayStores", path)
  sub(/^Sources\/CausewayBasics\/Files/, "Sources/CausewayFiles", path)
  sub(/^Sources\/CausewayBasics\/Surroundings/, "Sources/CausewaySimulationHooks", path)
  return path
}

# The depth of the deepest path of a part that a changed file is in.
function note(file, part, i, depth) {
  for (part = 1; part <= parts; part++) {
    for (i = 1; i <= pathCount[part]; i++) {
      if (file != path[part, i] && index(file, path[part, i] "/") != 1) continue
      depth = gsub("/", "/", path[part, i]) + 1
      if (depth > changed[push, part]) changed[push, part] = depth
    }
  }
}

function decide(number, prints, left, part, best, oldest, isDone, round) {
  left = budget
  delete isDone
  for (part = 1; part <= parts; part++) {
    if (minutes[part] <= budget && (!oldest || lastRun[part] < lastRun[oldest])) oldest = part
  }
  # The time of the oldest part is kept for it.
  left -= minutes[oldest]
  for (round = 1; round <= parts; round++) {
    best = 0
    for (part = 1; part <= parts; part++) {
      if (part in isDone || !changed[number, part]) continue
      if (minutes[part] > left && part != oldest) continue
      if (!best || changed[number, part] > changed[number, best] ||
          (changed[number, part] == changed[number, best] && lastRun[part] < lastRun[best])) best = part
    }
    if (round == 2 && !(oldest in isDone)) best = oldest
    if (!best && !(oldest in isDone)) best = oldest
    if (!best) break
    isDone[best] = 1
    if (best != oldest) left -= minutes[best]
    if (prints) print name[best] (best == oldest ? "!" : "")
  }
  for (part in isDone) lastRun[part] = -number
}
