public import Causeway
public import HarborDomain

/// The passphrase and the end of the account.
public struct OwnAccountInteractor: Interactor {
  /// The state of the forms.
  ///
  /// It never contains a passphrase.
  public struct State: Sendable, Equatable {
    /// The reason why the last change of the passphrase failed.
    public internal(set) var problem: String?
    /// The reason why the account was not deleted.
    public internal(set) var deletionProblem: String?
    /// The result of the last change of the mail address or of the chosen mails.
    public internal(set) var mail: String?
    /// Whether the passphrase was changed.
    public internal(set) var isChanged = false

    /// Forms that have sent nothing.
    public init() {}
  }

  /// The actions of the forms.
  ///
  /// Credentials never show their passphrase.
  public enum Action: Sendable, Equatable {
    /// Replaces the passphrase.
    case change(old: Credentials, new: Credentials)
    /// Sends a link to a mail address, or removes the address.
    case setMail(String?, Credentials)
    /// Begins or ends mails of a kind.
    case choose(MailKind, Bool)
    /// Deletes the account.
    case delete(Credentials)
  }

  static let noMails = "You get no mails."

  let account: any AccountServiceProtocol

  /// Handles each action.
  public var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [account] state, action in
      state = State()
      switch action {
      case .change(let old, let new):
        state.problem = SignInInteractor.problem(new, shortest: Credentials.shortest)
        if state.problem != nil { return .state }
        return .perform(.first, id: "change") { send in
          try await account.changePassphrase(from: old.passphrase, to: new.passphrase)
          await send { $0.isChanged = true }
        } catch: {
          $0.problem = Sentence.of($1)
        }
      case .setMail(let address, let credentials):
        return .perform(.first, id: "change") { send in
          try await account.setMail(address, passphrase: credentials.passphrase)
          await send {
            $0.mail = address.map { "Open the link in the mail to \($0)." } ?? Self.noMails
          }
        } catch: {
          $0.mail = Sentence.of($1)
        }
      case .choose(let kind, let isWanted):
        return .perform(.serial, id: "mails") { _ in
          try await account.choose(kind, isWanted)
        } catch: {
          $0.mail = Sentence.of($1)
        }
      case .delete(let credentials):
        return .perform(.first, id: "change") { _ in
          try await account.delete(passphrase: credentials.passphrase)
        } catch: {
          $0.deletionProblem = Sentence.of($1)
        }
      }
    }
  }
}
