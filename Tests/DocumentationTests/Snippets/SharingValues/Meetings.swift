import Causeway
import CausewayData
import CausewayTesting
import Testing

// snippet
struct Meeting: Codable, Equatable, Sendable, Identifiable {
  let id: Int
  var title: String
}

struct MeetingList: Interactor {
  struct State: Equatable, Sendable {
    var meetings: [Meeting] = []
    var detail: MeetingDetail.State?
  }

  enum Action: Sendable {
    case open(Meeting.ID)
    case close
    case detail(MeetingDetail.Action)

    var detail: MeetingDetail.Action? { if case .detail(let own) = self { own } else { nil } }
  }

  let meetings: SharedValue<[Meeting]>

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      switch action {
      case .open(let id): state.detail = MeetingDetail.State(id: id)
      case .close: state.detail = nil
      case .detail: break
      }
      return .state
    }
    .sharing(\.meetings, meetings)
    .ifLet(\.detail, action: \.detail, embed: Action.detail) { MeetingDetail(meetings: meetings) }
  }
}

struct MeetingDetail: Interactor {
  struct State: Equatable, Sendable, Identifiable {
    let id: Meeting.ID
    var meetings: [Meeting] = []

    var meeting: Meeting? { meetings.first { $0.id == id } }
  }

  enum Action: Sendable {
    case rename(String)
    case delete
  }

  let meetings: SharedValue<[Meeting]>

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State(id: 0)) { state, action in
      let id = state.id
      switch action {
      case .rename(let title):
        if let index = state.meetings.firstIndex(where: { $0.id == id }) {
          state.meetings[index].title = title
        }
        return .state
      case .delete:
        state.meetings.removeAll { $0.id == id }
        return .perform { send in await send.dismiss() }
      }
    }
    .sharing(\.meetings, meetings)
  }
}
// end

@MainActor struct MeetingTests {
  // snippet
  @Test func `a new title is in the list and in the detail`() async {
    let meetings = SharedValue([Meeting(id: 1, title: "Standup")])
    let model = TestModel(MeetingList(meetings: meetings))
    await model.send(.open(1)) {
      // The handler has not set the meetings of the detail.
      $0.detail = MeetingDetail.State(id: 1, meetings: [Meeting(id: 1, title: "Standup")])
    }
    await model.send(.detail(.rename("Retro"))) {
      $0.meetings[0].title = "Retro"
      $0.detail?.meetings[0].title = "Retro"
    }
    await model.finish()
  }
  // end

  // snippet
  @Test func `a meeting that the server removes is gone`() async {
    let meetings = SharedValue([Meeting(id: 1, title: "Standup")])
    let model = TestModel(MeetingList(meetings: meetings))
    meetings.value = []
    await model.expect(from: "sharing") { $0.meetings = [] }
    await model.finish()
  }
  // end

  @Test func `a deleted meeting is in neither`() async {
    let meetings = SharedValue([Meeting(id: 1, title: "Standup")])
    let model = TestModel(MeetingList(meetings: meetings), exhaustivity: .off)
    await model.send(.open(1))
    await model.send(.detail(.delete)) {
      $0.meetings = []
      $0.detail?.meetings = []
    }
    await model.expect { $0.detail = nil }
    await model.finish()
    #expect(meetings.value.isEmpty)
  }
}

@MainActor struct KeptMeetingTests {
  /// A backing of the stores of one test, which outlives them.
  private actor Memory: StoreBacking {
    private var values: [String: [Meeting]] = [:]
    func load() -> [String: [Meeting]] { values }
    func save(_ changes: StoreChanges<String, [Meeting]>) {
      values.merge(changes.updated) { $1 }
      for key in changes.removed { values[key] = nil }
    }
  }

  private func launch(_ backing: Memory) async throws -> (
    store: ObservableStore<String, [Meeting]>, meetings: SharedValue<[Meeting]>
  ) {
    // snippet
    let store = ObservableStore<String, [Meeting]>(backing: backing)
    try await store.waitUntilLoaded()
    let meetings = SharedValue([], load: { store["all"] }, save: { store["all"] = $0 })
    // end
    return (store, meetings)
  }

  @Test func `a change is there after a restart`() async throws {
    let backing = Memory()
    let first = try await launch(backing)
    let model = ViewModel(MeetingList(meetings: first.meetings))
    #expect(model.meetings == [])
    first.meetings.value = [Meeting(id: 1, title: "Standup")]
    model.send(.open(1))
    model.send(.detail(.rename("Retro")))
    try await first.store.close()
    let second = try await launch(backing)
    let again = ViewModel(MeetingList(meetings: second.meetings))
    #expect(again.meetings == [Meeting(id: 1, title: "Retro")])
    // What else removes the kept value, such as the end of a session, removes it here.
    second.store.removeAll()
    _ = await again.states.first { $0.meetings.isEmpty }
    #expect(second.meetings.value == [])
    try await second.store.close()
  }

  @Test func `a value that is loaded later does not replace a change`() async throws {
    let backing = Memory()
    let first = try await launch(backing)
    first.meetings.value = [Meeting(id: 1, title: "old")]
    try await first.store.close()
    let store = ObservableStore<String, [Meeting]>(backing: backing)
    let meetings = SharedValue([], load: { store["all"] }, save: { store["all"] = $0 })
    let model = ViewModel(MeetingList(meetings: meetings))
    meetings.value = [Meeting(id: 2, title: "new")]
    try await store.waitUntilLoaded()
    for _ in 0..<20 { await Task.yield() }
    #expect(model.meetings.map(\.title) == ["new"])
    try await store.close()
  }
}
