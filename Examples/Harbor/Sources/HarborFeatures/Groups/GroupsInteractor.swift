public import Causeway
public import HarborDomain

/// The groups of the account: found, choose, leave, invite and join.
public struct GroupsInteractor: Interactor {
  /// The state of the list.
  public struct State: Sendable, Equatable {
    /// The groups by name.
    public internal(set) var groups: [GroupRecord] = []
    /// The invitation of the page's address, which the user can accept.
    public internal(set) var code: String?
    /// The new invitation to a group.
    public internal(set) var invitation: String?
    /// The address of the new calendar.
    public internal(set) var calendar: String?
    /// The reason why the last request failed.
    public internal(set) var problem: String?

    /// A list that has not been read.
    public init(code: String? = nil) { self.code = code }
  }

  /// The actions of the list.
  public enum Action: Sendable, Equatable {
    /// Follows the groups.
    case appear
    /// Founds a group with a typed name.
    case found(String)
    /// Shows the board of a group.
    case show(String)
    /// Leaves a group.
    case leave(String)
    /// Makes an invitation to a group.
    case invite(String)
    /// Makes the address of the calendar of a group, or of the account's own activities.
    case calendar(String?)
    /// Joins the group of an invitation.
    case accept(String)
  }

  private let groups: any GroupRepositoryProtocol

  /// Makes the list.
  public init(groups: any GroupRepositoryProtocol) {
    self.groups = groups
  }

  /// Handles each action.
  public var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [groups] state, action in
      switch action {
      case .appear:
        return .observe(id: "groups") { [groups = groups.groups()] _, send in
          for try await groups in groups { await send { $0.groups = groups } }
        } catch: { state, error in
          state.problem = Sentence.of(error)
        }
      case .found(let typed):
        let name: PersonName
        do {
          name = try PersonName(typed)
        } catch {
          state.problem = "Give the group a name of 1 to 40 characters."
          return .state
        }
        return work(&state) { _ in try await groups.found(name) }
      case .show(let group):
        return work(&state) { _ in await groups.show(group) }
      case .leave(let group):
        return work(&state) { _ in try await groups.leave(group) }
      case .invite(let group):
        state.invitation = nil
        return work(&state) { send in
          let code = try await groups.invite(to: group)
          await send { $0.invitation = code }
        }
      case .calendar(let group):
        state.calendar = nil
        return work(&state) { send in
          let address = try await groups.calendar(of: group)
          await send { $0.calendar = address }
        }
      case .accept(let code):
        let code = Self.code(in: code)
        return work(&state) { send in
          try await groups.accept(code)
          await send { $0.code = nil }
        }
      }
    }
  }

  /// The code of an invitation in a typed text: a pasted address ends with it.
  static func code(in text: String) -> String {
    String(text.split(separator: "/").last ?? "").filter { !$0.isWhitespace }
  }

  private func work(
    _ state: inout State,
    _ work: @escaping @concurrent @Sendable (Send<State, Action>) async throws -> Void
  ) -> Emission<State, Action> {
    state.problem = nil
    return .perform(.first, id: "work") { send in
      try await work(send)
    } catch: { state, error in
      state.problem = Sentence.of(error)
    }
  }
}
