import Testing

@testable import devtools

@Suite(.timeLimit(.minutes(5)))
struct TutorialPlanTests {
  @Test
  func `blocks become files, commands and their output`() throws {
    let text = """
      ## 1 A list

      `Sources/A.swift`:

      ```swift
      let a = 1
      ```

      Delete `B.swift` and then

      ```sh
      swift test
      ```

      ```text
      passed
      ```
      """
    #expect(
      try TutorialPlan(text).actions == [
        .step(1), .file(path: "Sources/A.swift", text: "let a = 1\n"), .delete(path: "B.swift"),
        .run(["swift test"], output: ["passed"]),
      ])
  }

  @Test(arguments: ["```swift\nlet a = 1\n```", "```\ntext\n```", "```json\n{}\n```"])
  func `a block without a meaning is an error`(text: String) {
    #expect(throws: Failure.self) { try TutorialPlan(text) }
  }

  @Test
  func `lines are found in their order`() {
    #expect(TutorialPlan.firstMissing(["a", "b"], in: ["xa", "-", "b"]) == nil)
    #expect(TutorialPlan.firstMissing(["b", "a"], in: ["xa", "-", "b"]) == "a")
    #expect(TutorialPlan.firstMissing(["a", "a"], in: ["aa"]) == "a")
  }

  @Test
  func `the worlds are the cases of the campaigns`() {
    let source = "enum A {\n  case polling, hints\n  case b(Int)\n}"
    #expect(Worlds.names(in: source) == ["polling", "hints"])
    #expect(Worlds.package(of: "harborOnFullDisk") == "Examples/Harbor")
  }
}
