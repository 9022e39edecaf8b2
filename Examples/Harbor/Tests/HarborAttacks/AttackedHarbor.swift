import CausewayData
import CausewaySQLite
import CausewayWeb
import Foundation
import HarborBackend
import HarborDomain

/// A backend that answers the requests of an attack in this process, without a connection.
///
/// An attack fails if the process ends, if the backend answers with a status from 500 on, or if the
/// records that the backend sends cannot be read and shown.
public struct AttackedHarbor: Sendable {
  /// The date of the pages, and of the server before its first attack: 15 January 2027.
  static let now = Date(timeIntervalSince1970: 1_800_000_000)

  private let backend: Backend
  private let clock: AttackClock

  private struct SignedIn: Decodable {
    var account: String
    var tokens: Tokens

    struct Tokens: Decodable {
      var access_token: String
      var refresh_token: String
    }
  }

  /// Makes a backend with an empty database.
  public init() async throws {
    let store = try InMemoryPersistenceService(migrations: BackendMigrations.all)
    let (random, clock) = (SequenceOfBits(), AttackClock())
    backend = Backend(
      store: store, configuration: .init(port: 0), now: { clock.date }, random: { random.next() },
      passphraseCost: 1)
    self.clock = clock
  }

  /// Sends requests, and shows what the backend then has.
  ///
  /// - Parameter number: The number of the attack, which no other attack of this backend has.
  /// - Throws: ``Failure``.
  public func attack(_ choices: Choices, number: Int) async throws {
    // After an hour, the rate limits do not refuse the requests of this attack.
    clock.passHour()
    let session = try JSONDecoder().decode(
      SignedIn.self, from: await backend.localTokens(sample: nil))
    let digits = String(number)
    let zeros = String(repeating: "0", count: max(0, 12 - digits.count))
    let target = Target(
      account: session.account, group: "00000000-0000-4000-a000-\(zeros)\(digits)",
      access: session.tokens.access_token, refresh: session.tokens.refresh_token)
    let found = #"{"found":{"_0":{"id":"\#(target.group)","name":"G"}}}"#
    try await send(
      .post, "\(target.accountPath)/groups/changes",
      #"[{"key":"group \#(number)","mutation":\#(found)}]"#, target)
    var writer = JSONWriter(choices: choices)
    for _ in 0..<8 {
      try await sendRequest(from: &writer, to: target)
      if writer.choices.isEmpty { break }
    }
    try await ShownPages(
      activities: records("\(target.groupPath)/activities", target),
      people: records("\(target.groupPath)/people", target),
      links: records("\(target.accountPath)/links", target),
      groups: records("\(target.accountPath)/groups", target)
    ).show(choices)
    try await showUncheckedRecords(choices)
  }

  /// Shows records that no backend has checked, as a device of an earlier version may have them.
  private func showUncheckedRecords(_ choices: Choices) async throws {
    var writer = JSONWriter(choices: choices)
    var activities: [String: ActivityRecord] = [:]
    for _ in 0..<6 {
      let text = writer.activityMutation()
      guard let change = try? JSONDecoder().decode(ActivityMutation.self, from: Data(text.utf8))
      else { continue }
      change.apply(to: &activities[change.recordID])
    }
    let ids = activities.keys.sorted()
    try await ShownPages(
      activities: ids.compactMap { activities[$0] }, people: [], links: [], groups: []
    ).show(choices)
  }

  private func sendRequest(from writer: inout JSONWriter, to target: Target) async throws {
    let (group, account) = (target.groupPath, target.accountPath)
    let request: (path: String, body: String)
    switch writer.choices.index(below: 12) {
    case 0, 1, 2, 3:
      request = ("\(group)/activities/changes", writer.changes { $0.activityMutation() })
    case 4: request = ("\(group)/people/changes", writer.changes { $0.personMutation() })
    case 5: request = ("\(account)/links/changes", writer.changes { $0.linkMutation() })
    case 6: request = ("\(account)/groups/changes", writer.changes { $0.groupMutation() })
    case 7:
      return try await send(.get, "\(group)/activities?since=\(writer.number())", "", target)
    case 8: request = ("/feedback", writer.object(["text": { $0.text() }]))
    case 9:
      let token = writer.choices.happens(oneIn: 2) ? "\"\(target.refresh)\"" : writer.text()
      request = ("/tokens/refresh", #"{"refresh_token":\#(token)}"#)
    case 10: request = ("/invitations/accept", writer.object(["code": { $0.text() }]))
    default: return try await sendPicture(from: &writer, to: target)
    }
    try await send(.post, request.path, request.body, target)
  }

  /// Stores a picture and reads a part of it.
  private func sendPicture(from writer: inout JSONWriter, to target: Target) async throws {
    let heads: [[UInt8]] = [
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52],
      [0xFF, 0xD8, 0xFF], Array("GIF89a".utf8), Array("RIFF0000WEBPVP8X".utf8),
      Array("RIFF0000WEBPVP8 0000".utf8), Array("RIFF0000WEBPVP8L0000/".utf8), [],
    ]
    let head = writer.choices.element(of: heads)
    let rest = (0..<writer.choices.index(below: 40)).map { _ in writer.choices.byte() }
    let path = "\(target.groupPath)/pictures"
    let answer = await answer(to: .post, path, target.headers, Data(head + rest))
    try check(answer.status.code, "picture \(head + rest)")
    guard
      let name = try? await JSONDecoder().decode(
        [String: String].self, from: Data(answer.bytes))["id"]
    else { return }
    var fields = target.headers
    fields["Range"] = "bytes=\(writer.number())-\(writer.number())"
    let part = await self.answer(to: .get, "\(path)/\(name)", fields)
    try check(part.status.code, "range \(fields["Range"] ?? "")")
  }

  private func send(
    _ method: HTTPMethod, _ path: String, _ body: String, _ target: Target
  ) async throws {
    let answer = await answer(to: method, path, target.headers, Data(body.utf8))
    try check(answer.status.code, "\(path) \(body)")
  }

  private func records<Record: Codable & Sendable>(
    _ path: String, _ target: Target
  ) async throws -> [Record] {
    let answer = await answer(to: .get, path, target.headers)
    try check(answer.status.code, path)
    let bytes = try await answer.bytes
    return try JSONDecoder().decode(CollectionPage<Record>.self, from: Data(bytes)).records
  }

  private func answer(
    to method: HTTPMethod, _ path: String, _ headers: HTTPHeaders, _ body: Data = Data()
  ) async -> Response {
    await backend.server.respond(to: Request(method, path, headers: headers)) { _ in body }
  }

  private func check(_ status: Int, _ request: String) throws {
    if status >= 500 { throw Failure(description: "status \(status) for \(request)") }
  }

  /// The request that the backend could not answer.
  public struct Failure: Error, CustomStringConvertible {
    /// The status and the request.
    public let description: String
  }
}

/// The account and the group that an attack uses.
private struct Target {
  let account, group, access, refresh: String

  var groupPath: String { "/groups/\(group)" }
  var accountPath: String { "/accounts/\(account)" }
  var headers: HTTPHeaders {
    ["Authorization": "Bearer \(access)", "Content-Type": "application/json"]
  }
}
