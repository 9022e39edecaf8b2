import Foundation
import Testing

@testable import Causeway
@testable import CausewayInspector

@MainActor @Suite struct `An inspected model` {
  private func events(
    hiding redaction: Redaction<Search.State, Search.Action> = .init(),
    find: @escaping @Sendable (String) async throws -> [Search.Row] = { _ in [] },
    _ body: (ViewModel<Search.State, Search.Action>) async -> Void
  ) async throws -> [RecordedEvent] {
    let inspector = try Inspector()
    await body(
      ViewModel(Search(find: find), observer: .inspected(by: inspector, hiding: redaction)))
    return await inspector.recording().events
  }

  @Test func `records its first state, its actions, its effects and what they change`() async throws
  {
    let events = try await events(find: { [Search.Row(id: 1, title: $0)] }) {
      await $0.send(.updateQuery("a \"b\"")).finish()
    }
    #expect(events.map(\.kind) == [.model, .action, .requested, .began, .update, .ended])
    #expect(events.map(\.n) == [1, 2, 3, 4, 5, 6])
    #expect(events[0].title == "Search" && events[0].value?.hasPrefix("Search.State(") == true)
    #expect(events[1].value == #".updateQuery("a \"b\"")"#)
    #expect(events[1].title == "updateQuery" && events[1].step == 1 && events[1].origin == 1)
    let query = RecordedEvent.Change(path: "query", before: "\"\"", after: #""a \"b\"""#)
    #expect(events[1].changes == [query])
    #expect(events[4].effect == "search #1" && events[4].origin == 1)
    let rows = RecordedEvent.Change(
      path: "rows", before: "[]", after: #"[Search.Row(id: 1, title: "a \"b\"")]"#)
    #expect(events[4].changes == [rows])
  }

  @Test func `records errors and actions of handlers`() async throws {
    let events = try await events(find: { _ in throw Search.Refused() }) {
      await $0.send(.fail).finish()
    }
    #expect(events.filter(\.isStep).map(\.title) == ["fail", "updateQuery", "search #1 failed"])
    #expect(events.filter(\.isStep).map(\.origin) == [1, 1, 1])
  }

  @Test func `records no beginning of an effect after its end`() async throws {
    let inspector = try Inspector()
    let probe = ModelProbe<Int, Int>(inspector.queue, nil, "Lamp", RedactionRules(), nil)
    let watch = try #require(probe.observer.watch)
    for (number, isCancelledFirst) in [(1, false), (2, true)] {
      func observe(_ kind: EffectEvent.Kind) {
        probe.add(
          EffectEvent(
            kind: kind, number: number, id: "glow", place: EffectPlace("Lamp.swift", 1, 1), step: 0,
            policy: kind == .began ? .parallel : nil, isObservation: false, isFailure: false)
        )
      }
      observe(.began)
      if isCancelledFirst { observe(.cancelled) }
      watch.effectRan("glow", number)
      if !isCancelledFirst { observe(.cancelled) }
    }
    let kinds = await inspector.recording().events.map(\.kind)
    #expect(kinds == [.requested, .began, .cancelled, .requested, .cancelled])
  }

  @Test func `names changes inside of cases, optionals and rows`() async throws {
    let events = try await events {
      $0.send(.show(page: 1))
      $0.send(.show(page: 2))
      $0.send(.select(.init(id: 1, title: "a")))
      $0.send(.select(.init(id: 1, title: "b")))
    }
    let paths = events.compactMap { $0.changes?.map(\.path) }
    #expect(paths == [["stage"], ["stage(.shown).number"], ["rows"], ["rows[0].title"]])
  }

  @Test func `without an inspector has no observer`() {
    #expect(StepObserver<Search.State, Search.Action>.inspected(by: nil) == nil)
  }

  @Test func `gets a name of its own`() async throws {
    let inspector = try Inspector()
    for _ in 0..<2 {
      ViewModel(Search(), observer: .inspected(by: inspector)).send(.show(page: 1))
    }
    let names = await inspector.recording().events.filter { $0.kind == .model }.map(\.model)
    #expect(names == ["Search", "Search 2"])
  }

  @Test func `never shows values with names of secrets`() async throws {
    let events = try await events {
      $0.send(.signIn(.init(name: "ana", passphrase: "open-sesame")))
      $0.send(.signIn(.init(name: "ana", passphrase: "open-sesame-2")))
    }
    let text = String(decoding: try JSONEncoder().encode(events), as: UTF8.self)
    #expect(!text.contains("sesame") && text.contains("ana"))
    #expect(events.last?.changes?.map(\.path) == ["login?.passphrase"])
  }

  @Test func `hides key paths and actions`() async throws {
    let redaction = Redaction<Search.State, Search.Action>()
      .hiding(\.diary).hiding(\.login?.name).hiding(named: "write").hiding(named: "signIn")
    let events = try await events(hiding: redaction) {
      $0.send(.write(diary: "dear diary"))
      $0.send(.signIn(.init(name: "dear ana", passphrase: "x")))
      $0.send(.signIn(.init(name: "dear ben", passphrase: "x")))
    }
    let text = String(decoding: try JSONEncoder().encode(events), as: UTF8.self)
    #expect(!text.contains("dear"))
    #expect(
      events.compactMap(\.changes).flatMap { $0 }.map(\.path) == ["diary", "login", "login?.name"])
  }

  @Test func `reads a bounded part of a large state`() async throws {
    struct Wide: Interactor {
      struct State: Sendable { var numbers: [[Int]] = [] }
      var body: some Interactor<State, Int> {
        Interact(initialValue: State()) { state, count in
          state.numbers = Array(repeating: Array(0..<count), count: count)
          return .state
        }
      }
    }
    let inspector = try Inspector()
    ViewModel(Wide(), observer: .inspected(by: inspector)).send(2_000)
    let events = await inspector.recording().events
    #expect(events.first?.title == "`An inspected model`.Wide", "without the unknown function")
    let change = events.last?.changes?.first
    #expect((change?.after?.utf8.count ?? 0) < 10_000)
  }
}
