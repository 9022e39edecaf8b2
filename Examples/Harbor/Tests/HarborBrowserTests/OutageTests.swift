import BrowserDriver
import Foundation
import TestSupport
import Testing

/// The promise is that a person sees soon that the server is lost, and that changes arrive soon
/// after the server is back.
///
/// The backend and the device are separate processes. By default an outage ends when the page shows
/// it. `make outage` sets OUTAGE_SECONDS to the lengths of longer outages, and prints the times.
@Suite(.timeLimit(.minutes(10)))
struct OutageTests {
  enum Loss: String, CaseIterable, Sendable {
    case stopped, killed, frozen

    /// The time in which a page shows the loss.
    ///
    /// A page notices a frozen server only by its missing heartbeats.
    var goal: Duration { self == .frozen ? .seconds(20) : .seconds(3) }
  }

  /// The time in which a change reaches a server that is back, while a person looks.
  static let goal = Duration.seconds(15)
  /// The lengths of the outages in seconds; 0 for an outage that ends when the page shows it.
  static let lengths: [Int] = {
    let given = ProcessInfo.processInfo.environment["OUTAGE_SECONDS"] ?? ""
    return given.isEmpty ? [0] : given.split(separator: " ").compactMap { Int($0) }
  }()

  @Test(arguments: Loss.allCases, lengths)
  func `a page shows the loss of its server soon, and changes arrive soon after its return`(
    loss: Loss, seconds: Int
  ) async throws {
    try await Self.withDevice { port, folder, backend, device in
      var shown = try await ShownConnection(PageClient(device.process))
      _ = try await shown.next { $0.text == "Up to date" }

      let lost = ContinuousClock.now
      switch loss {
      case .stopped: #expect(await backend.stop() == .code(0))
      case .killed: await backend.kill()
      case .frozen: backend.process.send(signal: SIGSTOP)
      }
      let noticed = try await shown.next(\.isOffline).time - lost
      try await device.create("Row")
      _ = try await shown.next { $0.text.hasPrefix("Offline. 1 change") }
      try await ContinuousClock().sleep(until: lost + .seconds(seconds))
      if loss == .frozen {
        backend.process.send(signal: SIGCONT)
      } else {
        backend = try await HarborProcess("serve", data: folder, at: port)
      }
      let returned = ContinuousClock.now
      let arrived = try await shown.next { $0.text == "Up to date" }.time - returned

      print("\(loss.rawValue) for \(seconds) s: noticed after \(noticed), sent after \(arrived)")
      #expect(noticed <= loss.goal + Self.slack(seconds))
      #expect(arrived <= Self.goal + Self.slack(seconds))
    }
  }

  @Test(arguments: lengths)
  func `a group that was founded during an outage is up to date soon after the return`(
    seconds: Int
  ) async throws {
    try await Self.withDevice { port, folder, backend, device in
      await backend.kill()
      let lost = ContinuousClock.now
      _ = try await PageClient(device.process)
        .send(#"{"foundGroup":{"name":"Divers"}}"#, number: 1)
      // The pages then show the new group, whose board is empty.
      let page = try await PageClient.open(device.process) { $0.cards.isEmpty }
      var shown = try ShownConnection(page)
      _ = try await shown.next(\.isOffline)
      try await ContinuousClock().sleep(until: lost + .seconds(seconds))
      backend = try await HarborProcess("serve", data: folder, at: port)
      let returned = ContinuousClock.now
      let arrived = try await shown.next { $0.text == "Up to date" }.time - returned
      print("founded in \(seconds) s: up to date after \(arrived)")
      #expect(arrived <= Self.goal + Self.slack(seconds))
    }
  }

  /// Runs a body with a backend and a signed-in device, which has no pending changes.
  private static func withDevice(
    _ body: (ReservedPort, URL, inout HarborProcess, Device) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { data in
      let port = try ReservedPort()
      let folder = data.appending(path: "server")
      var backend = try await HarborProcess("serve", data: folder, at: port)
      let device = try await Device(data.appending(path: "device"), backend.url)
      try await device.signUp()
      try await device.create("Swim")
      try await device.waitUntilSent()
      try await body(port, folder, &backend, device)
      #expect(await device.process.stop() == .code(0))
      #expect(await backend.stop() == .code(0))
    }
  }

  /// Other tests can slow down the processes of the short outages.
  private static func slack(_ seconds: Int) -> Duration { .seconds(seconds == 0 ? 10 : 0) }
}
