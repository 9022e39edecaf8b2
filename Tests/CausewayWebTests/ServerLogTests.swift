import CausewayWeb
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `The log of a server` {
  private struct Broken: Error {}

  @Test(arguments: LogLevel.allCases) func `has the lines of its level, each with its date`(
    level: LogLevel
  ) async {
    let lines = Log<String>()
    let log = ServerLog("board", level: level, to: { lines.append($0) })
    var configuration = WebServerConfiguration()
    log.follow(&configuration, namesRequests: false)
    let server = WebServer(configuration: configuration)
    server.get("/join/:code") { request in
      switch request.parameters["code"] {
      case "broken": throw Broken()
      case "full": throw Problem(.serviceUnavailable, code: "full", detail: "Full.")
      default: return .empty()
      }
    }
    for path in ["/join/broken", "/join/full", "/join/secret"] {
      _ = await server.respond(to: Request(.get, path))
    }
    log.info("It starts\n.")
    let texts = [
      (LogLevel.error, "error: Broken()"), (.debug, "debug: GET /join/:code: 500 after"),
      (.error, "error: GET /join/:code: 503 after"), (.debug, "debug: GET /join/:code: 204 after"),
      (.info, "info: It starts\\n."),
    ]
    let order = LogLevel.allCases
    let expected = texts.filter { text in order.drop { $0 != text.0 }.contains(level) }
    #expect(lines.all.count == expected.count)
    for (line, text) in zip(lines.all, expected) {
      #expect(line.dropFirst(21).hasPrefix("board \(text.1)") && line.filter(\.isNewline) == "\n")
      #expect(line.prefix(21).wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ /#) != nil)
    }
  }

  @Test func `names the request during which an error has happened`() async {
    let lines = Log<String>()
    var configuration = WebServerConfiguration()
    ServerLog(level: .error, to: { lines.append($0) }).follow(&configuration)
    let server = WebServer(configuration: configuration)
    server.get("/activities/:id") { _ in throw Broken() }
    _ = await server.respond(to: Request(.get, "/activities/7"))
    configuration.reportError(Broken())
    #expect(
      lines.all.map { $0.dropFirst(21) } == [
        "error: GET /activities/:id: Broken()\n", "error: Broken()\n",
      ])
  }

  @Test func `contains no value that could not be encoded, and no path without a route`() async {
    struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    let lines = Log<String>()
    var configuration = WebServerConfiguration()
    ServerLog(level: .debug, to: { lines.append($0) }).follow(&configuration)
    let server = WebServer(configuration: configuration)
    let place = [Key(stringValue: "board"), Key(stringValue: "title")]
    server.get("/typed") { _ in
      throw EncodingError.invalidValue(
        "SECRET", .init(codingPath: place, debugDescription: "SECRET is no title."))
    }
    server.get("/stored") { _ in
      throw DecodingError.dataCorrupted(
        .init(codingPath: place, debugDescription: "SECRET is no date."))
    }
    for path in ["/typed", "/stored", "/SECRET"] {
      _ = await server.respond(to: Request(.get, path))
    }
    let text = lines.all.joined()
    #expect(!text.contains("SECRET"))
    #expect(text.contains(#"A value of the type String at "board.title" cannot be encoded."#))
    #expect(text.contains(#"GET /stored: The value at "board.title" cannot be decoded."#))
  }

  @Test func `contains no values of an error without a description, except in a debug build`() {
    struct NoSuchMember: Error { let name: String }
    enum Refusal: Error { case name(String) }
    struct Full: Error, CustomStringConvertible { let description = "The disk is full." }
    func lines(showsValues: Bool) -> [Substring] {
      let lines = Log<String>()
      let log = ServerLog(level: .error, showsValues: showsValues, to: { lines.append($0) })
      for error: any Error in [NoSuchMember(name: "Hanna"), Refusal.name("Hanna"), Full()] {
        log.error(error)
      }
      return lines.all.map { $0.dropFirst(21).dropLast() }
    }
    #expect(
      lines(showsValues: false) == [
        "error: NoSuchMember", "error: Refusal.name", "error: The disk is full.",
      ])
    #expect(lines(showsValues: true)[0] == #"error: NoSuchMember(name: "Hanna")"#)
  }

  @Test func `escapes a text of a stranger for a terminal, also in JSON`() {
    #expect(ServerLog.escaped("a\u{1B}[2J\nb") == #"a\u{1B}[2J\nb"#)
    #expect(ServerLog.escaped("a\u{1B}\nb", keepsLines: true) == "a\\u{1B}\nb")
    #expect(ServerLog.escaped("{\u{202E}\n}", keepsLines: true, asJSON: true) == "{\\u202e\n}")
  }
}
