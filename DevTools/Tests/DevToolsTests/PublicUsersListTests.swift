import Testing

@testable import devtools

@Suite(.timeLimit(.minutes(5)))
struct PublicUsersListTests {
  private var list = PublicUsersList(
    "A: One\nA: Two Examples/SwiftUI\nB: Three Sources/Drivers\nB: Four Sources/Drivers\n")

  @Test
  func `a line has a type and perhaps a user`() {
    #expect(list.lines.map(\.type) == ["A: One", "A: Two", "B: Three", "B: Four"])
    #expect(list.users == ["Sources/Drivers"])
    #expect(list.withoutApp == 3)
  }

  @Test
  func `a missing type and a type that an app uses are differences`() {
    #expect(list.differences(from: ["A: One", "A: Two", "B: Three", "B: Four"]) == [])
    #expect(
      list.differences(from: ["A: One", "A: Two", "B: Three", "C: Five"]) == [
        "no app uses it: C: Five", "an app uses it now, or it is gone: B: Four",
      ])
  }

  @Test
  func `a user must use its types`() {
    #expect(
      list.wrong(of: "Sources/Drivers", unused: ["A: One", "B: Four"])
        == ["Sources/Drivers does not use it: B: Four"])
  }

  @Test
  func `written lines keep their users`() {
    var written = list
    written.replace(with: ["A: Two", "C: Five"])
    #expect(written.text == "A: Two Examples/SwiftUI\nC: Five\n")
  }
}
