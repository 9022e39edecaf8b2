import CausewayData
import Foundation
import HarborDomain

/// The name of a browser of the device.
///
/// A new name also replaces the old name on all boards.
struct DeviceName: NameRepositoryProtocol {
  let device: Device
  let browser: String
  let stored: BrowserName

  func remembered() async throws(ActivityError) -> PersonName? { try await stored.remembered() }

  func remember(_ name: PersonName) async throws(ActivityError) {
    // A browser without a name shows the name of the account, which may be another person.
    if let old = try await device.names.remembered(in: browser), old.text != name.text {
      for people in await device.people {
        try await people.store(.rename(from: old.text, to: name.text))
      }
    }
    try await stored.remember(name)
  }
}

/// The groups of the device's account.
struct DeviceGroups: GroupRepositoryProtocol {
  let device: Device
  let engine: SyncEngine<CollectionSource<GroupMutation>>

  func groups() -> AsyncThrowingStream<[GroupRecord], any Error> {
    .rows(of: engine.observe(orderedBy: "name, id")) { $0.map(\.record) }
  }

  func found(_ name: PersonName) async throws(ActivityError) {
    let group = GroupRecord(id: device.environment.makeID(), name: name.text)
    try await engine.store(.found(group))
    await device.show(group: group.id)
  }

  func show(_ group: String) async { await device.show(group: group) }

  func leave(_ group: String) async throws(ActivityError) {
    try await engine.store(.leave(id: group))
    await device.show(group: nil)
  }

  func invite(to group: String) async throws -> String {
    let invitation: Invitation = try await device.network.value(
      for: Endpoint(.post, "/groups/\(group)/invitations"))
    return invitation.code
  }

  func calendar(of group: String?) async throws -> String {
    let made: [String: String] = try await device.network.value(
      for: Endpoint(.post, "/calendars", body: ["group": group]))
    return device.environment.server.appending(path: made["path"] ?? "").absoluteString
  }

  func accept(_ code: String) async throws {
    let group: GroupRecord = try await device.network.value(
      for: Endpoint(
        .post, "/invitations/accept", body: Invitation(code: code),
        idempotencyKey: IdempotencyKey()))
    // The list must contain the group before its board can be shown.
    try await engine.refresh()
    await device.show(group: group.id)
  }

  private struct Invitation: Codable, Sendable {
    var code: String
  }
}
