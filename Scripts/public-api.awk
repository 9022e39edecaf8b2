# Prints the public declarations of symbol graphs, one a line, as "TYPE: DECLARATION". TYPE is the
# declared type itself, or the type of a member or a conformance.
#
# A graph is formatted JSON: each value is on its own line, and the indentation is the depth.

function value(line) {
  sub(/^ *("[A-Za-z]+": )?"/, "", line)
  sub(/",?$/, "", line)
  gsub(/\\n/, " ", line)
  gsub(/\\"/, "\"", line)
  gsub(/\\\\/, "\\", line)
  return line
}

FNR == 1 { inRelations = 0 }
/^  "relationships"/ { inRelations = 1 }
/^    \{$/ { id = path = parent = text = section = list = kind = type = "" }
/^      "[a-zA-Z]+": [\[{]/ { section = $1; list = "" }
/^        "constraints": \[/ { list = section }

!inRelations && /^        "precise":/ { id = value($0) }
section == "\"kind\":" && /^        "identifier":/ { type = value($0) }
section == "\"pathComponents\":" && /^        "/ {
  parent = path
  path = (path == "" ? "" : path ".") value($0)
}
section == "\"declarationFragments\":" && /^          "spelling":/ { text = text value($0) }
list && /^            "kind":/ { sign = value($0) == "sameType" ? " == " : " : " }
list && /^            "lhs":/ { left = value($0) }
list && /^            "rhs":/ {
  limit = left sign value($0)
  if (list == "\"swiftExtension\":") limits[id] = limits[id] "\t" limit
  else ofGenerics[id, limit] = 1
}
/^      "accessLevel": "open"/ { text = "open " text }
!inRelations && /^    \},?$/ && path != "" {
  if (parent == "" || type ~ /\.(class|struct|enum|protocol|actor)$/) isType[id] = 1
  gsub(/[ \t]+/, " ", text)
  paths[id] = path
  parents[id] = parent
  texts[id] = text
  ids[path] = id
}

inRelations && /^      "kind":/ { kind = value($0) }
inRelations && /^      "source":/ { source = value($0) }
inRelations && /^      "target":/ { target = value($0) }
inRelations && /^      "targetFallback":/ { fallback[target] = value($0) }
inRelations && /^    \},?$/ && kind == "requirementOf" { isRequired[source] = 1 }
inRelations && /^    \},?$/ && kind == "conformsTo" { conforms[source, target] = 1 }

END {
  for (id in paths) {
    text = texts[id]
    # A member of an extension repeats the constraints of its type.
    count = split(limits[id], found, "\t")
    for (i = 2; i <= count; i++)
      if (!((ids[parents[id]], found[i]) in ofGenerics) && !index(text, found[i]))
        text = text (text ~ / where / ? ", " : " where ") found[i]
    if (isRequired[id]) text = "requirement " text
    print (isType[id] ? paths[id] : parents[id]) ": " text
  }
  for (pair in conforms) {
    split(pair, ends, SUBSEP)
    name = fallback[ends[2]]
    sub(/^[^.]*\./, "", name)
    if (ends[2] in paths) name = paths[ends[2]]
    # The compiler adds these conformances to almost every type.
    if (ends[1] in paths && name !~ /^(SendableMetatype|Copyable|Escapable)$/)
      print paths[ends[1]] ": conforms to " name
  }
}
