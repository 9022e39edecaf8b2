import Causeway
import CausewayTesting
import TestSupport
import Testing

/// A child that checks that everything it receives belongs to it.
private struct Probe: Interactor {
  struct State: Equatable, Sendable, Identifiable {
    var id = 0
    /// The number of the child among all children.
    ///
    /// A later child with the same id has another number.
    let number: Int
    var marks = 0
  }

  enum Action: Sendable {
    case start(Kind)
    case mark(number: Int)
  }

  enum Kind: CaseIterable {
    case update, latest, sequence, group, failure, delayed, throttled, limited, serial, stream
    case action, dismiss, cancel
  }

  /// Records each child that has received an update or an action of another child.
  let strays: Log<String>

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State(number: 0)) { [strays] state, action in
      switch action {
      case .mark(let number):
        Self.mark(&state, number, strays)
        return .state
      case .start(let kind):
        return Self.emission(kind, state.number, strays)
      }
    }
  }

  private struct Problem: Error {}

  private static func mark(_ state: inout State, _ number: Int, _ strays: Log<String>) {
    state.marks += 1
    if state.number != number { strays.append("child \(state.number) received from \(number)") }
  }

  private static func emission(
    _ kind: Kind, _ number: Int, _ strays: Log<String>
  ) -> Emission<State, Action> {
    let work: Emission<State, Action>.EffectWork = { send in
      await suspensionPoint()
      await send { mark(&$0, number, strays) }
      await send(.mark(number: number))
    }
    return switch kind {
    case .update: .perform(work)
    case .latest: .perform(.latest, id: "latest", work)
    case .sequence: .sequence(.perform(work), .action(.mark(number: number)), .perform(work))
    case .group:
      .sequence(
        .latest, id: "group", .merge(.perform(.latest, id: "latest", work), .perform(work)),
        .action(.mark(number: number)), .perform(.serial, id: "serial", work))
    case .failure:
      .perform(.first, id: "failure") { _ in
        await suspensionPoint()
        throw Problem()
      } catch: { state, _ in
        mark(&state, number, strays)
        return .sequence(.perform(work), .action(.mark(number: number)))
      }
    case .delayed: .perform(.debounce(for: .seconds(1)), id: "delayed", work)
    case .throttled: .perform(.throttle(for: .seconds(1), latest: true), id: "throttled", work)
    case .limited: .perform(.limited(to: 2), id: "limited", work)
    case .serial: .perform(.serial, id: "serial", work)
    case .stream:
      .observe(
        AsyncStream { continuation in
          for _ in 0..<3 { continuation.yield(number) }
          continuation.finish()
        }
      ) { state, number in mark(&state, number, strays) }
    case .action: .action(.mark(number: number))
    case .dismiss:
      .perform { send in
        await suspensionPoint()
        await send.dismiss()
      }
    case .cancel: .merge(.cancel("group"), .cancel("latest"), .cancel("serial"))
    }
  }
}

/// A parent that shows, replaces and removes children in every kind of composition.
private struct Parent: Interactor {
  enum Page: Sendable {
    case none
    case probe(Probe.State)

    var probe: Probe.State? { if case .probe(let probe) = self { probe } else { nil } }
  }

  struct State: Sendable {
    var created = 0
    var sheet: Probe.State?
    var page = Page.none
    var rows: IdentifiedArray<Int, Probe.State> = []
    var path: ScreenPath<Probe.State> = []

    mutating func make(id: Int = 0) -> Probe.State {
      created += 1
      return Probe.State(id: id, number: created)
    }
  }

  enum Action: Sendable {
    case toggleSheet, togglePage, toggleRow(Int), toggleScreen(Int)
    /// Replaces a child by a child with another id.
    case replaceSheet, replacePage, replacePath
    case clear
    case sheet(Probe.Action)
    case page(Probe.Action)
    case row(Int, Probe.Action)
    case path(PathAction<Probe.State, Probe.Action>)

    var sheet: Probe.Action? { if case .sheet(let action) = self { action } else { nil } }
    var page: Probe.Action? { if case .page(let action) = self { action } else { nil } }
    var row: (Int, Probe.Action)? {
      if case .row(let id, let action) = self { (id, action) } else { nil }
    }
    var path: PathAction<Probe.State, Probe.Action>? {
      if case .path(let action) = self { action } else { nil }
    }
  }

  let strays: Log<String>

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      switch action {
      case .toggleSheet: state.sheet = state.sheet == nil ? state.make() : nil
      case .replaceSheet: state.sheet = state.make(id: (state.sheet?.id ?? 0) + 1)
      case .togglePage: state.page = state.page.probe == nil ? .probe(state.make()) : .none
      case .replacePage: state.page = .probe(state.make(id: (state.page.probe?.id ?? 0) + 1))
      case .toggleRow(let id):
        if state.rows.remove(id: id) == nil { state.rows.updateOrAppend(state.make(id: id)) }
      case .toggleScreen(let id):
        if state.path.pop() == nil { state.path.push(state.make(id: id)) }
      case .replacePath:
        let id = (state.path.last?.id ?? 0) + 1
        state.path = [state.make(id: id), state.make(id: id)]
      case .clear:
        let created = state.created
        state = State(created: created)
      case .sheet, .page, .row, .path: break
      }
      return .state
    }
    .ifLet(\.sheet, action: \.sheet, embed: Action.sheet) { Probe(strays: strays) }
    .scope(state: \.page, action: \.page, embed: Action.page) {
      Interact<Page, Probe.Action>(initialValue: .none)
        .ifCase(\.probe, embed: Page.probe, action: \.self, embed: { $0 }) { Probe(strays: strays) }
    }
    .forEach(\.rows, action: \.row, embed: Action.row) { Probe(strays: strays) }
    .screens(\.path, action: \.path, embed: Action.path) { Probe(strays: strays) }
  }
}

@MainActor
@Suite(.timeLimit(.minutes(10))) struct StrayEffectTests {
  private struct Stray: Error {
    let texts: [String]
  }

  /// A random script in which children are started, removed and replaced.
  private func script(_ random: inout SeededRandom) -> TrialScript<Parent.Action> {
    var script = TrialScript<Parent.Action>([])
    for _ in 0..<14 {
      let id = Int.random(in: 0..<2, using: &random)
      let start = Probe.Action.start(Probe.Kind.allCases.randomElement(using: &random) ?? .update)
      let actions: [Parent.Action] = [
        .toggleSheet, .togglePage, .toggleRow(id), .toggleScreen(id), .replaceSheet, .replacePage,
        .replacePath, .clear,
      ]
      let starts: [Parent.Action] = [
        .sheet(start), .page(start), .row(id, start), .path(.screen(ScreenID(id), start)),
        .path(.screen(ScreenID(id + 1, copy: 1), start)),
      ]
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        script = script + TrialScript(actions.randomElement(using: &random).map { [$0] } ?? [])
      case 4: script = script + .wait(.seconds(1))
      default:
        script = script + TrialScript(starts.randomElement(using: &random).map { [$0] } ?? [])
      }
    }
    return script
  }

  @Test(arguments: 0..<4)
  func `a child receives nothing from the effects of earlier children in its place`(seed: Int)
    async
  {
    var random = SeededRandom(seed: UInt64(seed))
    for _ in 0..<25 {
      let result = await exploreInterleavings(
        in: { Log<String>() }, of: { Parent(strays: $0) }, script: script(&random), trials: 6,
        options: ExplorationOptions(allowsVacuousTrials: true)
      ) { _, strays in
        if !strays.all.isEmpty { throw Stray(texts: strays.all) }
      }
      if result.failure != nil { return }
    }
  }
}
