/// Functions that make the visits of children. They are not inlined; see ``SharedExchange``.
extension SharedExchange {
  /// Visits a child that always exists.
  @usableFromInline
  static func scope<Child, ChildAction>(
    _ part: StatePart<State, Child>, _ child: ResolvedInteractor<Child, ChildAction>
  ) -> SharedExchange? {
    guard let exchange = child.exchange else { return nil }
    return SharedExchange(
      visit: { state, step in
        step.exchange(
          look: { part.look(state) { exchange.visit($0, step) } },
          modify: { part.modify(state) { _ = exchange.visit($0, step) } })
      }, canShare: exchange.canShare)
  }

  /// Visits a child that may be missing.
  @usableFromInline
  static func optionalChild<Child, ChildAction>(
    _ part: OptionalPart<State, Child>, _ child: LazyChild<Child, ChildAction>
  ) -> SharedExchange {
    SharedExchange(
      visit: { state, step in
        step.exchange(
          look: { part.look(state) { child.exchange?.visit($0, step) ?? false } },
          modify: { _ = part.modify(state) { _ = child.exchange?.visit($0, step) } })
      }, canShare: { child.canShare(in: $0) })
  }

  /// Visits the children of rows.
  ///
  /// - Parameter part: The child's state in a row.
  @usableFromInline
  static func rows<ID, Row, Child, ChildAction>(
    _ rows: StatePart<State, IdentifiedArray<ID, Row>>, _ part: StatePart<Row, Child>,
    _ child: LazyChild<Child, ChildAction>
  ) -> SharedExchange {
    func isOld(
      _ rows: UnsafeMutablePointer<IdentifiedArray<ID, Row>>, _ step: SharedStep
    ) -> Bool {
      // A feature may contain itself, so the child is only resolved if there is a row.
      guard !rows.pointee.isEmpty, let exchange = child.exchange else { return false }
      var isOld = false
      for id in rows.pointee.ids {
        let row = rows.pointee.look(id: id) { row in part.look(row) { exchange.visit($0, step) } }
        if row == true { isOld = true }
      }
      return isOld
    }
    return SharedExchange(
      visit: { state, step in
        step.exchange(
          look: { rows.look(state) { isOld($0, step) } },
          modify: {
            guard let exchange = child.exchange else { return }
            rows.modify(state) { rows in
              for id in rows.pointee.ids {
                _ = step.exchange(
                  look: {
                    rows.pointee.look(id: id) { row in part.look(row) { exchange.visit($0, step) } }
                  },
                  modify: {
                    _ = rows.pointee.modify(id: id) { row in
                      withUnsafeMutablePointer(to: &row) { row in
                        part.modify(row) { _ = exchange.visit($0, step) }
                      }
                    }
                  })
              }
            }
          })
      }, canShare: { child.canShare(in: $0) })
  }
}

extension LazyChild {
  /// The visit of a child that exists; `nil` if neither the child nor its own children share a value.
  var exchange: SharedExchange<State>? {
    sharing ?? canShare(in: []) ? resolved.exchange : nil
  }

  /// Whether the child or its own children share a value.
  ///
  /// The first call resolves the child and its own children.
  func canShare(in around: Set<ObjectIdentifier>) -> Bool {
    if let sharing { return sharing }
    let type = ObjectIdentifier(ResolvedInteractor<State, Action>.self)
    if around.contains(type) { return false }
    let canShare = resolved.exchange?.canShare(around.union([type])) ?? false
    // The answer may be incomplete inside of another child, because the types around are skipped.
    if around.isEmpty { sharing = canShare }
    return canShare
  }
}
