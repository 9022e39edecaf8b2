import CausewayData
import CausewayStreams
import HarborBackend
import HarborDomain

/// An account and its groups, for all its pages.
///
/// It lives as long as one of the pages.
@MainActor final class HostedAccount {
  let id: String
  /// The name; `nil` for the account of this machine.
  private(set) var person: PersonName?
  /// The groups by name, which all pages share.
  let list = Published<[GroupRecord]>([])
  private let backend: Backend
  private let collection: HostedCollection<GroupMutation>
  /// How often the pages of the account have begun again.
  private(set) var restarts = 0
  /// Ends the pages of the account, which then begin again.
  private let restart: @MainActor () -> Void
  private var preparing: Task<Bool, any Error>?
  private var following: Task<Void, Never>?

  init(_ id: String, _ backend: Backend, restart: @escaping @MainActor () -> Void) {
    self.id = id
    (self.backend, self.restart) = (backend, restart)
    collection = backend.groups(of: id)
  }

  deinit { following?.cancel() }

  /// The groups by name.
  var groups: [GroupRecord] { list.value }

  /// Reads the name and the groups, and follows the groups, which a device of the account or another
  /// process can change.
  ///
  /// - Returns: Whether the account exists.
  func prepare() async throws -> Bool {
    let task = preparing ?? Task { try await read() }
    preparing = task
    do {
      return try await task.value
    } catch {
      preparing = nil
      throw error
    }
  }

  private func read() async throws -> Bool {
    guard let account = try await backend.account(id) else { return false }
    person = account.name.isEmpty ? nil : PersonName(stored: account.name)
    try await readGroups()
    following = Task { [weak self, collection] in
      while !Task.isCancelled {
        // After a failure, the pages show that of the database until it answers again.
        do { for try await groups in collection.groups() { self?.update(groups) } } catch {}
        try? await Task.sleep(for: .seconds(1))
      }
    }
    return true
  }

  /// Reads the newest groups.
  func readGroups() async throws {
    for try await groups in collection.groups() {
      update(groups)
      return
    }
  }

  /// Shows the groups, and begins the pages again if the board of one of them is gone or is the
  /// first one.
  private func update(_ groups: [GroupRecord]) {
    let old = list.value
    if following != nil, groups == old { return }
    list.set(groups)
    let ids = Set(groups.map(\.id))
    guard following != nil, old.isEmpty || !old.allSatisfy({ ids.contains($0.id) }) else { return }
    restarts += 1
    restart()
  }
}

extension HostedCollection<GroupMutation> {
  /// Yields the groups by name, now and after each change.
  func groups() -> AsyncThrowingStream<[GroupRecord], any Error> {
    values(sortedBy: { ($0.name, $0.id) < ($1.name, $1.id) }) { $0 }
  }
}
