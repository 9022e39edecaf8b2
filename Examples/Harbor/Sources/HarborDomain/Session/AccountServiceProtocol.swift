/// The account of this device.
public protocol AccountServiceProtocol: Sendable {
  /// Yields the account now and after each change, such as a sign-in or a sign-out.
  func accounts() -> AsyncStream<AccountState>

  /// Signs in with an existing account.
  func signIn(_ credentials: Credentials) async throws

  /// Makes an account and signs in.
  func signUp(_ credentials: Credentials) async throws

  /// Signs in with the account of this machine, if it has one.
  func signInLocally() async throws

  /// Ends the session and removes the account's data from this device.
  func signOut() async throws

  /// Removes all unsent changes from this device, for example of accounts whose session the server
  /// has ended.
  func removeUnsent() async throws

  /// Replaces the passphrase, and signs out the other browsers and devices of the account.
  func changePassphrase(from old: String, to new: String) async throws

  /// Sends a link to an address. The address gets mails after the link was opened; `nil` ends all
  /// mails.
  ///
  /// A new address needs the passphrase, because a link in a mail can replace the passphrase.
  func setMail(_ address: String?, passphrase: String) async throws

  /// Begins or ends mails of a kind.
  func choose(_ kind: MailKind, _ isWanted: Bool) async throws

  /// Deletes the account and all its data.
  func delete(passphrase: String) async throws
}

/// The pages of a server keep no changes.
extension AccountServiceProtocol {
  /// Does nothing, because only a device keeps changes.
  public func removeUnsent() async throws {}
}

/// A device changes its account on the pages of the server.
extension AccountServiceProtocol {
  private var elsewhere: ActivityError {
    .notStored(reason: "Open the pages of the server for this.")
  }

  /// Throws, because only the pages of the server do this.
  public func changePassphrase(from old: String, to new: String) async throws { throw elsewhere }

  /// Throws, because only the pages of the server do this.
  public func setMail(_ address: String?, passphrase: String) async throws { throw elsewhere }

  /// Throws, because only the pages of the server do this.
  public func choose(_ kind: MailKind, _ isWanted: Bool) async throws { throw elsewhere }

  /// Throws, because only the pages of the server do this.
  public func delete(passphrase: String) async throws { throw elsewhere }
}

/// Who may make an account.
public enum SignUp: String, CaseIterable, Sendable {
  /// Everybody.
  case open
  /// Everybody with an invitation to a group.
  case invitation
  /// Nobody.
  case closed
}

/// The state of the account on a page.
public struct AccountState: Equatable, Sendable {
  /// The id of the account; `nil` without a session.
  public var id: String?
  /// The name; empty for the account of this machine.
  public var name: String
  /// The id of the group whose board the pages show.
  public var group: String?
  /// The name of that group.
  public var groupName: String?
  /// Whether this machine has an account that needs no passphrase.
  public var hasLocalAccount: Bool
  /// Who may make an account; `nil` if only the server knows it.
  public var signUp: SignUp?
  /// Whether the page can change the passphrase, export the data and delete the account.
  public var canManage = false
  /// The confirmed mail address, empty without one; `nil` if the server sends no mails.
  public var mail: String?
  /// The kinds of mails that the person gets.
  public var mails: Set<MailKind> = []
  /// Who invites to which group, for a page whose address is an invitation.
  public var invitation: String?
  /// The number of changes that accounts have left on this device without a sign-out.
  ///
  /// The server has ended their sessions. The changes are sent when their account signs in again.
  public var unsent = 0
  /// The reason why the last sign-out failed or could not remove all data, as a sentence.
  public var problem: String?

  /// Makes a state from its parts.
  public init(
    id: String? = nil, name: String = "", group: String? = nil, hasLocalAccount: Bool = false,
    signUp: SignUp? = nil
  ) {
    (self.id, self.name, self.group, self.hasLocalAccount) = (id, name, group, hasLocalAccount)
    self.signUp = signUp
  }
}
