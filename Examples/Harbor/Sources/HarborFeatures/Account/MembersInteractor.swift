public import Causeway
public import HarborDomain

/// The members and the invitations of the shown group.
public struct MembersInteractor: Interactor {
  /// The state of the lists.
  public struct State: Sendable, Equatable {
    /// The members, in the order in which they joined the group.
    public internal(set) var members: [GroupMember] = []
    /// Whether the person of the page organises the group; `nil` if that is not known.
    var isOrganiser: Bool?
    /// The invitations; the page shows only those that have not expired.
    public internal(set) var invitations: [GroupInvitation] = []
    /// The reason why a list could not be read or changed.
    public internal(set) var problem: String?

    /// Lists that have not been read.
    public init() {}
  }

  /// The actions of the lists.
  public enum Action: Sendable, Equatable {
    /// Follows the members.
    case appear
    /// Follows the invitations too.
    case showInvitations
    /// Lets a member organise the group.
    case makeOrganiser(String)
    /// Ends the membership of another account.
    case remove(String)
    /// Ends an invitation.
    case endInvitation(String)
  }

  let list: (any MemberListProtocol)?
  /// The account of the page.
  let account: String?

  /// Handles each action.
  public var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [list, account] state, action in
      guard let list else { return .state }
      state.problem = nil
      switch action {
      case .appear:
        return .observe(list.members(), id: "members") {
          $0.members = $1
          $0.isOrganiser = $1.first { $0.id == account }?.isOrganiser
        } catch: {
          $0.problem = Sentence.of($1)
        }
      case .showInvitations:
        return .observe(list.invitations(), id: "invitations") {
          $0.invitations = $1
        } catch: {
          $0.problem = Sentence.of($1)
        }
      case .makeOrganiser(let id): return change { try await list.makeOrganiser(id) }
      case .remove(let id): return change { try await list.remove(id) }
      case .endInvitation(let id): return change { try await list.endInvitation(id) }
      }
    }
  }

  private func change(
    _ work: @escaping @concurrent @Sendable () async throws -> Void
  ) -> Emission<State, Action> {
    .perform(.serial, id: "change") { _ in
      try await work()
    } catch: {
      $0.problem = Sentence.of($1)
    }
  }
}
