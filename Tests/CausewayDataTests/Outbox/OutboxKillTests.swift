import Foundation
import TestSupport
import Testing

/// The promise is that an acknowledged mutation is not lost if the process ends at any moment, and
/// is applied exactly once.
@Suite(.timeLimit(.minutes(10)))
struct OutboxKillTests {
  @Test func `a session that ends at any moment loses no change, and shows none to others`()
    async throws
  {
    let folder = NSTemporaryDirectory() + "session-kill-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }

    let kills = scaled(200)
    let campaign = try await KillCampaign(
      folder: folder, kills: kills, seed: 41, endsSessions: true
    ).run()
    func told(_ word: String) -> [String] {
      campaign.told.filter { $0.hasPrefix(word + " ") }
        .map { String($0.dropFirst(word.count + 1)) }
    }
    let (taken, signIns) = (told("take"), told("sign-in"))
    print(
      "\(campaign.clientKills) devices and \(campaign.serverKills) servers killed in "
        + "\(campaign.duration); \(signIns.count) sign-ins, \(taken.count) changes acknowledged")
    #expect(campaign.clientKills >= kills)
    #expect(taken.count >= kills)
    // The server has ended sessions, and the device has used both accounts.
    #expect(signIns.count >= kills / 4)
    #expect(Set(signIns).count == 2)

    #expect(campaign.report["end"] == [""])
    let effects = campaign.report["effect"] ?? []
    let counts = effects.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    #expect(Set(taken).count == taken.count)
    #expect(taken.filter { counts[$0] == nil } == [], "acknowledged and lost")
    #expect(counts.filter { $0.value > 1 }.keys.sorted() == [], "delivered more than once")
    // The words of an effect are the account of the session, the scope, and the id of the step. The
    // id begins with the account that made the step.
    let foreign = effects.filter { effect in
      let words = effect.split(separator: " ")
      return words.count != 3 || !words[2].hasPrefix("\(words[0])-")
    }
    #expect(foreign == [], "delivered for another account")
    #expect(told("seen") == [], "seen by another account")
    #expect(campaign.report["left"] == nil)
    #expect(campaign.report["refused"] == nil)
  }

  /// - Parameter batchLimit: If it is larger than one, the steps of a scope also require the steps
  ///   with the same numbers in the previous scope.
  @Test(arguments: [(kills: 300, batchLimit: 1), (kills: 120, batchLimit: 4)])
  func `acknowledged mutations arrive once and in order after any number of kills`(
    kills: Int, batchLimit: Int
  ) async throws {
    let folder = NSTemporaryDirectory() + "outbox-kill-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }

    let kills = scaled(kills)
    let campaign = try await KillCampaign(
      folder: folder, kills: kills, seed: 20, batchLimit: batchLimit
    ).run()
    print(
      "\(campaign.clientKills) clients and \(campaign.serverKills) servers killed in "
        + "\(campaign.duration); \(campaign.told.count) mutations acknowledged")
    #expect(campaign.clientKills >= kills)
    #expect(campaign.serverKills >= kills / 30)
    // If all kills came before or after the work, the test would prove nothing.
    #expect(campaign.told.count >= kills)
    #expect(campaign.killsDuringWork >= kills / 3)

    let (effects, report) = (campaign.report["effect"] ?? [], campaign.report)
    #expect(report["end"] == [""])
    let counts = effects.reduce(into: [:]) { $0[$1, default: 0] += 1 }

    let taken = campaign.told.filter { $0.hasPrefix("take ") }.map { String($0.dropFirst(5)) }
    let forbidden = campaign.told.filter { $0.hasPrefix("forbid ") }.map { String($0.dropFirst(7)) }
    #expect(Set(taken).count == taken.count)
    #expect(taken.filter { counts[$0] == nil } == [], "acknowledged and lost")
    #expect(counts.filter { $0.value > 1 }.keys.sorted() == [], "delivered more than once")
    #expect(forbidden.filter { counts[$0] != nil } == [], "refused and delivered")
    #expect((report["refused"] ?? []).count >= forbidden.count, "refused and forgotten")
    #expect(report["left"] == nil)
    #expect(report["pending"] == nil)

    if batchLimit > 1 {
      let places = Dictionary(uniqueKeysWithValues: effects.enumerated().map { ($1, $0) })
      for (earlier, later) in [("red ", "green "), ("green ", "blue ")] {
        for effect in effects where effect.hasPrefix(later) {
          let required = earlier + effect.dropFirst(later.count)
          let place = try #require(places[required], "\(effect) came without \(required)")
          #expect(place < places[effect] ?? 0)
        }
      }
    }

    let shown = report["shown"] ?? []
    for scope in ["red ", "green ", "blue "] {
      let delivered = effects.filter { $0.hasPrefix(scope) }
      let order = delivered.map { $0.split(separator: " ").dropFirst().compactMap { Int($0) } }
      #expect(zip(order, order.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
      #expect(shown.filter { $0.hasPrefix(scope) } == delivered)
    }
  }
}
