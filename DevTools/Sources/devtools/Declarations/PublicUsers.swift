/// Checks that each public type has a user that is an app.
enum PublicUsers: Command {
  static let name = "public-users"
  static let summary = "checks that each public type has an app that uses it"
  static let help = """
    USAGE: Scripts/devtools public-users check | write [option of `swift build`]...
           Scripts/devtools public-users confirm USER INDEX FOLDER...

      check    prints the types without a user that are not in DevTools/public-users.list
      write    writes the list
      confirm  prints the types of USER in the list that no file in the folders uses

    Checks that each public type has a user that is an app: Harbor or Meetings with their tests, the
    inspector, or the program that reads recordings.
    A line of the list is a type without such a user. If it names a folder too, the type has another
    user: an app that a long part builds and confirms (Examples/…), or our own drivers and their tests,
    which use what the author of a driver needs (Sources/Drivers and Tests/…; `check` confirms them).
    It reads .build/graphs, the output of `symbol-graphs`, and the index of the build with the same
    options. `causeway unused` compares declarations, so an equal name is no user. The tests of a library
    do not count. The list may only become shorter.
    Exit status: 0 if the list is true.

    """

  private static let apps = [
    "Examples/Harbor", "Examples/Meetings", "Tests/MeetingsTests",
    "Sources/Tools/CausewayInspector", "Sources/Tools/CausewayRecording",
  ]

  static func lock(_ words: [String]) -> String? { "graphs" }

  static func run(_ words: [String]) throws -> Int32 {
    var list = try PublicUsersList(Files.text(PublicUsersList.path))
    let rest = Array(words.dropFirst())
    let problems: [String]
    switch words.first {
    case "confirm" where rest.count > 2:
      problems = list.wrong(
        of: rest[0], unused: try unused(rest[1], usedBy: Array(rest.dropFirst(2))))
    case "check", "write":
      let index = try SwiftPackages.programs(rest) + "/index/store"
      let types = try unused(index, usedBy: apps)
      if words.first == "write" {
        list.replace(with: types)
        try Files.write(list.text, to: PublicUsersList.path)
        return 0
      }
      problems =
        try list.differences(from: types)
        + list.users.flatMap { list.wrong(of: $0, unused: try unused(index, usedBy: [$0])) }
    default: throw Failure("public-users check, write or confirm")
    }
    for problem in problems { print(problem) }
    return problems.isEmpty ? 0 : 1
  }

  /// The public types that no file in the folders uses.
  private static func unused(_ index: String, usedBy folders: [String]) throws -> [String] {
    let result = try Shell.run(
      ["Scripts/checker", "unused", SymbolGraph.folder, "--index-store", index]
        + folders.flatMap { ["--users", $0] }, output: .read)
    // 1: some types have no user.
    guard result.status <= 1 else { throw Failure("the checker cannot compare the types") }
    return result.lines.sorted()
  }
}
