public import Causeway
import CausewayFoundation
public import HarborDomain

/// The short links of the account.
public struct LinksInteractor: Interactor {
  /// The state of the list and its form.
  public struct State: Sendable, Equatable {
    /// The links by name; `nil` before the first read.
    public internal(set) var links: [ShortLink]?
    /// The form exactly as typed, after a refusal.
    public internal(set) var draft = LinkDraft(name: "", target: "")
    /// The problem of the form.
    public internal(set) var problem: LinkProblem?
    /// Another problem, such as a store that fails.
    public internal(set) var failure: String?

    /// A list that has not been read.
    public init() {}
  }

  /// The actions of the list.
  public enum Action: Sendable, Equatable {
    /// Follows the links.
    case appear
    /// Adds a link from typed texts.
    case add(name: String, target: String)
    /// Removes a link.
    case remove(String)
  }

  private let links: any LinkRepositoryProtocol

  /// Makes the list.
  ///
  /// It reads the date of a new link from the provided values.
  public init(links: any LinkRepositoryProtocol) {
    self.links = links
  }

  /// Handles each action.
  public var body: some InteractorOf<Self> {
    InteractWithValues(initialValue: State()) { [links] state, action, values in
      switch action {
      case .appear:
        state.failure = nil
        return .observe(links.links(), id: "links") { state, links in
          state.links = links
        } catch: { state, error in
          state.failure = Sentence.of(error)
        }
      case .add(let name, let target):
        state.draft = LinkDraft(name: name, target: target)
        (state.problem, state.failure) = (nil, nil)
        let link: LinkRecord
        do throws(LinkProblem) {
          link = try state.draft.validated(at: values[.date]())
        } catch {
          state.problem = error
          return .state
        }
        return .perform(.serial, id: "write") { send in
          try await links.add(link)
          await send { $0.draft = LinkDraft(name: "", target: "") }
        } catch: { state, error in
          state.failure = Sentence.of(error)
        }
      case .remove(let name):
        return .perform(.serial, id: "write") { _ in
          try await links.remove(name)
        } catch: { state, error in
          state.failure = Sentence.of(error)
        }
      }
    }
  }
}
