package import Causeway
import CausewayData
import HarborDomain

@testable package import HarborFeatures

/// A feature of Harbor with a mistake behind its handler: a child handles an action first.
package struct PlantedSearch: Interactor {
  package typealias State = SearchInteractor.State
  package typealias Action = SearchInteractor.Action

  private let mistake: @Sendable (inout State, Action) -> Void

  package init(_ mistake: @escaping @Sendable (inout State, Action) -> Void) {
    self.mistake = mistake
  }

  package var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { [mistake] state, action in
      mistake(&state, action)
      return .state
    }
    .scope(state: \.self, action: \.own, embed: { $0 }) { SearchInteractor(repository: Doubles()) }
  }
}

package struct PlantedFeedback: Interactor {
  package typealias State = FeedbackInteractor.State
  package typealias Action = FeedbackInteractor.Action

  private let mistake: @Sendable (inout State, Action) -> Void

  package init(_ mistake: @escaping @Sendable (inout State, Action) -> Void) {
    self.mistake = mistake
  }

  package var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { [mistake] state, action in
      mistake(&state, action)
      return .state
    }
    .scope(state: \.self, action: \.own, embed: { $0 }) { FeedbackInteractor(service: Doubles()) }
  }
}

package struct PlantedLinks: Interactor {
  package typealias State = LinksInteractor.State
  package typealias Action = LinksInteractor.Action

  private let mistake: @Sendable (inout State, Action) -> Void

  package init(_ mistake: @escaping @Sendable (inout State, Action) -> Void) {
    self.mistake = mistake
  }

  package var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { [mistake] state, action in
      mistake(&state, action)
      return .state
    }
    .scope(state: \.self, action: \.own, embed: { $0 }) { LinksInteractor(links: Doubles()) }
  }
}

package struct PlantedSignIn: Interactor {
  package typealias State = SignInInteractor.State
  package typealias Action = SignInInteractor.Action

  private let mistake: @Sendable (inout State, Action) -> Void

  package init(_ mistake: @escaping @Sendable (inout State, Action) -> Void) {
    self.mistake = mistake
  }

  package var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { [mistake] state, action in
      mistake(&state, action)
      return .state
    }
    .scope(state: \.self, action: \.own, embed: { $0 }) { SignInInteractor(account: Doubles()) }
  }
}

extension SearchInteractor.Action {
  fileprivate var own: Self? { self }
}
extension FeedbackInteractor.Action {
  fileprivate var own: Self? { self }
}
extension LinksInteractor.Action {
  fileprivate var own: Self? { self }
}
extension SignInInteractor.Action {
  fileprivate var own: Self? { self }
}

/// Services that answer at once.
private struct Doubles: SearchRepositoryProtocol, FeedbackServiceProtocol, LinkRepositoryProtocol,
  AccountServiceProtocol
{
  func activities(matching text: String) -> AsyncThrowingStream<[Activity], any Error> {
    AsyncThrowingStream {
      if text == "storm" {
        $0.finish(throwing: ActivityError.deleted)
      } else {
        $0.yield([])
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
