import Causeway
import CausewayTesting
import Testing

// snippet
struct Feed: Interactor {
  struct Post: Identifiable, Equatable, Sendable {
    let id: Int
  }

  struct State: Equatable, Sendable {
    var posts = Paginated<Post, Int>(first: 0)
    var author = Loadable<String>()
  }

  enum Action: Sendable {
    case open, reachedEnd, refresh, stop
  }

  let author: @Sendable () async throws -> String
  let page: @Sendable (_ cursor: Int) async throws -> (posts: [Post], next: Int?)

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { [author, page] state, action in
      switch action {
      case .open:
        state.author.begin()
        return .perform(.latest, id: "author") { send in
          let name = try await author()
          await send { $0.author.finish(name) }
        } catch: { state, error in
          state.author.fail(error)
        }
      case .reachedEnd:
        guard let cursor = state.posts.beginNextPage() else { return .state }
        return .perform(.latest, id: "posts") { send in
          let loaded = try await page(cursor)
          await send { $0.posts.append(loaded.posts, next: loaded.next) }
        } catch: { state, error in
          state.posts.fail(error)
        }
      case .refresh:
        let cursor = state.posts.beginRefresh()
        return .perform(.latest, id: "posts") { send in
          let loaded = try await page(cursor)
          await send { $0.posts.replace(with: loaded.posts, next: loaded.next) }
        } catch: { state, error in
          state.posts.fail(error)
        }
      case .stop:
        state.author.cancel()
        state.posts.cancel()
        return .merge(.cancel("author"), .cancel("posts"))
      }
    }
  }
}
// end

@MainActor
@Suite(.timeLimit(.minutes(10))) struct FeedTests {
  private func feed() -> Feed {
    Feed(
      author: { "Ada" },
      page: { cursor in
        await suspensionPoint()
        return ([Feed.Post(id: cursor)], cursor + 1)
      })
  }

  @Test func `a refresh replaces the list, in every order of the loads`() async {
    let result = await exploreInterleavings(
      of: feed(), script: [.reachedEnd, .reachedEnd, .refresh, .reachedEnd], trials: 200
    ) { state in
      // A page that was requested before the refresh would come first or twice.
      #expect(state.posts.elements.ids == Array(0..<state.posts.elements.count))
      #expect(!state.posts.isLoading)
    }
    #expect(!result.hasFailed)
  }

  @Test func `a cancelled load can be repeated`() {
    let model = ViewModel(feed())
    model.send(.open)
    model.send(.reachedEnd)
    #expect(model.posts.isLoading && model.author.isLoading)
    model.send(.stop)
    #expect(model.posts.phase == .idle && model.author.phase == .idle)
    #expect(model.runningEffects.isEmpty)
    model.send(.reachedEnd)
    #expect(model.posts.isLoading)
  }
}
