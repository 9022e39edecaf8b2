import Testing

@testable import devtools

@Suite(.timeLimit(.minutes(5)))
struct MessagesTests {
  @Test
  func `messages of unavailable declarations are found`() {
    let source = #"""
      @available(*, unavailable, message: "write \"a\" or \\.b")
      @available(macOS 15, *)
      @available(*, deprecated, message: "old")
      @available(
        *, unavailable,
        message: """
          one \
          "two"
          """
      )
      """#
    #expect(Messages.unavailable(in: source) == [#"write "a" or \.b"#, #"one "two""#])
  }

  private let fixture = "// A comment\n  // MESSAGE use b\na()\n// MESSAGE expects 2\nc()\n"

  @Test
  func `a fixture with all its messages has no problem`() {
    let errors = [
      "F.swift:3:1: error: 'a()' is unavailable: use b",
      "F.swift:5:1: error: c expects 2 arguments",
    ]
    #expect(
      Messages.problems(
        in: fixture, errors: errors, messages: ["use b", "a needs a property of the action"]) == [])
  }

  @Test
  func `other and missing messages are problems`() {
    let other = "F.swift:3:1: error: 'a()' is unavailable: use c"
    let unexpected = "F.swift:9:1: error: no such name"
    #expect(
      Messages.problems(in: fixture, errors: [other, unexpected], messages: ["use b", "use c"]) == [
        ": unexpected: \(other)", ": unexpected: \(unexpected)", ":5: no error with expects 2",
        ": no mistake has the message use b",
      ])
  }
}
