/// Decides which long parts a push needs.
///
/// First comes the part with the deepest path that has changed, then the part that has not run for
/// the longest time, then the other parts with changed paths. A part that does not fit any more
/// waits for another push. The time that a push really needs is not known here, so the part that is
/// due always runs.
struct LongPlan {
  /// A commit with the paths of its files.
  struct Commit {
    /// The time of the commit, in seconds since 1970.
    let second: Int
    let hash: String
    var files: [String] = []
  }

  /// A part that a push needs.
  struct Choice: Equatable {
    let name: String
    /// Whether all other parts have run since this part ran last.
    let isDue: Bool
  }

  private let parts: [LongPart]
  private let budget: Int
  /// The parts whose paths have an earlier form, by this form.
  private var partsOfPath: [String: [Int]] = [:]
  /// The push in which each part ran last, as a negative number: the newest push has the number 1.
  private var lastRun: [Int]

  /// Plans for the newest push.
  ///
  /// - Parameters:
  ///   - commits: The whole history, the newest commit first. The plans of earlier pushes are
  ///     repeated, to find the part that has not run for the longest time.
  ///   - base: The commit before the push. Without it, and for earlier pushes, commits with at most
  ///     90 minutes between them are one push.
  ///   - minutes: The minutes of all of `.ci/run`, of which 18 are for the quick parts.
  static func choices(
    parts: [LongPart], commits: [Commit], base: String?, minutes: Int
  ) -> [Choice] {
    var plan = LongPlan(parts: parts, budget: minutes - 18)
    var choices: [Choice] = []
    for push in pushes(commits, base: base).reversed() { choices = plan.decide(push) }
    return choices
  }

  private init(parts: [LongPart], budget: Int) {
    self.parts = parts
    self.budget = budget
    // At first, the last part of the table has not run for the longest time.
    lastRun = parts.indices.map { -1_000_000 - $0 }
    for (index, part) in parts.enumerated() {
      for path in part.paths { partsOfPath[Self.earlierForm(path), default: []].append(index) }
    }
  }

  private struct Push {
    let number: Int
    var files: Set<String> = []
  }

  private static func pushes(_ commits: [Commit], base: String?) -> [Push] {
    var pushes = [Push(number: 1)]
    var base = base
    var newer: Int?
    for commit in commits {
      let isOver = base.map { $0 == commit.hash } ?? newer.map { $0 - commit.second > 90 * 60 }
      if isOver == true {
        pushes.append(Push(number: pushes.count + 1))
        base = nil
      }
      newer = commit.second
      pushes[pushes.count - 1].files.formUnion(commit.files)
    }
    return pushes
  }

  private mutating func decide(_ push: Push) -> [Choice] {
    let depths = depths(of: push.files)
    let oldest = parts.indices.filter { parts[$0].minutes <= budget }.min { isOlder($0, $1) }
    // The time for the part that is due is reserved.
    var left = budget - (oldest.map { parts[$0].minutes } ?? 0)
    var chosen: [Int] = []
    while true {
      var next = parts.indices
        .filter { part in
          !chosen.contains(part) && depths[part] > 0
            && (parts[part].minutes <= left || part == oldest)
        }
        .max { depths[$0] == depths[$1] ? isOlder($1, $0) : depths[$0] < depths[$1] }
      if let oldest, !chosen.contains(oldest), chosen.count == 1 || next == nil { next = oldest }
      guard let next else { break }
      chosen.append(next)
      if next != oldest { left -= parts[next].minutes }
    }
    for part in chosen { lastRun[part] = -push.number }
    return chosen.map { Choice(name: parts[$0].name, isDue: $0 == oldest) }
  }

  private func isOlder(_ part: Int, _ other: Int) -> Bool { lastRun[part] < lastRun[other] }

  /// The depth of the deepest path of each part that a file is in; 0 if there is none.
  private func depths(of files: Set<String>) -> [Int] {
    var depths = parts.map { _ in 0 }
    for file in files {
      let names = Self.earlierForm(file).split(separator: "/", omittingEmptySubsequences: false)
      for depth in 1...names.count {
        let path = names.prefix(depth).joined(separator: "/")
        for part in partsOfPath[path] ?? [] { depths[part] = max(depths[part], depth) }
      }
    }
    return depths
  }

  /// A path without the folder of its layer, such as Sources/Data, which earlier commits do not have.
  private static func earlierForm(_ path: String) -> String {
    var names = path.split(separator: "/", omittingEmptySubsequences: false)
    guard names.count > 1, names[0] == "Sources" else { return path }
    if names.count > 2, layers.contains(names[1]) { names.remove(at: 1) }
    let form = names.joined(separator: "/")
    // These folders were modules of their own.
    for (folder, module) in [
      ("Sources/CausewayCache", "Sources/CausewayStores"),
      ("Sources/CausewayBasics/Files", "Sources/CausewayFiles"),
      ("Sources/CausewayBasics/Surroundings", "Sources/CausewaySimulationHooks"),
    ] where form.hasPrefix(folder) {
      return module + form.dropFirst(folder.count)
    }
    return form
  }

  private static let layers: Set<Substring> = [
    "Floor", "Runtime", "Data", "Drivers", "Host", "Tools",
  ]
}
