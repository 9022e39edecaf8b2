import Causeway
import Foundation
import Observation
import TestSupport
import Testing

/// States whose values have unusual sizes and alignments.
///
/// AddressSanitizer finds a copy that is larger than its memory.
@MainActor
struct LayoutTests {
  /// Its size is 24 bytes, and its stride 32.
  nonisolated struct Aligned: Equatable, Sendable {
    var vector: SIMD4<Float>
    var number: Double
  }

  /// Its size is 9 bytes, and its stride 16.
  nonisolated struct Flagged: Equatable, Sendable {
    var number: Int64
    var isOn: Bool
  }

  nonisolated struct Empty: Equatable, Sendable {}

  /// Its size is 8 bytes, and its stride 16.
  @_alignment(16)
  nonisolated struct OverAligned: Equatable, Sendable {
    var number: Int
  }

  nonisolated enum Payload: Equatable, Sendable {
    case none
    case vector(Aligned)
    indirect case text(String, Int8)
  }

  nonisolated final class Owner: Sendable {}

  /// Moving it in memory is not a plain copy.
  nonisolated struct Unmovable: Equatable, Sendable {
    weak let owner: Owner?
    var number: Int8

    static func == (left: Unmovable, right: Unmovable) -> Bool {
      left.owner === right.owner && left.number == right.number
    }
  }

  /// A child's state, between two small fields.
  nonisolated struct Part<Value: Equatable & Sendable>: Equatable, Sendable, Identifiable {
    var id: UInt8
    var value: Value
    var end: UInt8 = 7
  }

  nonisolated enum Page<Value: Equatable & Sendable>: Equatable, Sendable {
    case empty
    case part(Part<Value>)

    var part: Part<Value>? { if case .part(let part) = self { part } else { nil } }
  }

  nonisolated struct State<Value: Equatable & Sendable>: Equatable, Sendable {
    var start: UInt8 = 1
    var value: Value
    var part: Part<Value>
    var sheet: Part<Value>?
    var page: Page<Value>
    var rows: IdentifiedArray<UInt8, Part<Value>>
    var path: ScreenPath<Part<Value>>
    var changes = 0
    /// The last field; no field is behind it.
    var last: Value

    init(_ value: Value) {
      self.value = value
      part = Part(id: 0, value: value)
      sheet = Part(id: 1, value: value)
      page = .part(Part(id: 2, value: value))
      rows = [Part(id: 3, value: value), Part(id: 4, value: value)]
      path = [Part(id: 5, value: value)]
      last = value
    }
  }

  nonisolated enum Action<Value: Equatable & Sendable>: Sendable {
    case set(Value)
    case part(Value)
    case sheet(Value)
    case page(Value)
    case row(UInt8, Value)
    case path(PathAction<Part<Value>, Value>)
    case close

    var part: Value? { if case .part(let value) = self { value } else { nil } }
    var sheet: Value? { if case .sheet(let value) = self { value } else { nil } }
    var page: Value? { if case .page(let value) = self { value } else { nil } }
    var row: (UInt8, Value)? { if case .row(let id, let value) = self { (id, value) } else { nil } }
    var path: PathAction<Part<Value>, Value>? {
      if case .path(let action) = self { action } else { nil }
    }
  }

  struct Feature<Value: Equatable & Sendable>: Interactor {
    typealias State = LayoutTests.State<Value>
    typealias Action = LayoutTests.Action<Value>
    let value: Value

