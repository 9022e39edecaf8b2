# Reads all Swift files of one module for Scripts/folder-graph, which describes the result.

BEGIN {
  split("", topLevel)
  split("", member)
  split("", global)
  split("", ofType)
  words("struct class enum actor protocol extension", types)
  words("func var let init typealias associatedtype", members)
  words("public package internal open static class final nonisolated mutating nonmutating " \
    "override indirect lazy weak unowned isolated dynamic required convenience borrowing " \
    "consuming set unsafe nonsending sending prefix postfix ( )", modifiers)
}

function words(list, set, parts, i, n) {
  n = split(list, parts, " ")
  for (i = 1; i <= n; i++) set[parts[i]] = 1
}

FNR == 1 {
  file = FILENAME
  folder = substr(file, length(module) + 2)
  if (!sub(/\/.*/, "", folder)) folder = "."
  fileFolder[file] = folder
  files[++fileCount] = file
  folders[folder] = 1
  depth = 0
  mode = "code"
  commentDepth = 0
}

# Cuts a line into tokens: identifiers and single signs.
{
  line = $0
  while (line != "") {
    if (commentDepth > 0) {
      if (!match(line, /\/\*|\*\//)) break
      commentDepth += substr(line, RSTART, 2) == "/*" ? 1 : -1
      line = substr(line, RSTART + 2)
    } else if (mode != "code") {
      # Inside a string. `close` is its end, which has as many # as its beginning.
      end = index(line, quote)
      back = index(line, "\\")
      if (back > 0 && (end == 0 || back < end)) {
        if (substr(line, back, length(hashes) + 2) == "\\" hashes "(") {
          line = substr(line, back + length(hashes) + 2)
          depth++
          savedQuote[depth] = quote
          savedHashes[depth] = hashes
          parens[depth] = 1
          mode = "code"
        } else line = substr(line, back + (hashes == "" ? 2 : 1))
      } else if (end > 0) {
        line = substr(line, end + length(quote))
        mode = "code"
      } else break
    } else if (match(line, /^[ \t]+/)) {
      line = substr(line, RLENGTH + 1)
    } else if (match(line, /^`?[A-Za-z_][A-Za-z_0-9]*`?/)) {
      token = substr(line, 1, RLENGTH)
      line = substr(line, RLENGTH + 1)
      gsub(/`/, "", token)
      add(token)
    } else if (line ~ /^\/\//) {
      break
    } else if (line ~ /^\/\*/) {
      commentDepth = 1
      line = substr(line, 3)
    } else if (match(line, /^#*"/)) {
      hashes = substr(line, 1, RLENGTH - 1)
      quote = substr(line, RLENGTH, 3) == "\"\"\"" ? "\"\"\"" : "\""
      line = substr(line, RLENGTH + length(quote))
      quote = quote hashes
      mode = "string"
      add("\"")
    } else {
      sign = substr(line, 1, 1)
      line = substr(line, 2)
      if (depth > 0) {
        if (sign == "(") parens[depth]++
        if (sign == ")" && --parens[depth] == 0) {
          quote = savedQuote[depth]
          hashes = savedHashes[depth]
          depth--
          mode = "string"
          continue
        }
      }
      add(sign)
    }
  }
  # Only a multi-line string continues on the next line.
  if (mode != "code" && quote !~ /^"""/) mode = "code"
}

function add(token) {
  tokens[file, ++tokenCount[file]] = token
  tokenLine[file, tokenCount[file]] = FNR
}

# Whether the declaration with its keyword at a position is private, not only its setter.
function isPrivate(file, at, token) {
  for (at--; at > 0; at--) {
    token = tokens[file, at]
    if (token == "private" || token == "fileprivate") {
      if (tokens[file, at + 1] != "(") return 1
    } else if (!(token in modifiers)) return 0
  }
  return 0
}

function declare(table, name, folder) {
  if (index(table[name], "|" folder "|") == 0) table[name] = table[name] "|" folder "|"
}

# Reads a file in three passes: its types, then its functions and members, then its uses.
function walk(file, pass, i, at, n, token, previous, following, scope, pending, pendingName, inParens) {
  n = tokenCount[file]
  folder = fileFolder[file]
  scope = 0
  pending = ""
  inParens = 0
  owner[0] = ""
  for (i = 1; i <= n; i++) {
    token = tokens[file, i]
    previous = i > 1 ? tokens[file, i - 1] : ""
    following = i < n ? tokens[file, i + 1] : ""
    if (token == "(" || token == "[") inParens++
    else if (token == ")" || token == "]") inParens--
    else if (token == "{") {
      scope++
      kind[scope] = pending != "" && inParens == 0 ? pending : "code"
      owner[scope] = kind[scope] == "code" ? owner[scope - 1] : pendingName
      savedParens[scope] = inParens
      inParens = 0
      if (kind[scope] != "code") pending = ""
    } else if (token == "}") {
      inParens = savedParens[scope]
      if (scope > 0) scope--
    } else if (token in types && previous != "." && following ~ /^[A-Z]/) {
      pending = token == "extension" ? "extension" : "type"
      pendingName = (owner[scope] == "" ? "" : owner[scope] ".") following
      # An extension uses the type that it extends.
      if (pending == "type") {
        if (pass == 1) {
          named[file, following] = 1
          if (scope == 0 && !isPrivate(file, i)) declare(topLevel, following, folder)
        } else if (pass == 2 && scope > 0) declareMember(file, i, following, scope)
      } else for (at = i + 2; tokens[file, at] == "."; at += 2) {
        pendingName = pendingName "." tokens[file, at + 1]
      }
      if (pending == "type") i++
    } else if (token in members && previous != "." && (scope == 0 || kind[scope] != "code") &&
      (token == "init" || following ~ /^[A-Za-z_]/)) {
      if (token == "init") {
        if (pass == 2) declareMember(file, i, "init" label(file, i + 1), scope)
      } else {
        if (pass == 1 && token ~ /^(typealias|associatedtype)$/) {
          named[file, following] = 1
          if (scope == 0 && !isPrivate(file, i)) declare(topLevel, following, folder)
        }
        if (pass == 2) {
          declareMember(file, i, following (token == "func" ? label(file, i + 2) : ""), scope)
        }
        i++
      }
    } else if (token == "case" && kind[scope] == "type" && pass == 2) {
      declareCases(file, i, scope)
    } else if (pass == 3 && token ~ /^[A-Za-z_]/) use(file, i, token, previous, scope)
  }
}

# The label of the first argument after a name, as in "(with:"; empty if there is no label.
function label(file, at) {
  if (tokens[file, at] == "<") {
    while (at < tokenCount[file] && tokens[file, at] != ">") at++
    at++
  }
  if (tokens[file, at] != "(" || tokens[file, at + 1] !~ /^[a-z]/) return ""
  if (tokens[file, at + 2] !~ /^[:a-zA-Z_]/) return ""
  return "(" tokens[file, at + 1] ":"
}

function declareMember(file, at, name, scope, type) {
  if (isPrivate(file, at)) return
  if (scope == 0) {
    declare(global, name, folder)
    return
  }
  type = owner[scope]
  declare(member, name, folder)
  declare(ofType, type "." name, folder)
  if (kind[scope] == "extension" && topLevel[type] != "|" folder "|") foreign[name] = 1
}

function declareCases(file, at, scope, nested) {
  do {
    if (tokens[file, ++at] !~ /^[A-Za-z_]/) return
    declareMember(file, at, tokens[file, at], scope)
    if (tokens[file, ++at] == "(") {
      nested = 0
      do {
        if (tokens[file, at] == "(") nested++
        if (tokens[file, at] == ")") nested--
        at++
      } while (nested > 0 && at < tokenCount[file])
    }
  } while (tokens[file, at] == ",")
}

function use(file, i, token, previous, scope, own, signature) {
  own = "|" folder "|"
  signature = token label(file, i + 1)
  if (previous == ".") {
    if (signature in foreign) edge(folder, member[signature], own, file, i, "." signature)
  } else if (token ~ /^[A-Z]/) {
    if (!((file, token) in named) && token in topLevel) {
      edge(folder, topLevel[token], own, file, i, token)
    }
    # A call without a label may be an initializer that the compiler makes.
    signature = label(file, i + 1)
    if (signature == "") return
    signature = (token == "Self" ? owner[scope] : token) ".init" signature
    if (signature in ofType) edge(folder, ofType[signature], own, file, i, signature)
  } else {
    if (signature in global) edge(folder, global[signature], own, file, i, signature)
    signature = owner[scope] "." signature
    if (signature in ofType) edge(folder, ofType[signature], own, file, i, signature)
  }
}

function edge(from, declared, own, file, i, what, to) {
  # Several folders declare the name, perhaps also this folder.
  if (index(declared, "||") > 0 || declared == own) return
  to = declared
  gsub(/\|/, "", to)
  if (!((from, to) in uses)) {
    uses[from, to] = file ":" tokenLine[file, i] ": " what
    targets[from] = targets[from] " " to
  }
  if (++found[from, to] <= 3) {
    evidence[from, to] = evidence[from, to] "\n      " file ":" tokenLine[file, i] ": " what
  }
}

END {
  for (pass = 1; pass <= 3; pass++) for (f = 1; f <= fileCount; f++) walk(files[f], pass)
  print module
  # Sorts from the lowest layer: a folder follows after all folders that it uses.
  for (folder in folders) left++
  do {
    progress = 0
    ready = ""
    for (folder in folders) {
      if (folder in placed) continue
      isReady = 1
      n = split(targets[folder], list, " ")
      for (t = 1; t <= n; t++) if (!(list[t] in placed)) isReady = 0
      if (isReady) ready = ready " " folder
    }
    n = split(ready, list, " ")
    for (i = 2; i <= n; i++)
      for (j = i; j > 1 && list[j] < list[j - 1]; j--) {
        swap = list[j]; list[j] = list[j - 1]; list[j - 1] = swap
      }
    for (i = 1; i <= n; i++) {
      placed[list[i]] = 1
      left--
      progress = 1
      show(list[i])
    }
  } while (progress)
  if (left > 0) {
    print "  in a cycle, or above one:"
    for (folder in folders) if (!(folder in placed)) show(folder)
    for (folder in folders) if (!(folder in placed)) {
      n = split(targets[folder], list, " ")
      for (t = 1; t <= n; t++) if (!(list[t] in placed)) {
        print "    " folder " -> " list[t] evidence[folder, list[t]]
      }
    }
    exit 1
  }
}

function show(folder, n, list, t, text) {
  n = split(targets[folder], list, " ")
  text = ""
  for (t = 1; t <= n; t++) text = text " " list[t]
  print "  " folder (text == "" ? "" : " ->" text)
  if (verbose) for (t = 1; t <= n; t++) print "      " uses[folder, list[t]]
}
