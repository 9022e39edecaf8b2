import Foundation
import Testing

@testable import CausewayWeb

struct ProblemTextTests {
  private enum Sample: Codable {
    enum Kind: String, Codable { case quick, slow }
    case refresh
    case join(String)
    case create(title: String, seats: Int, kind: Kind?)
  }

  @Test(arguments: [
    (#"{"refresh":"#, "The body is not well-formed JSON."),
    (#""#, "The body is not well-formed JSON."),
    (
      #"{"leave":{}}"#,
      "The body must have exactly one member, named one of: join, create, refresh."
    ),
    (#"{}"#, "The body must have exactly one member, named one of: join, create, refresh."),
    (#"[]"#, "The body has the wrong type: an object is needed."),
    (#"{"join":{}}"#, #"The member "_0" is missing in "join"."#),
    (
      #"{"create":{"title":"Tea","seats":"two"}}"#,
      #""create.seats" has the wrong type: a value of type Int is needed."#
    ),
    (#"{"create":{"title":null,"seats":1}}"#, #""create.title" is null, but a String is needed."#),
  ])
  func `a bad action says what is wrong with it`(body: String, expected: String) {
    let problem = #expect(throws: Problem.self) {
      try HostedModel.decode(Sample.self, from: Data(body.utf8))
    }
    #expect(problem?.detail == expected)
    #expect(problem?.code == "bad-action")
  }

  @Test func `only enums have case names`() {
    enum Empty {}
    #expect(EnumCaseNames.of(Sample.self) == ["join", "create", "refresh"])
    #expect(EnumCaseNames.of(Bool.self) == [])
    #expect(EnumCaseNames.of([String: Int].self) == [])
    #expect(EnumCaseNames.of(NSObject.self) == [])
    #expect(EnumCaseNames.of((any Error).self) == [])
    #expect(EnumCaseNames.of(Empty.self) == [])
  }
}
