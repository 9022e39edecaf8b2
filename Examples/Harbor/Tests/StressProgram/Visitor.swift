import Foundation
import TestSupport

/// A browser with one page, which uses Harbor at random on its own thread.
final class Visitor {
  /// A card of the board.
  struct Card {
    let id, title: String
    let isOver: Bool
    /// The names of the people who take part.
    let people: String
  }

  let name: String
  private let harbor: HarborProgram
  private let ledger: Ledger
  private let part: Part
  private var session = ""
  private var version = ""
  private var number = 0
  /// The number of activities that it has created.
  private(set) var plans = 0
  private var groups = 0
  /// The ids of the groups on the page.
  private var shownGroups: [String] = []
  private var stream: Connection?

  init(_ name: String, _ harbor: HarborProgram, _ ledger: Ledger, _ part: Part) {
    self.name = name
    self.harbor = harbor
    self.ledger = ledger
    self.part = part
  }

  /// Loads all pages of the board.
  func wholeBoard() throws -> [Card] {
    var cards: [Card] = []
    for page in 1... {
      let next = try reload(page: page)
      if next.isEmpty { break }
      cards += next
      drop(resets: false)
    }
    return cards
  }

  /// Loads a page of the board, and opens its stream.
  func reload(page number: Int = 1) throws -> [Card] {
    part.begins("load page \(number)")
    let connection = try Connection(port: harbor.port)
    let path = number == 1 ? "/" : "/?page=\(number)"
    var fields = ["Accept": "application/json"]
    // The page's script does the same. So the page that has signed out gets its new cookie.
    fields["Causeway-Session"] = session.isEmpty ? nil : session
    try connection.send(request("GET", path, fields))
    let answer = try accepted(connection.answer())
    guard answer.status == 200,
      let page = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any],
      let state = page["state"] as? [String: Any]
    else { return [] }
    let isNew = ledger.cookie(of: name) == nil
    if let match = answer.head.firstMatch(of: /Set-Cookie: ([^;]+)/) {
      ledger.note(cookie: String(match.1), of: name)
    }
    session = page["session"] as? String ?? ""
    version = page["version"] as? String ?? ""
    self.number = 0
    let next = try Connection(port: harbor.port)
    try next.send(
      request("GET", "/_causeway/stream", ["Causeway-Session": session, "Last-Event-ID": version]))
    stream = next
    if isNew { try act("setName", ["name": name]) }
    let list = (state["groups"] as? [String: Any])?["rows"] as? [[String: Any]] ?? []
    shownGroups = list.compactMap { $0["id"] as? String }
    let days = (state["board"] as? [String: Any])?["days"] as? [[String: Any]] ?? []
    return days.flatMap { $0["cards"] as? [[String: Any]] ?? [] }.compactMap(Self.card)
  }

  /// Joins an activity or leaves it, and remembers the result.
  func toggle(_ card: Card, cuts: Bool) throws {
    guard !card.isOver else { return }
    let joins = !card.people.contains(name)
    ledger.forget(name, card.title)
    let status = try act(joins ? "join" : "leave", ["id": card.id], cuts: cuts)
    if status == 200 { ledger.note(name, card.title, joined: joins) }
  }

  /// Creates an activity with a new title.
  func create() throws {
    plans += 1
    let title = "Plan \(plans) of \(name)"
    let start = Date(timeIntervalSinceNow: 3 * 86_400).formatted(.iso8601).prefix(16)
    let form = ["title": title, "place": "", "notes": "", "start": String(start)]
    if try act("create", ["attempt": 0, "form": form]) == 200 { ledger.note(created: title) }
  }

  /// Founds one of a few groups.
  func foundGroup() throws {
    guard groups < 3 else { return }
    groups += 1
    try act("foundGroup", ["name": "Group \(groups) of \(name)"])
  }

  /// Shows another group on all pages.
  func switchGroup(cuts: Bool, _ random: inout SeededRandom) throws {
    guard let group = shownGroups.randomElement(using: &random) else { return }
    try act("showGroup", ["id": group], cuts: cuts)
  }

  /// Sends an action; returns the status, or nil if the connection was cut before the answer.
  @discardableResult
  func act(_ name: String, _ values: [String: Any] = [:], cuts: Bool = false) throws -> Int? {
    part.begins(name)
    number += 1
    let body = try JSONSerialization.data(withJSONObject: [name: values])
    return try post(
      "/_causeway/action", body, cuts: cuts,
      ["Content-Type": "application/json", "Causeway-Sequence": "\(number)"])
  }

  /// Sends a picture of one pixel.
  func upload(cuts: Bool) throws {
    part.begins("upload")
    let picture = """
      iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=
      """
    guard let bytes = Data(base64Encoded: picture) else { return }
    _ = try post("/pictures", bytes, cuts: cuts, ["Content-Type": "image/png"])
  }

  /// Changes the page, and waits until the stream has sent an event.
  func awaitChange() throws {
    guard try act("openComposer") == 200 else { return }
    part.begins("wait for a change in the stream")
    try stream?.wait(for: "event: ")
  }

  /// Closes or resets the stream.
  func drop(resets: Bool) {
    if resets { stream?.resetAtEnd() }
    stream = nil
  }

  func rest(_ seconds: Double) {
    part.ends()
    Thread.sleep(forTimeInterval: seconds)
  }

  private func post(
    _ path: String, _ body: Data, cuts: Bool, _ fields: [String: String]
  ) throws -> Int? {
    let connection = try Connection(port: harbor.port)
    var all = fields
    all["Causeway-Session"] = session
    all["Content-Length"] = "\(body.count)"
    let bytes = request("POST", path, all) + body
    guard !cuts else {
      connection.resetAtEnd()
      try connection.send(bytes.prefix(number.isMultiple(of: 2) ? bytes.count : bytes.count - 3))
      return nil
    }
    try connection.send(bytes)
    return try accepted(connection.answer()).status
  }

  private func request(_ method: String, _ path: String, _ fields: [String: String]) -> Data {
    var text = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n"
    if let cookie = ledger.cookie(of: name) { text += "Cookie: \(cookie)\r\n" }
    for (name, value) in fields { text += "\(name): \(value)\r\n" }
    return Data("\(text)\r\n".utf8)
  }

  /// Refuses answers that say that the program is broken.
  private func accepted(_ answer: Connection.Answer) throws -> Connection.Answer {
    ledger.note(status: answer.status)
    if answer.status == 500 {
      let text = String(decoding: answer.body, as: UTF8.self)
      throw Problem("\(part.current?.text ?? "") got status 500: \(text)")
    }
    return answer
  }

  private static func card(_ object: [String: Any]) -> Card? {
    guard let id = object["id"] as? String, let title = object["title"] as? String else {
      return nil
    }
    return Card(
      id: id, title: title, isOver: object["isOver"] as? Bool ?? true,
      people: object["names"] as? String ?? "")
  }
}
