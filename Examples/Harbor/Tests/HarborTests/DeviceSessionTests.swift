import CausewayData
import CausewaySQLite
import CausewayWeb
import Foundation
import HarborDomain
import HarborFeatures
import Synchronization
import TestSupport
import Testing

@testable import HarborApp

/// Sign-ins and sign-outs of a device that uses a real backend.
@MainActor @Suite(.timeLimit(.minutes(10))) struct `The session of a device` {
  private func status(_ device: Device) async throws -> Int {
    try await device.network.response(for: .init(.get, "/accounts/local/groups")).status
  }

  @Test func `begins even if a sign-out ends the page that signs in`() async throws {
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

  @Test func `renames nobody when another browser chooses its first name`() async throws {
    try await LocalHarbor.with { harbor in
      let device = harbor.device
      try await device.signOut()
      try await device.signUp(Credentials(name: "Zoe", passphrase: "correct horse"))
      let environment = device.environment(for: "2", BoardWording(timeZone: .gmt))
      try await environment.groups.found(PersonName("Rowers"))
      try await environment.feed.names.remember(PersonName("Ben"))
      try await environment.feed.names.remember(PersonName("Bea"))
      let names = harbor.store.observe(
        """
        SELECT key FROM person_name WHERE scope = (
          SELECT scope FROM person_name WHERE key = 'bea' LIMIT 1) ORDER BY key
        """, as: String.self)
      for try await keys in names where !keys.isEmpty {
        #expect(keys == ["bea", "zoe"])
        break
      }
    }
  }

  @Test func `is shown although the name of its account could not be stored`() async throws {
    try await LocalHarbor.with { harbor in
      let device = harbor.device
      try await device.signOut()
      try await device.outbox.persistence.write { transaction in
        try transaction.execute(
          "CREATE TRIGGER full BEFORE INSERT ON browser BEGIN SELECT RAISE(ABORT, 'full'); END")
      }
      await #expect(throws: ActivityError.self) {
        try await device.signUp(Credentials(name: "Zoe", passphrase: "correct horse"))
      }
      let account = try #require(device.session.current?.account)
      #expect(device.account?.id == account)
      #expect(device.accountStates.value.id == account.rawValue)
    }
  }

  @Test func `continues with its unsent changes when another page signs in meanwhile`() async throws
  {
    try await LocalHarbor.with { harbor in
      let device = harbor.device
      try await device.signOut()
      var tickets: [SessionTicket?] = []
      device.restartPages = { tickets.append(device.session.current) }
      let pages = (1...2).map { _ in Task { try await device.signInLocally() } }
      for page in pages { try await page.value }
      #expect(tickets.count == 1)
      // A ticket ends with the removal of its session's data.
      #expect(tickets == [device.session.current])
      // A page that is still open may sign in although the session runs.
      try await device.signInLocally()
      #expect(tickets.first == device.session.current)
      #expect(try await status(device) == 200)
    }
  }

  @Test func `refuses a sign-in after another account has signed in meanwhile`() async throws {
    try await LocalHarbor.with { harbor in
      let device = harbor.device
      try await device.signOut()
      let mine = Task { try await device.signInLocally() }
      let other = Task {
        try await device.signUp(Credentials(name: "Zoe", passphrase: "correct horse"))
      }
      let results = [await mine.result, await other.result]
      let errors = results.compactMap { result in
        if case .failure(let error) = result { error } else { nil }
      }
      #expect(errors.count == 1 && errors.first is SignInError)
      #expect(device.session.current?.account == device.account?.id)
      #expect(device.account != nil)
    }
  }

  @Test func `ends before the pages show it, and then the server's tokens end`() async throws {
    try await LocalHarbor.with { harbor in
      let device = harbor.device
      let shown = Mutex<[String?]>([])
      device.session.add(
        SessionParticipant("pages") { [states = device.accountStates] _ in
          shown.withLock { $0.append(states.value.id) }
        })
      try await device.signOut()
      #expect(shown.withLock(\.first) == "local")
      #expect(device.accountStates.value.id == nil)
      while try await harbor.store.read({ try $0.row("SELECT 1 FROM token", as: Int.self) }) != nil
      {
        try Task.checkCancellation()
      }
    }
  }

  @Test func `ends at once without an answer of the server, also in a shutdown`() async throws {
    let silence = Silence()
    try await LocalHarbor.with(network: { SilentNetwork(network: $0, silence: silence) }) {
      harbor in
      let device = harbor.device
      try await device.signOut()
      silence.begin()
      // The first read of the account and another sign-in wait for the server.
      let pages = [
        Task { try await device.signInLocally() },
        Task { try await device.signIn(Credentials(name: "Zoe", passphrase: "correct horse")) },
      ]
      await until {
        device.account != nil
          && silence.paths.isSuperset(of: ["/accounts/local/groups", "/tokens"])
      }
      try await device.signOut()
      try await pages[0].value
      #expect(device.session.current == nil)
      #expect(device.account == nil)
      // The shutdown ends this one.
      _ = Task { try await device.signInLocally() }
      await until { device.account != nil }
    }
  }

  @Test func `has no picture whose load a sign-out has interrupted`() async throws {
    let silence = Silence()
    try await LocalHarbor.with(network: { SilentNetwork(network: $0, silence: silence) }) {
      harbor in
      let device = harbor.device
      let group = try #require(device.group?.id)
      silence.begin()
      let picture = Task {
        try await device.picture(PictureKey(group: group, id: "p"), for: Request(.get, "/"))
      }
      await until { silence.paths.contains("/groups/\(group)/pictures/p") }
      try await device.signOut()
      // A page that is still open shows no picture. An error of another type would be in the log.
      let problem = await #expect(throws: Problem.self) { try await picture.value }
      #expect(problem?.status == .notFound)
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

/// Whether a server answers, and the paths of the requests that wait for its answer.
private final class Silence: Sendable {
  private let state = Mutex((isSilent: false, paths: Set<String>()))

  var paths: Set<String> { state.withLock(\.paths) }

  func begin() { state.withLock { $0.isSilent = true } }

  /// Waits until the task is cancelled if the server does not answer.
  func wait(_ path: NetworkPath) async throws {
    let isSilent = state.withLock { state in
      if state.isSilent { state.paths.insert("\(path)") }
      return state.isSilent
    }
    guard isSilent else { return }
    for await _ in AsyncStream(Never.self, { _ in }) {}
    throw CancellationError()
  }
}

/// A network service whose server can become silent.
private struct SilentNetwork: NetworkService {
  let network: any NetworkService
  let silence: Silence

  func response(
    for request: NetworkRequest, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse {
    try await silence.wait(request.path)
    return try await network.response(for: request, progress: progress)
  }

  func download(
    _ request: NetworkRequest, to path: String, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse {
    try await silence.wait(request.path)
    return try await network.download(request, to: path, progress: progress)
  }

  func events(
    for request: NetworkRequest, reconnects: Bool, connection: @escaping NetworkConnection.Observer
  ) -> NetworkEventStream {
    network.events(for: request, reconnects: reconnects, connection: connection)
  }
}
