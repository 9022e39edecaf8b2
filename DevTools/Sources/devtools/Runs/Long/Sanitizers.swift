/// Runs the tests that a sanitizer can run.
enum Sanitizers {
  /// The suites that no sanitizer builds.
  ///
  /// Browsers are not instrumented, two suites repeat the sources of others, crashes of simulated nodes
  /// and dropped tasks leak, and databases measure the real time.
  private static let omitted = """
    CausewayMainActorTests CausewayNonisolatedTests CausewaySimulationTests HarborSimulationTests \
    CausewayExplorationTests CausewayWebBrowserTests HarborBrowserTests CausewayPostgresTests \
    HarborPostgresTests
    """

  private static let skipped = [
    // Programs that a sanitizer does not instrument, or that end before it can report.
    "OutboxKillTests", "InspectorKillTests", "InspectorBrowserTests",
    // Explorations on the main actor alone take minutes under a sanitizer, and have no second thread.
    "DepthTests", "EnumerationTests", "OrderSearchTests", "CausewayTestingTests.RaceTests",
    "CausewayTestingTests.SharingTests", "VacuousTests", "ChangeComparisonTests",
    "FieldSharingTests",
  ]

  /// Runs `make tsan` or `make asan`.
  static func findNothing(_ sanitizer: String) throws -> Bool {
    var omitted = omitted
    var skipped = skipped
    if sanitizer == "asan" {
      // The runtime and the modules that manage memory themselves are enough. A trial of
      // EndlessTests leaves an effect that no cancellation ends.
      omitted += " HarborTests DocumentationTests"
      skipped.append("EndlessTests")
    }
    let words = skipped.map { "--skip \($0)" }.joined(separator: " ")
    return try Shell.run(
      ["make", sanitizer, "ARGS=\(words)"], environment: ["OMITTED_TESTS": omitted]
    ).isSuccess
  }
}
