import CausewayData
import Foundation
import HarborBackend
import HarborDomain
import Testing

@testable import HarborApp
@testable import HarborFeatures

/// The limits of the backend and of the pages, as a person meets them.
@MainActor @Suite(.timeLimit(.minutes(10))) struct `A limit of a device` {
  private static func details(_ number: Int) -> ActivityDetails {
    ActivityDetails(
      title: "Row \(number)", place: nil, notes: nil, start: Date().addingTimeInterval(86_400))
  }

  private func board(_ device: Device, _ browser: String) -> any ActivityRepositoryProtocol {
    device.environment(for: browser, BoardWording(timeZone: .gmt)).feed.activities
  }

  @Test func `refuses an activity beyond the room of its group, and the page shows the reason`()
    async throws
  {
    var quotas = Quotas()
    quotas[.activities] = 1
    try await LocalHarbor.with(quotas: quotas) { harbor in
      let device = harbor.device
      let states = device.connection.stream()
      let ana = PersonName(stored: "Ana")
      for number in 1...2 {
        try await board(device, "a").create(Self.details(number), host: ana)
      }
      for await state in states where !state.refused.isEmpty {
        #expect(state.refused.count == 1)
        #expect(state.refused.first?.reason.contains("the limit is 1") == true)
        break
      }
    }
  }

  @Test func `keeps one browser from filling the board, and no other browser`() async throws {
    try await LocalHarbor.with(creationsPerMinute: 1) { harbor in
      let ana = PersonName(stored: "Ana")
      try await board(harbor.device, "a").create(Self.details(1), host: ana)
      // Another page of the browser has no allowance of its own.
      await #expect(throws: ActivityError.self) {
        try await board(harbor.device, "a").create(Self.details(2), host: ana)
      }
      try await board(harbor.device, "b").create(Self.details(3), host: ana)
    }
  }
}
