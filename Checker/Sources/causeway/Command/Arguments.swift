/// The arguments after `causeway check`.
struct Arguments: Equatable {
  enum Format: String { case text, json, sarif, github }

  var paths: [String] = []
  var fixes = false
  var format = Format.text
  var only: [String] = []
  var skip: [String] = []
  /// Rules that are off by default, but run in this check.
  var enabled: [String] = []
  var baseline: String?
  /// The severities of rules; others are warnings.
  var severities: [String: Severity] = [:]
  /// The files and folders whose findings are not reported, as paths or patterns.
  var excluded: [String] = []
  /// The files and folders that `folder-layers` checks, as paths or patterns; empty for all.
  var layered: [String] = []
  var updatesBaseline = false
  var jobs: Int?
  var explain: String?
  /// Compiler settings, in the compiler's own syntax.
  var compilerArguments: [String] = []
  var showsHelp = false
  /// The path of the configuration file.
  ///
  /// If it is nil, the file in the current folder is used, if any.
  var configuration: String?
  /// Whether an earlier output may be printed again.
  var usesCache = true
  /// Whether the content of the only path comes from standard input.
  var readsInput = false

  private static let flags: Set<String> = [
    "--fix", "--update-baseline", "--stdin", "--no-cache", "--help", "-h", "--",
  ]

  private static let options: Set<String> = flags.union([
    "--format", "--only", "--skip", "--baseline", "--explain", "--jobs", "--default-isolation",
    "--upcoming-feature", "--swift-version", "--config", "--path",
  ])

  init(_ words: [String]) throws(ArgumentError) {
    var rest = words[...]
    var stated: [String: String] = [:]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word != "-" else {
        paths.append(word)
        continue
      }
      let option = CommandOption(word)
      let name = option.name
      func value() throws(ArgumentError) -> String { try option.value(in: &rest) }
      func onlyValue() throws(ArgumentError) -> String {
        let value = try value()
        if let other = stated.updateValue(value, forKey: name), other != value {
          throw ArgumentError("\(name) has two values, '\(other)' and '\(value)'")
        }
        return value
      }
      if option.inline != nil, Arguments.flags.contains(name) {
        throw ArgumentError("\(name) has no value")
      }
      switch name {
      case "--fix": fixes = true
      case "--format":
        let text = try onlyValue()
        guard let format = Format(rawValue: text) else {
          let names = ["text", "json", "sarif", "github"]
          throw ArgumentError(
            "--format is text, json, sarif or github, not '\(text)'"
              + Suggestion.text(for: text, in: names))
        }
        self.format = format
      case "--only": only += try rules(value())
      case "--skip": skip += try rules(value())
      case "--baseline": baseline = try onlyValue()
      case "--update-baseline": updatesBaseline = true
      case "--explain": explain = try rules(value()).first
      case "--jobs":
        let text = try onlyValue()
        guard let number = Int(text), number > 0 else {
          throw ArgumentError("--jobs is a number of 1 or more, not '\(text)'")
        }
        jobs = number
      case "--default-isolation":
        let text = try onlyValue()
        guard ["MainActor", "nonisolated"].contains(text) else {
          throw ArgumentError("--default-isolation is MainActor or nonisolated, not '\(text)'")
        }
        compilerArguments += [name, text]
      case "--upcoming-feature":
        let text = try value()
        guard BuildSettings.knownFeatures.contains(text) else {
          throw ArgumentError(
            "there is no upcoming feature '\(text)'"
              + Suggestion.text(for: text, in: BuildSettings.knownFeatures) + "; the features are "
              + BuildSettings.knownFeatures.sorted().joined(separator: ", "))
        }
        compilerArguments += [name, text]
      case "--swift-version":
        let text = try onlyValue()
        guard ["4", "4.2", "5", "6"].contains(text) else {
          throw ArgumentError("--swift-version is 4, 4.2, 5 or 6, not '\(text)'")
        }
        compilerArguments += [name, text]
      case "--config": configuration = try onlyValue()
      case "--stdin": readsInput = true
      case "--no-cache": usesCache = false
      case "--path": paths.append(try onlyValue())
      case "--help", "-h": showsHelp = true
      case "--":
        paths += rest
        rest = []
      default:
        throw ArgumentError(
          "there is no option '\(name)'\(Suggestion.text(for: name, in: Arguments.options)); see "
            + "causeway check --help")
      }
    }
    if updatesBaseline, fixes {
      throw ArgumentError(
        "--fix and --update-baseline contradict each other; run one after the other")
    }
    if readsInput, paths.count != 1 || fixes || updatesBaseline {
      throw ArgumentError(
        "--stdin needs one --path, and cannot be used with --fix and --update-baseline")
    }
    if !readsInput, stated["--path"] != nil {
      throw ArgumentError("--path needs --stdin; name files and folders without an option")
    }
    if let rule = only.first(where: skip.contains) {
      throw ArgumentError("--only and --skip both name '\(rule)'")
    }
  }

  /// Adds the values of a configuration file that the command line does not set.
  mutating func apply(_ file: ConfigurationFile) {
    if only.isEmpty {
      enabled = file.enabled + (file.layered.isEmpty ? [] : [FolderLayers.id])
      skip += file.disabled
    }
    if paths.isEmpty { paths = file.paths }
    severities = file.severities
    excluded = file.excluded
    layered = file.layered
    baseline = baseline ?? file.baseline
  }

  private func rules(_ list: String) throws(ArgumentError) -> [String] {
    let names = list.split(separator: ",").map(String.init)
    for name in names where RuleSet.rule(name) == nil {
      throw ArgumentError(RuleSet.missing(name))
    }
    guard !names.isEmpty else { throw ArgumentError("a rule's name is missing") }
    return names
  }

  /// The options that decide what is printed.
  var cacheKey: [String] {
    let severities = severities.map { "\($0.key): \($0.value.rawValue)" }.sorted()
    return [format.rawValue, baseline ?? ""] + rules.map { $0.id } + ["severities"] + severities
      + ["excluded"] + excluded + ["layered"] + layered + ["paths"] + paths
  }

  /// The rules to run.
  var rules: [any Rule.Type] {
    RuleSet.all.filter { rule in
      (only.isEmpty ? rule.isDefault || enabled.contains(rule.id) : only.contains(rule.id))
        && !skip.contains(rule.id)
    }
  }
}

/// An invalid command line.
struct ArgumentError: Error, CustomStringConvertible, Equatable {
  let description: String
  init(_ description: String) { self.description = description }
}
