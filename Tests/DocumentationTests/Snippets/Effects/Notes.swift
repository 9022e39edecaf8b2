import Causeway

/// The dependencies of the notes: a store, a server with suggestions, and changes by other users.
struct NotesWorld: Sendable {
  var save: @Sendable (String) async throws -> Int
  var suggest: @Sendable (String) async throws -> [String]
  var changes: AsyncStream<String>
  var events: @Sendable () -> AsyncStream<String>
  /// Waits for a minute.
  var minute: @Sendable () async throws -> Void = {}
}

struct Notes: Interactor {
  struct State: Equatable, Sendable {
    var draft = ""
    var revision = 0
    var suggestions: [String] = []
    var log: [String] = []
    var isPaused = false
    var problem: String?
  }

  enum Action: Equatable, Sendable {
    case save
    case saved(Int)
    case edit(String)
    case clear
    case follow
    case listen
    case pause
    case rest
    case publish
    case open
    case reset
  }

  let world: NotesWorld

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [world] state, action in
      switch action {
      // snippet
      case .save:
        let draft = state.draft
        return .perform { [save = world.save] send in
          let revision = try await save(draft)
          await send { $0.revision = revision }
        }
      // end
      // snippet
      case .publish:
        let draft = state.draft
        return .perform(.serial, id: "save") { [save = world.save] send in
          let revision = try await save(draft)
          await send(.saved(revision))
        } catch: { state, error in
          state.problem = "Not saved: \(error)"
        }
      case .saved(let revision):
        state.revision = revision
        return .state
      // end
      // snippet
      case .edit(let draft):
        state.draft = draft
        return .perform(.debounce(for: .milliseconds(300)), id: "suggest") {
          [suggest = world.suggest] send in
          let suggestions = try await suggest(draft)
          await send { $0.suggestions = suggestions }
        }
      case .clear:
        state.draft = ""
        state.suggestions = []
        return .cancel("suggest")
      // end
      // snippet
      case .follow:
        return .observe(world.changes) { state, change in
          state.log.append(change)
        }
      // end
      // snippet
      case .listen:
        return .observe(id: "listen") { [events = world.events] currentState, send in
          for await event in events() {
            if await currentState.isPaused { continue }
            await send { $0.log.append(event) }
          }
        }
      // end
      case .pause:
        state.isPaused = true
        return .state
      // snippet
      case .rest:
        state.isPaused = true
        return .stay(.latest, id: "rest") { [minute = world.minute] send in
          try await minute()
          send { $0.isPaused = false }
        }
      // end
      // snippet
      case .open:
        return .sequence(
          .action(.publish),
          .merge(.action(.follow), .action(.listen)))
      // end
      case .reset:
        return .perform { send in await send(replacing: State()) }
      }
    }
  }
}