    private var child: some Interactor<Part<Value>, Value> {
      Interact<Part<Value>, Value>(initialValue: Part(id: 0, value: value)) { state, value in
        state.value = value
        return .perform { send in await send { $0.end &+= 1 } }
      }
    }

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: State(value)) { state, action in
        switch action {
        case .set(let value): (state.value, state.last) = (value, value)
        case .close:
          state.sheet = nil
          state.page = .empty
          state.rows.remove(id: 3)
          state.path.popToRoot()
        default: break
        }
        return .state
      }
      .scope(state: \.part, action: \.part, embed: Action.part) { child }
      .ifLet(\.sheet, action: \.sheet, embed: Action.sheet) { child }
      .scope(state: \.page, action: \.page, embed: Action.page) {
        Interact<Page<Value>, Value>(initialValue: .empty)
          .ifCase(\.part, embed: Page.part, action: { $0 }, embed: { $0 }) { child }
      }
      .forEach(\.rows, action: \.row, embed: Action.row) { child }
      .screens(\.path, action: \.path, embed: Action.path) { child }
      .onChange(of: \.last) { state, _ in
        state.changes += 1
        return .state
      }
      .onChange(of: { ($0.value, $0.rows.count) }) { state, _, _ in
        state.changes += 1
        return .state
      }
    }
  }

  private typealias Model<Value: Equatable & Sendable> = ViewModel<Part<Value>, Value>

  /// Reads, observes, changes and removes a value at each place of a state.
  private func check<Value: Equatable & Sendable>(_ old: Value, _ new: Value) async throws {
    let isChange = old != new
    let model = ViewModel(Feature(value: old))
    var states = model.states.makeAsyncIterator()
    #expect(await states.next() == State(old))
    let children = try [
      model.scope(state: \.part, action: Action.part),
      #require(model.scope(state: \.sheet, action: Action.sheet)),
      #require(model.scope(state: \.page.part, action: Action.page)),
      #require(model.scope(state: \.rows, id: 3, action: Action.row)),
      #require(model.screen(\.path, id: ScreenID(5), action: Action.path)),
    ]
    let views = [TestView { _ = model.value }, TestView { _ = model.last }]
    let childViews = children.map { child in
      (TestView { _ = child.value }, TestView { _ = (child.viewState, child.end) })
    }
    for _ in 0..<2 {
      model.send(.set(new))
      #expect(model.value == new && model.last == new)
      #expect(views.allSatisfy { $0.isInvalid == isChange })
      for view in views { view.render() }
      model.send(.set(new))
      #expect(views.allSatisfy { !$0.isInvalid })
      for (child, view) in zip(children, childViews) {
        await child.send(new).finish()
        #expect(child.value == new && child.viewState.value == new && child.end == 8)
        #expect(view.0.isInvalid == isChange && view.1.isInvalid)
        view.0.render()
        view.1.render()
        await child.send(old).finish()
        #expect(child.value == old && child.end == 9)
        await child.send(new).finish()
        view.0.render()
        view.1.render()
        #expect(child.value == new && child.viewState.end == 10)
        model.send(.set(new))
      }
      break
    }
    #expect(model.changes == (isChange ? 2 : 0))
    model.send(.close)
    #expect(children.allSatisfy { $0.value == new && $0.end == 10 && $0.viewState.value == new })
    #expect(childViews.allSatisfy { !$0.0.isInvalid })
    #expect(await states.next()?.rows.count == 1)
  }

  @Test func `a value with padding behind it is copied within its memory`() async throws {
    #expect(MemoryLayout<Aligned>.size == 24 && MemoryLayout<Aligned>.stride == 32)
    try await check(
      Aligned(vector: [1, 2, 3, 4], number: 5), Aligned(vector: [1, 2, 3, 4], number: 6))
    try await check(Flagged(number: 1, isOn: true), Flagged(number: 1, isOn: false))
  }

  @Test func `a value with a large alignment is copied to aligned memory`() async throws {
    #expect(MemoryLayout<SIMD4<Float>>.alignment == 16)
    try await check(SIMD4<Float>(repeating: 1), SIMD4<Float>(repeating: 2))
    #expect(MemoryLayout<OverAligned>.size == 8 && MemoryLayout<OverAligned>.alignment == 16)
    try await check(OverAligned(number: 1), OverAligned(number: 2))
  }

  @Test func `a value without bytes is never different`() async throws {
    try await check(Empty(), Empty())
  }

  @Test func `an enum is copied with its payload in each case`() async throws {
    let vector = Payload.vector(Aligned(vector: .zero, number: 1))
    try await check(Payload.none, vector)
    try await check(vector, .text("a text that is too long to be stored in place", 1))
    try await check(Payload.text("a", 1), .none)
    try await check(Optional(vector), nil)
  }

  @Test func `a value that is not moved by copying its bytes stays valid`() async throws {
    let (first, second) = (Owner(), Owner())
    try await check(Unmovable(owner: first, number: 1), Unmovable(owner: second, number: 1))
    withExtendedLifetime((first, second)) {}
  }

  @Test func `values of another library are copied like values of this module`() async throws {
    let address = try #require(URL(string: "https://example.com/a/long/path?query=1"))
    try await check(address, address.appending(path: "b"))
    try await check(Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2))
    try await check(Decimal(1), Decimal(2))
    try await check(AttributedString("a"), AttributedString("b"))
  }
}
