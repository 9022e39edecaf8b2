import Causeway

/// The feature of the inspector's page: a list of events, and the state at the selected one.
struct Timeline: Interactor {
  enum Action: Sendable {
    case appear
    /// The store has new events.
    case changed
    case refresh
    case found(EventSearch.Result, models: [String], TimelineSource)
    case opened(Detail, select: RecordedEvent?, TimelineSource)
    /// The page of the app is at an address; `nil` if it cannot be shown.
    case showed(String?)
    /// A second model continues; it has a page at an address if the app's page is shown.
    case forked(String, page: String?)
    /// Other orders were tried; `nil` if the steps are not kept.
    case triedOrders(FoundOrders?)
    case page(PageAction)
  }

  /// The actions that the page can send.
  enum PageAction: Codable, Sendable {
    case scroll(to: Int)
    case select(Int)
    /// Selects the event some rows after the selected one.
    case move(by: Int)
    case first, present
    case search(String)
    case toggleLane(String)
    case show(model: String)
    case pause
    case close
    case toggleLine(String)
    /// Shows the selected model at another step.
    case travel(to: Int)
    /// Shows the state to which the other steps lead without the selected step.
    case without
    case fork
    case orders(OrderAction)
    /// Shows the page of the app at the selected step, or hides it.
    case togglePage
    /// Shows a recording that was uploaded.
    case open(String)
    /// Shows the program again.
    case leave
  }

  /// The actions about other orders of the steps after the selected step.
  enum OrderAction: Codable, Sendable {
    case start
    /// Stops the search, and hides its results.
    case stop
    /// Makes a second model that continues from the end of an order.
    case goOn(from: Int)
    /// Writes a test that repeats an order.
    case writeTest(of: Int)
  }

  /// The program of the page's server.
  let program: TimelineSource
  let recordings: OpenedRecordings

  init(_ inspector: Inspector, _ recordings: OpenedRecordings = OpenedRecordings()) {
    program = TimelineSource(inspector)
    self.recordings = recordings
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State(program)) { state, action in
      switch action {
      case .appear:
        return .merge(refresh(state), observe(state.source))
      case .changed:
        return state.isPaused ? .state : follow()
      case .refresh:
        return refresh(state)
      case .found(let result, let models, let source):
        if source == state.source { show(result, models, &state) }
      case .opened(let detail, let event, let source):
        guard source == state.source else { return .state }
        let isSame = state.detail?.model == detail.model && state.detail?.step == detail.step
        let stop = isSame ? .state : stopTrying(&state)
        state.detail = detail
        if let event { select(event.n, &state) }
        let emission = Emission<State, Action>.merge(stop, showPage(&state))
        guard let event else { return emission }
        if state.rows.contains(where: \.isSelected) { return emission }
        return .merge(emission, refresh(state, anchor: event.n))
      case .showed(let address):
        state.page = address
      case .forked(let sentence, let address):
        state.notice = sentence
        state.page = address ?? state.page
      case .triedOrders(let found):
        show(found, &state)
      case .page(let action):
        return handle(action, &state)
      }
      return .state
    }
  }

  private func handle(_ action: PageAction, _ state: inout State) -> Emission<State, Action> {
    state.notice = nil
    switch action {
    case .scroll(let first):
      state.query.first = first
      state.isFollowing = false
    case .present:
      state.query.first = nil
      state.isFollowing = true
      state.isPaused = false
      state.query.newest = nil
      return .merge(close(&state), refresh(state))
    case .first:
      state.query.first = 0
      state.isFollowing = false
    case .search(let text):
      state.search = text
      state.query.text = text.trimmed
    case .toggleLane(let name):
      guard let lane = InspectorLane(rawValue: name),
        let index = state.lanes.firstIndex(where: { $0.id == name })
      else { return .state }
      state.lanes[index].isShown.toggle()
      state.query.lanes.formSymmetricDifference([lane])
    case .show(let model):
      state.model = model
      state.query.model = model.isEmpty ? nil : model
    case .pause:
      state.isPaused.toggle()
      state.query.newest = state.isPaused ? state.newest : nil
    case .close:
      return .merge(close(&state), refresh(state))
    case .open(let id):
      guard let source = recordings.source(id) else {
        state.notice = "The recording is not kept any more. Drop its file again."
        return .state
      }
      return change(to: source, &state)
    case .leave:
      return change(to: program, &state)
    case .togglePage:
      state.showsPage.toggle()
      return showPage(&state)
    case .select, .move, .travel, .without, .fork, .toggleLine:
      return look(action, &state)
    case .orders(let action):
      return tryOrders(action, &state)
    }
    return refresh(state)
  }

  /// Shows another source from its end; the lanes stay as the user has chosen them.
  private func change(
    to source: TimelineSource, _ state: inout State
  ) -> Emission<State, Action> {
    var next = State(source)
    (next.lanes, next.query.lanes) = (state.lanes, state.query.lanes)
    state = next
    return .merge(.cancel("detail"), stopTrying(&state), refresh(state), observe(source))
  }

  private func close(_ state: inout State) -> Emission<State, Action> {
    state.selected = nil
    state.selectedIndex = -1
    state.detail = nil
    state.page = nil
    for index in state.rows.indices { state.rows[index].isSelected = false }
    return stopTrying(&state)
  }

  private func select(_ number: Int, _ state: inout State) {
    state.selected = number
    for index in state.rows.indices {
      state.rows[index].isSelected = state.rows[index].id == number
      if state.rows[index].isSelected { state.selectedIndex = state.first + index }
    }
  }

  private func show(
    _ result: EventSearch.Result, _ models: [String], _ state: inout State
  ) {
    // The user has asked for something else in the meantime.
    var asked = state.query
    asked.anchor = result.query.anchor
    guard asked == result.query else { return }
    state.total = result.total
    state.all = result.all
    state.newest = result.newest
    state.first = result.first
    state.rows = result.events.map { Row($0, isSelected: $0.n == state.selected) }
    if let anchor = result.anchor {
      // Without following, the list stays where the anchor is.
      state.query.first = result.first
      state.isFollowing = false
      state.selectedIndex = anchor
    }
    let models = models.map { Model(id: $0) }
    if models != state.models { state.models = models }
  }
}

// Effects.
extension Timeline {
  private func observe(_ source: TimelineSource) -> Emission<State, Action> {
    .observe(id: "changes") { [store = source.inspector.store] _, send in
      for await _ in store.changes() { await send(.changed) }
    }
  }

  /// Shows new events, at most ten times a second.
  private func follow() -> Emission<State, Action> {
    .perform(.throttle(for: .milliseconds(100), latest: true), id: "follow") { send in
      await send(.refresh)
    }
  }

  /// Finds the events of the state's query.
  func refresh(_ state: State, anchor: Int? = nil) -> Emission<State, Action> {
    var query = state.query
    query.anchor = anchor
    return .perform(.latest, id: "refresh") { [source = state.source, query] send in
      let result = await source.events.run(query)
      let models = await source.inspector.recordedModels + source.inspector.models.names
      await send(.found(result, models: models, source))
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
