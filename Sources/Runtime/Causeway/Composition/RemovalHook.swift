/// Calls a handler with the last state of each child that a step removes.
@MainActor
@usableFromInline
struct RemovalHook<State: Sendable, Action: Sendable> {
  @usableFromInline typealias Handler<Child> =
    @MainActor (inout State, Child) -> Emission<State, Action>
  private typealias Place = UnsafeMutablePointer<State>

  private let watch: @MainActor (Place, () -> Emission<State, Action>) -> Emission<State, Action>

  /// Performs a part of a step, and calls the handler for the children that the part has removed.
  @usableFromInline
  func around(
    _ state: UnsafeMutablePointer<State>, _ body: () -> Emission<State, Action>
  ) -> Emission<State, Action> {
    watch(state, body)
  }

  /// Watches a child that may be missing; `nil` without a handler.
  @usableFromInline
  init?<Child>(_ part: OptionalPart<State, Child>, _ handler: Handler<Child>?) {
    guard let handler else { return nil }
    let identity = PartIdentity<Child>()
    watch = { state, body in
      guard let last = part.look(state, { $0.pointee }) else { return body() }
      let id = identity?.id(of: last)
      let emission = body()
      let isThere = part.look(state) { identity?($0) == id } ?? false
      return isThere ? emission : .both(emission, handler(&state.pointee, last).ofChange)
    }
  }

  /// Watches the rows of an array, or the screens of a path; `nil` without a handler.
  ///
  /// - Parameters:
  ///   - isSame: Whether a row and a later row with the same id are the same.
  ///   - fromEnd: Whether the last row is the first to go, as in a path.
  @usableFromInline
  init?<ID, Row>(
    _ rows: StatePart<State, IdentifiedArray<ID, Row>>, fromEnd: Bool = false,
    isSame: @escaping (Row, Row) -> Bool = { _, _ in true },
    _ handler: Handler<Row>?
  ) {
    guard let handler else { return nil }
    watch = { state, body in
      var last = rows.look(state) { $0.pointee }
      var emission = body()
      while true {
        let gone = rows.look(state) { Self.rows(of: last, notIn: $0.pointee, isSame) }
        if gone.isEmpty { return emission }
        last = rows.look(state) { $0.pointee }
        // The handler may remove further rows, for which it is called in the next round.
        for row in fromEnd ? gone.reversed() : gone {
          emission = .both(emission, handler(&state.pointee, row).ofChange)
        }
      }
    }
  }

  private static func rows<ID, Row>(
    of last: IdentifiedArray<ID, Row>, notIn current: IdentifiedArray<ID, Row>,
    _ isSame: (Row, Row) -> Bool
  ) -> [Row] {
    if last.changes.membership == current.changes.membership { return [] }
    return last.ids.compactMap { id in
      guard let row = last[id: id] else { return nil }
      return current[id: id].map { isSame(row, $0) } == true ? nil : row
    }
  }
}

extension ResolvedInteractor {
  /// Returns this interactor with a hook around its actions and updates.
  @usableFromInline
  func watched(by hook: RemovalHook<State, Action>?) -> ResolvedInteractor {
    guard let hook else { return self }
    let base = self
    return ResolvedInteractor(
      initial: initial,
      updater: { state, update in hook.around(state) { base.apply(update, to: state) } },
      exchange: exchange,
      handle: { state, action, values in
        hook.around(state) { base.handle(state, action, values) }
      })
  }
}
