import CausewayData
import CausewayWeb
import HarborAccounts
import HarborBackend
import HarborDomain

/// An account and its groups, for all its pages.
///
/// It lives as long as one of the pages.
@MainActor final class HostedAccount {
  let id: String
  /// The groups by name, which all pages share.
  let list = CurrentValue<[GroupRecord]>([])
  /// The name and the mails, which all pages share.
  ///
  /// A page that opens right after a change may show the old values for a moment, as the open pages
  /// do.
  let profile = CurrentValue(Profile())
  private let backend: Backend
  /// How often the pages of the account have begun again because of its groups.
  private(set) var restarts = 0
  /// The last name that a page has given the account.
  private var newName: String?
  /// The session of that page, which shows the name already.
  private var renamingSession: WebSession?
  private weak var host: PageHost?
  private var preparing: Task<Bool, any Error>?
  private var following: [Task<Void, Never>]?

  init(_ id: String, _ host: PageHost) {
    self.id = id
    (backend, self.host) = (host.backend, host)
  }

  deinit { for task in following ?? [] { task.cancel() } }

  /// What the pages show about the account itself.
  struct Profile: Equatable, Sendable {
    /// The name; `nil` for the account of this machine.
    var person: PersonName?
    /// The confirmed mail address with each kind of mails that the person gets.
    var mails: [NoticeChoice] = []
  }

  /// The name; `nil` for the account of this machine.
  var person: PersonName? { profile.value.person }

  /// The groups by name.
  var groups: [GroupRecord] { list.value }

  /// The key of the name of a page's person.
  ///
  /// A person is an account, except with the account of the machine, which all browsers use.
  func nameKey(in browser: String) -> String { person == nil ? browser : Backend.nameKey(of: id) }

  /// Reads the name, the groups and the mails, and follows them.
  ///
  /// Another browser, a device of the account or another process can change them.
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
    let person = account.name.isEmpty ? nil : PersonName(stored: account.name)
    try await readGroups()
    let mails = try await backend.mails(of: id).first { @Sendable _ in true } ?? []
    profile.set(Profile(person: person, mails: mails))
    following = [
      Self.repeating { [weak self, memberships = backend.memberships(of: id)] in
        for try await groups in memberships { self?.update(groups) }
      },
      Self.repeating { [weak self, names = backend.name(of: id)] in
        for try await name in names { self?.update(name.first ?? "") }
      },
      Self.repeating { [weak self, mails = backend.mails(of: id)] in
        for try await choices in mails { self?.update(choices) }
      },
    ]
    return true
  }

  private static func repeating(
    _ follow: @escaping @MainActor () async throws -> Void
  ) -> Task<Void, Never> {
    Task {
      while !Task.isCancelled {
        // After a failure, the pages show the database's failure until the database answers again.
        do { try await follow() } catch {}
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }

  /// Records the page that changes the account's name.
  ///
  /// When the new name arrives, this page continues, and all other pages of the account begin again.
  ///
  /// - Parameter name: The new name; `nil` if it could not be stored.
  func note(_ name: PersonName?, by session: WebSession) {
    (newName, renamingSession) = (name?.text, session)
  }

  private func update(_ mails: [NoticeChoice]) {
    profile.set(Profile(person: person, mails: mails))
  }

  /// Begins again the pages that show another name.
  private func update(_ name: String) {
    guard let old = person?.text, old != name, !name.isEmpty else { return }
    profile.set(Profile(person: PersonName(stored: name), mails: profile.value.mails))
    host?.server?.endSessions(ofAccount: id, except: name == newName ? renamingSession : nil)
  }

  /// Reads the newest groups.
  func readGroups() async throws {
    let groups = try await backend.memberships(of: id).first { @Sendable _ in true }
    if let groups { update(groups) }
  }

  /// Shows the groups.
  ///
  /// Begins the pages of the account again if a group is gone, or if there was none.
  private func update(_ groups: [GroupRecord]) {
    let old = list.value
    if following != nil, groups == old { return }
    list.set(groups)
    let ids = Set(groups.map(\.id))
    guard following != nil, old.isEmpty || !old.allSatisfy({ ids.contains($0.id) }) else { return }
    restarts += 1
    host?.server?.endSessions(ofAccount: id)
  }
}
