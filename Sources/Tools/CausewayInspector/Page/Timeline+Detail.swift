import Causeway

extension Timeline {
  /// The event or the step that a detail shows.
  fileprivate struct Subject: Sendable {
    var event: RecordedEvent?
    var model: String?
    var step: Int?
    var toggled: Set<String> = []
    var isWithout = false
  }

  /// Handles the actions that show an event and its states.
  func look(_ action: PageAction, _ state: inout State) -> Emission<State, Action> {
    let detail = state.detail
    switch action {
    case .select(let number):
      return open(state.source) { events in await events.event(number).map { Subject($0) } }
    case .move(let distance):
      let from = state.selected ?? state.rows.last.map { $0.id + 1 } ?? 0
      return open(state.source) { events in
        guard let next = await events.neighbour(of: from, by: distance) else { return nil }
        return await events.event(next).map { Subject($0) }
      }
    case .travel(let step):
      guard let model = detail?.model else { return .state }
      return open(state.source) { events in
        let event = await events.event(ofStep: step, in: model)
        return Subject(event: event, model: model, step: step)
      }
    case .without:
      guard let detail, let model = detail.model, let step = detail.step else { return .state }
      return open(state.source) { events in
        let event = await events.event(detail.event)
        return Subject(event: event, model: model, step: step, isWithout: true)
      }
    case .toggleLine(let line):
      guard var detail else { return .state }
      detail.toggled.formSymmetricDifference([line])
      state.detail = detail
      return open(state.source) { [detail] events in
        Subject(
          event: await events.event(detail.event), model: detail.model, step: detail.step,
          toggled: detail.toggled, isWithout: detail.isWithout)
      }
    case .fork:
      guard let detail, let model = detail.model, let step = detail.step else { return .state }
      return .perform(id: "fork") { [inspector = state.source.inspector, state] send in
        let fork = try await Self.fork(model, step, inspector, isShown: state.showsPage)
        await send(
          .forked(
            fork == nil
              ? "Step \(step) of \(model) is not kept any more."
              : "A second model goes on from step \(step) of \(model).", page: fork?.page))
      } catch: { state, error in
        state.notice = "The page of the app cannot be shown: \(error)"
      }
    case .scroll, .first, .present, .search, .toggleLane, .show, .pause, .close, .open, .leave,
      .togglePage, .orders:
      return .state
    }
  }

  private func open(
    _ source: TimelineSource, _ find: @escaping @Sendable (EventSearch) async -> Subject?
  ) -> Emission<State, Action> {
    .perform(.latest, id: "detail") { send in
      guard let subject = await find(source.events) else { return }
      let detail = await Self.detail(of: subject, source.inspector)
      await send(.opened(detail, select: subject.event, source))
    }
  }

  /// Renders the states off the main actor.
  @concurrent private static func detail(
    of subject: Subject, _ inspector: Inspector
  ) async -> Detail {
    let event = subject.event
    var detail = Detail(
      event: event?.n ?? 0, heading: event?.title ?? "step \(subject.step ?? 0)",
      value: event?.value, cause: event.flatMap { cause(of: $0) }, model: subject.model,
      step: subject.step, isWithout: subject.isWithout, toggled: subject.toggled)
    guard let name = subject.model, let step = subject.step else { return detail }
    let snapshot = await snapshot(of: name, step, subject.isWithout, inspector, &detail)
    guard let snapshot else {
      detail.lines = event?.changes?.map { StateTree.Line($0) } ?? []
      detail.explanation =
        step == 0
        ? "The model has not handled anything yet."
        : "The states of this step are not kept"
          + (detail.lines.isEmpty ? "." : ". These are the values that it has changed.")
      return detail
    }
    let (before, after) = (snapshot.before(), snapshot.after())
    detail.lines = StateTree.lines(before, after, toggled: subject.toggled)
    if subject.isWithout {
      detail.explanation =
        before == after
        ? "Without step \(step), the present would be the same."
        : "The present, and what the steps would have led to without step \(step)."
    } else if before == after {
      detail.explanation = "This step has changed nothing."
    }
    return detail
  }

  /// Makes a second view model; `nil` if the step is not kept.
  ///
  /// - Returns: The address of the app's page with the model, if it is shown.
  @MainActor private static func fork(
    _ name: String, _ step: Int, _ inspector: Inspector, isShown: Bool
  ) async throws -> (page: String?, isDone: Bool)? {
    guard let model = inspector.models.model(named: name), let fork = model.fork(at: step) else {
      return nil
    }
    let page = isShown ? try await inspector.appPages.host(fork, on: model.page) : nil
    return (page, true)
  }

  /// Shows the page of the app at the step of the detail, if the user wants it.
  func showPage(_ state: inout State) -> Emission<State, Action> {
    guard state.showsPage, let detail = state.detail, detail.hasPage, let name = detail.model,
      let step = detail.step
    else {
      state.page = nil
      return .cancel("page")
    }
    return .perform(.latest, id: "page") { [inspector = state.source.inspector] send in
      await send(.showed(try await Self.showPage(of: name, at: step, inspector)))
    } catch: { state, error in
      state.notice = "The page of the app cannot be shown: \(error)"
    }
  }

  @MainActor private static func showPage(
    of name: String, at step: Int, _ inspector: Inspector
  ) async throws -> String? {
    guard let model = inspector.models.model(named: name) else { return nil }
    return try await inspector.appPages.show(model, at: step)
  }

  /// Reads the data of a model, which belongs to the main actor.
  @MainActor private static func snapshot(
    of name: String, _ step: Int, _ isWithout: Bool, _ inspector: Inspector, _ detail: inout Detail
  ) -> StateSnapshot? {
    guard let model = inspector.models.model(named: name) else { return nil }
    detail.lastStep = model.lastStep
    detail.canFork = model.canFork && step > 0
    detail.hasPage = detail.canFork && model.page != nil
    return isWithout ? model.snapshot(without: step) : model.snapshot(at: step)
  }

  private nonisolated static func cause(of event: RecordedEvent) -> String? {
    var parts: [String] = []
    if let effect = event.effect, event.isStep { parts.append("sent by \(effect)") }
    if let took = event.tookText { parts.append("took \(took)") }
    if let origin = event.origin, origin != event.step { parts.append("started by step \(origin)") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension Timeline.Subject {
  fileprivate init(_ event: RecordedEvent) {
    self.init(event: event, model: event.model, step: event.step)
  }
}
