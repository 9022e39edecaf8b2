import Foundation
import Testing

@testable import causeway

/// The compiler accepts the output of `--fix` without a new diagnostic.
struct RoundTripTests {
  static let fixtures: [Fixture] = {
    let all =
      RedundantMainActorTests.fixtures + MainActorRunTests.fixtures + MainActorTaskTests.fixtures
      + RedundantUncheckedSendableTests.fixtures
    return all.filter(\.compiles)
  }()

  @Test(arguments: fixtures)
  func `The compiler accepts fixed code`(fixture: Fixture) throws {
    let before = try Compiler.diagnostics(of: fixture.source.text, settings: fixture.settings)
    #expect(!before.contains { $0.contains("error:") }, "the fixture itself: \(before)")
    guard let fixed = fixture.fixed else { return }
    let after = try Compiler.diagnostics(of: fixed, settings: fixture.settings)
    #expect(!after.contains { $0.contains("error:") }, "after the fix: \(after)")
    #expect(after.count <= before.count, "new diagnostics: \(after)")
  }

  @Test(arguments: fixtures)
  func `A second fix changes nothing`(fixture: Fixture) {
    let text = fixture.fixed ?? fixture.source.text
    let check = Check(rules: RuleSet.all, jobs: 1, progress: { _, _ in })
    let source = SourceFile(path: "Fixture.swift", text: text)
    let once = Fixer(check: check).fix([.init(settings: fixture.settings, files: [source])]) { _ in
      true
    }
    let first = once.changed.first?.fixed ?? source
    let twice = Fixer(check: check).fix([.init(settings: fixture.settings, files: [first])]) { _ in
      true
    }
    #expect(twice.changed.isEmpty)
  }

  @Test func `Every rule has fixtures, and at least as many without a finding as with one`() {
    let suites: [[Fixture]] = [
      RedundantMainActorTests.fixtures, MainActorRunTests.fixtures, MainActorTaskTests.fixtures,
      IsolatedDeinitTests.fixtures, UncheckedSendableTests.fixtures,
      RedundantUncheckedSendableTests.fixtures, DetachedSelfTests.fixtures,
      WeakSelfLoopTests.fixtures, StoredTaskStrongSelfTests.fixtures,
      StreamTerminationTests.fixtures, ContinuationPathsTests.fixtures,
      CallUnderLockTests.fixtures,
      ObservableIsolationTests.fixtures, EffectConcurrentTests.fixtures,
      MainQueueHopTests.fixtures, PreconcurrencyConformanceTests.fixtures,
      UnstoredTaskTests.fixtures, GenericSendableTests.fixtures,
      CompletionSendableTests.fixtures, ReentrancyTests.fixtures, HiddenRandomnessTests.fixtures,
      UnhandledActionTests.fixtures, UnstartedEffectTests.fixtures,
      UnusedIgnoreTests.fixtures, MainActorCallbackTests.fixtures, CheckThenActTests.fixtures,
      MainActorBlockingTests.fixtures, YieldSpinTests.fixtures,
      ContinuationOverwrittenTests.fixtures, ContinuationKeptTests.fixtures,
      CancellationHandlerTests.fixtures,
      CancellationSwallowedTests.fixtures,
      CancellationShownTests.fixtures,
      FlagAfterThrowTests.fixtures,
      SemaphoreAroundTaskTests.fixtures,
      LockOverAwaitTests.fixtures,
      StaleIndexTests.fixtures,
      SharedStreamTests.fixtures,
      UndrainedGroupTests.fixtures,
      UnsafeGlobalTests.fixtures,
      SystemCallbackTests.fixtures, FolderLayersTests.fixtures, OlderAnswerTests.fixtures,
      TurnAfterCancelTests.fixtures, WaitIgnoresCancelTests.fixtures,
    ]
    let byRule = Dictionary(grouping: suites.flatMap { $0 }) { $0.rule.id }
    for rule in RuleSet.all {
      let fixtures = byRule[rule.id] ?? []
      let positives = fixtures.count { !$0.isNegative }
      #expect(positives > 0, "\(rule.id)")
      #expect(fixtures.count - positives >= positives, "\(rule.id)")
    }
  }
}

/// Runs the compiler on a text.
enum Compiler {
  /// The lines with errors and warnings.
  static func diagnostics(of text: String, settings: BuildSettings) throws -> [String] {
    try TemporaryFolder.with { folder in
      try folder.write("Fixture.swift", text)
      var arguments = [
        "swiftc", "-emit-sil", "-parse-as-library", "-o", "/dev/null", "-swift-version",
        "\(settings.languageMode ?? 6)", folder.path("Fixture.swift"),
      ]
      if settings.defaultIsolation == .mainActor {
        arguments += ["-default-isolation", "MainActor"]
      }
      for feature in settings.upcomingFeatures.sorted() {
        arguments += ["-enable-upcoming-feature", feature]
      }
      let result = try run("/usr/bin/env", arguments)
      return result.output.split(separator: "\n").map(String.init).filter { line in
        line.contains("Fixture.swift:") && (line.contains("error:") || line.contains("warning:"))
      }
    }
  }
}
