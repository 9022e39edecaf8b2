import Testing

@testable import causeway

/// Swift code with a marker (`1️⃣`, `2️⃣`, …) before each place that a rule must report.
struct Fixture: Sendable, CustomTestStringConvertible {
  let rule: any Rule.Type
  let name: String
  let code: String
  /// The code after `--fix`; nil when the rule has no fix for it.
  let fixed: String?
  var settings = BuildSettings()
  /// The path of the file, for rules about folders.
  let path: String
  /// The other files of the module, by path.
  let others: [String: String]
  /// Whether the compiler must accept the code before and after the fix.
  let compiles: Bool

  var testDescription: String { name }

  init(
    _ rule: any Rule.Type, _ name: String, _ code: String, fixed: String? = nil,
    path: String = "Fixture.swift", others: [String: String] = [:], compiles: Bool? = nil,
    settings change: (inout BuildSettings) -> Void = { _ in }
  ) {
    self.rule = rule
    self.name = name
    self.code = code
    self.fixed = fixed
    self.path = path
    self.others = others
    self.compiles = compiles ?? (fixed != nil)
    settings.languageMode = 6
    settings.compiler = Version(6, 2)
    settings.systems = [.macOS: Version(26)]
    change(&settings)
  }

  private static let markers: [Character] = ["1️⃣", "2️⃣", "3️⃣", "4️⃣", "5️⃣", "6️⃣"]

  var isNegative: Bool { !code.contains { Fixture.markers.contains($0) } }

  /// The code without its markers.
  var source: SourceFile {
    SourceFile(path: path, text: String(code.filter { !Fixture.markers.contains($0) }))
  }

  /// The positions of the markers, in bytes of the text without markers.
  private var places: [Int] {
    var places: [Int] = []
    var offset = 0
    for character in code {
      if Fixture.markers.contains(character) {
        places.append(offset)
      } else {
        offset += character.utf8.count
      }
    }
    return places
  }

  /// Fails unless the rule reports exactly the marked places and its fix produces `fixed`.
  ///
  /// - Parameters:
  ///   - others: More files of the module.
  ///   - sourceLocation: Where a failure is shown.
  func verify(
    with others: [SourceFile] = [], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let source = source
    #expect(source.syntaxErrors.isEmpty, "\(name)", sourceLocation: sourceLocation)
    // The findings of this rule depend on the findings of the other rules.
    let rules = rule == UnusedIgnore.self ? RuleSet.all.filter { $0.isDefault } : [rule]
    let check = Check(rules: rules, jobs: 1, progress: { _, _ in })
    let more = self.others.map { SourceFile(path: $0, text: $1) }
    let module = Check.Module(settings: settings, files: [source] + others + more)
    let found = check.run([module]).findings.filter {
      $0.finding.rule == rule.id && $0.file.path == source.path
    }
    .map(\.finding.range.lowerBound)
    #expect(
      lines(found, in: source) == lines(places, in: source), "\(name)",
      sourceLocation: sourceLocation)
    let outcome = Fixer(check: check).fix([module]) { _ in true }
    let text = outcome.changed.first { $0.fixed.path == source.path }?.fixed.text
    #expect(text == fixed, "\(name)", sourceLocation: sourceLocation)
  }

  private func lines(_ offsets: [Int], in source: SourceFile) -> [String] {
    offsets.map { offset in
      let place = source.location(of: offset)
      return "\(place.line):\(place.column)"
    }
  }
}
