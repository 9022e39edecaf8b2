public import Causeway

/// A view state that many sessions show, reduced and encoded once for all of them.
///
/// Put the parts that are the same for all people into one view model, and the parts that belong to
/// one person into the view model of the page:
///
///     let board = try SharedState("board", of: ViewModel(BoardInteractor()))
///     server.page("/", template, sharing: { _ in board }) { session in
///       ViewModel(VisitorInteractor(person: session.browser))
///     }
///
/// The page reads the shared view state as a member of its own view state, here with paths such as
/// `board.title`. After a change, the server sends the same bytes to all pages. A change that
/// happens while earlier ones are still being sent is sent together with the next one. From 50 open
/// pages on, the server waits after each change before it sends the next one. It waits four times
/// as long as the previous change took to reach all pages, but at least 40 and at most 400
/// microseconds for each page, and never more than half a second. So frequent changes leave time
/// for other work. With 500 pages, changes arrive at most 20 to 200 milliseconds later.
///
/// It keeps the view model alive. Make it on the main actor; use it from any isolation. Changes are
/// encoded off the main actor.
public final class SharedState: Sendable {
  let broadcast: StateBroadcast
  private let model: any AnyObject & Sendable
  private let following: Task<Void, Never>

  /// Follows a view model.
  ///
  /// Throws the error of the first view state's `encode(to:)`. Complexity: O(n) in the size of the
  /// view state.
  ///
  /// - Parameters:
  ///   - name: The member of the page's view state. The view state of the page itself must not have
  ///     a member with this name.
  ///   - model: The view model.
  ///   - reportError: Receives the error if a later view state cannot be encoded. The pages then
  ///     keep the last view state that could be encoded. Called on any thread; the default prints
  ///     the error.
  @MainActor
  public init<ViewState: Encodable & Sendable, Action>(
    _ name: String, of model: ViewModel<ViewState, Action>,
    reportError: (@Sendable (any Error) -> Void)? = nil
  ) throws {
    let broadcast = StateBroadcast(name: name, first: try JSONValue(encoding: model.viewState))
    self.broadcast = broadcast
    self.model = model
    let states = model.states
    following = Task {
      await Self.follow(states, broadcast, reportError ?? ServerLog.standard.error)
    }
  }

  deinit { following.cancel() }

  @concurrent private static func follow<ViewState: Encodable & Sendable>(
    _ states: ViewStates<ViewState>, _ broadcast: StateBroadcast,
    _ reportError: @Sendable (any Error) -> Void
  ) async {
    let encoder = StateEncoder()
    for await state in states {
      do {
        broadcast.publish(try encoder.encode(state))
      } catch {
        reportError(error)
      }
      // Changes during the pause are sent together. If there are none, the next change is sent at
      // once.
      let pause = broadcast.pause
      if pause > .zero { try? await Task.sleep(for: pause) }
    }
  }
}

/// The view state of a page and the state that it shares have a member with the same name.
struct SharedNameTaken: Error, CustomStringConvertible {
  let name: String
  var description: String {
    "The page's view state must be an object without the member \"\(name)\", which is the name of "
      + "its shared state."
  }
}
