import Causeway
import TestSupport
import Testing

#if DEBUG
  /// Actions that start effects from one call without an id.
  @MainActor
  struct SharedCallTests {
    private struct Shelf: Interactor {
      struct State: Sendable {
        var query = ""
      }

      enum Action: Sendable {
        case users, posts, named, edit(String), open, again
        indirect case inner(Int, Action)
      }

      let gate: Gate

      private func load(_ id: String? = nil) -> Emission<State, Action> {
        .perform(.latest, id: id) { [gate] _ in await gate.wait() }
      }

      var body: some InteractorOf<Self> {
        Interact(initialValue: State()) { state, action in
          switch action {
          case .users, .posts: return load()
          case .inner: return load()
          case .named: return load("load")
          case .again: return .action(.users)
          case .open:
            state.query = "open"
            return .state
          case .edit(let query):
            state.query = query
            return .state
          }
        }
        .onChange(of: \.query) { [gate] _, _ in
          .perform(.latest) { _ in await gate.wait() }
        }
      }
    }

    /// The findings after some actions.
    private func findings(_ actions: [Shelf.Action]) async -> [String] {
      let errors = Log<String>()
      let gate = Gate()
      let model = ViewModel(Shelf(gate: gate), onError: { errors.append("\($0)") })
      let tasks = actions.map { model.send($0) }
      gate.open()
      for task in tasks { await task.finish() }
      return errors.all
    }

    @Test func `an effect that cancels the effect of another action is reported once`() async {
      let findings = await findings([.users, .posts, .users, .posts])
      #expect(findings.count == 1)
      #expect(
        findings.first?.contains("of the action users was cancelled, because the action posts")
          == true)
      #expect(findings.first?.contains("SharedCallTests.swift:") == true)
    }

    @Test func `actions of children are named by their cases`() async {
      let findings = await findings([.inner(1, .users), .inner(2, .users), .inner(1, .posts)])
      #expect(findings.count == 1)
      #expect(findings.first?.contains("because the action inner.posts has started") == true)
    }

    @Test func `effects of the same action, with an id, or of changes are not reported`() async {
      #expect(await findings([.users, .users, .again]) == [])
      #expect(await findings([.named, .posts, .named]) == [])
      #expect(await findings([.edit("a"), .open, .edit("b")]) == [])
    }
  }
#endif
