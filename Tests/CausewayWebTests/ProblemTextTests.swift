import Foundation
import Testing

@testable import CausewayWeb

@Suite(.timeLimit(.minutes(10)))
struct ProblemTextTests {
  private enum Sample: Codable {
    enum Kind: String, Codable { case quick, slow }
    case refresh
    indirect case wrap(Sample)
    case join(String)
    case create(title: String, seats: Int, kind: Kind?)
  }

  @Test(arguments: [
    (#"{"refresh":"#, "The body is not well-formed JSON."),
    (#""#, "The body is not well-formed JSON."),
    (
      #"{"leave":{}}"#,
      #"The body has the member "leave", which is not a case of Sample."#
    ),
    // The values of an unknown member are not read.
    (
      #"{"leave":1e400}"#,
      #"The body has the member "leave", which is not a case of Sample."#
    ),
    (#"{}"#, "The body has no member; it must have exactly one, named after a case of Sample."),
    (
      #"{"join":{"_0":"a"},"refresh":{}}"#,
      #"The body has the members "join", "refresh"; it must have exactly one, named after a case of Sample."#
    ),
    (
      #"{"wrap":{"_0":{"drop":1,"lift":2}}}"#,
      #""wrap._0" has the members "drop", "lift"; it must have exactly one, named after a case of Sample."#
    ),
    (
      #"{"wrap":{"_0":{"lift":{}}}}"#,
      #""wrap._0" has the member "lift", which is not a case of Sample."#
    ),
    (#"[]"#, "The body has the wrong type: an object is needed."),
    (#"{"join":{}}"#, #"The member "_0" is missing in "join"."#),
    (
      #"{"create":{"title":"Tea","seats":"two"}}"#,
      #""create.seats" has the wrong type: a value of type Int is needed."#
    ),
    (#"{"create":{"title":null,"seats":1}}"#, #""create.title" is null, but a String is needed."#),
  ])
  func `the response to a bad action names the fault`(body: String, expected: String) {
    let problem = #expect(throws: Problem.self) {
      try HostedModel.decode(Sample.self, from: Data(body.utf8))
    }
    #expect(problem?.detail == expected)
    #expect(problem?.code == "bad-action")
  }
}
