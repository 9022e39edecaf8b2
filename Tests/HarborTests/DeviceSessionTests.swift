import CausewayData
import CausewaySQLite
import Foundation
import HarborDomain
import Synchronization
import Testing

@testable import HarborApp

/// Sign-ins and sign-outs of a device that uses a real backend.
@MainActor @Suite(.timeLimit(.minutes(2))) struct `The session of a device` {
  private func status(_ device: Device) async throws -> Int {
    try await device.network.response(for: .init(.get, "/accounts/local/groups")).status
  }

  @Test func `begins although a sign-out ends the page that signs in`() async throws {
    try await LocalHarbor.with { harbor in
      let device = harbor.device
      let states = device.accountStates.stream()
      let signOut = Task { try await device.signOut() }
      for await state in states where state.id == nil { break }
      let page = Task { try await device.signInLocally() }
      device.restartPages = { page.cancel() }
      page.cancel()
      try await signOut.value
      try await page.value
      #expect(device.account?.id == "local")
      #expect(device.accountStates.value.id == "local")
      #expect(try await status(device) == 200)
    }
  }

  @Test func `begins while the server ends the last session of the account`() async throws {
    try await LocalHarbor.with { harbor in
      let device = harbor.device
      for _ in 1...3 {
        try await harbor.store.write { try $0.execute("DELETE FROM token") }
        let refused = Task { try? await status(device) }
        try await device.signInLocally()
        _ = await refused.value
        #expect(try await status(device) == 200)
        #expect(device.account?.id == "local")
      }
    }
  }

  @Test func `begins after the removal of the last session's data has failed`() async throws {
    try await LocalHarbor.with { harbor in
      let device = harbor.device
      let failures = Mutex(1)
      device.session.add(
        SessionParticipant("disk") { _ in
          let fails = failures.withLock { count in
            defer { count -= 1 }
            return count > 0
          }
          if fails { throw CocoaError(.fileWriteOutOfSpace) }
        })
      await #expect(throws: SessionError.self) { try await device.signOut() }
      #expect(device.accountStates.value.problem?.contains("disk") == true)
      #expect(device.accountStates.value.id == nil)
      try await device.signInLocally()
      #expect(device.accountStates.value.problem == nil)
      #expect(try await status(device) == 200)
    }
  }

  @Test func `serves an account with many groups, whose event streams all stay open`() async throws
  {
    try await LocalHarbor.with { harbor in
      let account = try #require(harbor.device.account)
      let groups = DeviceGroups(device: harbor.device, engine: account.groups)
      for number in 1...4 { try await groups.found(PersonName("Group \(number)")) }
      #expect(account.list.count == 5)
      #expect(try await status(harbor.device) == 200)
    }
  }
}
