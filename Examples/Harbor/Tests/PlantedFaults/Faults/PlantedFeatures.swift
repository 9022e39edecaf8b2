package import Causeway
import CausewayData
import HarborDomain

@testable package import HarborFeatures

/// A feature of Harbor with a mistake behind its handler: a child handles an action first.
package struct Planted<Feature: Interactor>: Interactor
where Feature.Action: HandledWhole {
  package typealias State = Feature.State
  package typealias Action = Feature.Action

  private let initialValue: State
  private let feature: Feature
  private let mistake: @Sendable (inout State, Action) -> Void

  package init(
    in feature: Feature, _ initialValue: State,
    _ mistake: @escaping @Sendable (inout State, Action) -> Void
  ) {
    (self.feature, self.initialValue, self.mistake) = (feature, initialValue, mistake)
  }

  package var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: initialValue) { [mistake] state, action in
      mistake(&state, action)
      return .state
    }
    .scope(state: \.self, action: \.own, embed: { $0 }) { feature }
  }
}

/// An action that a child with the same actions handles.
package protocol HandledWhole: Sendable {}

extension HandledWhole {
  fileprivate var own: Self? { self }
}

extension SearchInteractor.Action: HandledWhole {}
extension FeedbackInteractor.Action: HandledWhole {}
extension LinksInteractor.Action: HandledWhole {}
extension SignInInteractor.Action: HandledWhole {}

/// Services that answer at once.
struct Doubles: SearchRepositoryProtocol, FeedbackServiceProtocol, LinkRepositoryProtocol,
  AccountServiceProtocol
{
  func results(of text: String, limit: Int) -> AsyncThrowingStream<SearchResults, any Error> {
    AsyncThrowingStream {
      if text == "storm" {
        $0.finish(throwing: ActivityError.deleted)
      } else {
        $0.yield(SearchResults())
        $0.finish()
      }
    }
  }

  func send(
    _ text: String, key: IdempotencyKey, progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    progress(0.5)
    if text.contains("storm") { throw ActivityError.deleted }
  }

  func links() -> AsyncThrowingStream<[ShortLink], any Error> { .init { $0.finish() } }
  func add(_ link: LinkRecord) async throws(ActivityError) {}
  func remove(_ name: String) async throws(ActivityError) { throw .deleted }

  func accounts() -> AsyncStream<AccountState> { .init { $0.finish() } }
  func signIn(_ credentials: Credentials) async throws {}
  func signUp(_ credentials: Credentials) async throws {}
  func signInLocally() async throws {}
  func signOut() async throws {}
}
