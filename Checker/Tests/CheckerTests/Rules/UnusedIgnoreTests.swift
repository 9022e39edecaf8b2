import Testing

@testable import causeway

struct UnusedIgnoreTests {
  static let fixtures = [
    Fixture(
      UnusedIgnore.self, "comments without a finding",
      """
      @MainActor final class A {
        1️⃣// causeway:ignore redundant-main-actor,main-actor-run only the first is needed
        @MainActor func a() {}
        func b() {} 2️⃣// causeway:ignore redundant-main-actor an old reason
        func c() {} 3️⃣// causeway:ignore no-such-rule a reason
      }
      4️⃣// causeway:ignore redundant-main-actor no code follows
      """),
    Fixture(
      UnusedIgnore.self, "comments for a finding",
      """
      @MainActor final class A {
        @MainActor func a() {} // causeway:ignore redundant-main-actor shown in a talk
        // causeway:ignore redundant-main-actor shown in a talk
        @MainActor func b() {}
      }
      """),
    Fixture(
      UnusedIgnore.self, "a rule that does not run",
      "func a() {} // causeway:ignore reentrancy this rule is off by default"),
    Fixture(
      UnusedIgnore.self, "strings and documentation comments",
      #"""
      /// The `// causeway:ignore RULE reason` comments.
      /// // causeway:ignore redundant-main-actor an example
      let a = "// causeway:ignore redundant-main-actor a reason"
      let b = """
        // causeway:ignore redundant-main-actor a reason
        """
      """#),
    Fixture(
      UnusedIgnore.self, "blank lines and comments before the code",
      """
      @MainActor final class A {
        // causeway:ignore redundant-main-actor shown in a talk

        // Another comment.
        @MainActor func b() {}
      }
      """),
    Fixture(
      UnusedIgnore.self, "a comment without a reason, which is another problem",
      "func a() {} // causeway:ignore redundant-main-actor"),
  ]

  @Test(arguments: fixtures)
  func `unused-ignore reports at the markers`(fixture: Fixture) { fixture.verify() }

  @Test func `If the rule does not run, no unused comment is reported`() {
    let source = UnusedIgnoreTests.fixtures[0].source
    let check = Check(rules: [MainActorRun.self], jobs: 1, progress: { _, _ in })
    let report = check.run([.init(settings: BuildSettings(), files: [source])])
    #expect(report.findings.isEmpty && report.problems.isEmpty)
  }
}
