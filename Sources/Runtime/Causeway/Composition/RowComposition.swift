/// The parts that the rows of one `forEach`, or the screens of one `screens`, share.
///
/// It contains closures, which the compiler specialises in the client's module. Generic methods of
/// this module would look up the metadata of their types at each call.
@MainActor
@usableFromInline
final class RowComposition<
  ID: Hashable & Sendable, ParentState: Sendable, ParentAction: Sendable, State: Sendable,
  Action: Sendable
> {
  @usableFromInline typealias Parent = UnsafeMutablePointer<ParentState>
  @usableFromInline typealias Update = ResolvedInteractor<State, Action>.Update
  @usableFromInline typealias Look = (UnsafeMutablePointer<State>) -> Void

  let child: LazyChild<State, Action>
  let look: @MainActor (Parent, ID, Look) -> Bool
  let modify: @MainActor (Parent, ID, Update) -> Emission<State, Action>?
  let stamp: @MainActor (Parent) -> RowsStamp?
  let forEachChange: @MainActor (Parent, _ since: UInt64, (ChildID) -> Void) -> Bool
  let remove: @MainActor (Parent, ID) -> Void
  /// Returns the birth of a screen; `nil` if the screen is missing, and for rows.
  let birth: @MainActor (Parent, ID) -> RowBirth?
  let embed: @MainActor (ID, Action) -> ParentAction

  @usableFromInline
  init(
    _ child: LazyChild<State, Action>,
    look: @escaping @MainActor (Parent, ID, Look) -> Bool,
    modify: @escaping @MainActor (Parent, ID, Update) -> Emission<State, Action>?,
    stamp: @escaping @MainActor (Parent) -> RowsStamp?,
    forEachChange: @escaping @MainActor (Parent, UInt64, (ChildID) -> Void) -> Bool,
    remove: @escaping @MainActor (Parent, ID) -> Void,
    birth: @escaping @MainActor (Parent, ID) -> RowBirth?,
    embed: @escaping @MainActor (ID, Action) -> ParentAction
  ) {
    self.child = child
    self.look = look
    self.modify = modify
    self.stamp = stamp
    self.forEachChange = forEachChange
    self.remove = remove
    self.birth = birth
    self.embed = embed
  }

  /// - Parameters:
  ///   - rows: The array of rows in the parent's state.
  ///   - part: The child's state in a row.
  ///   - birth: Returns the birth of a screen; `nil` for rows.
  @inlinable
  convenience init<Row>(
    _ child: LazyChild<State, Action>,
    _ rows: StatePart<ParentState, IdentifiedArray<ID, Row>>, _ part: StatePart<Row, State>,
    remove: @escaping @MainActor (inout IdentifiedArray<ID, Row>, ID) -> Void,
    birth: @escaping @MainActor (Row) -> RowBirth? = { _ in nil },
    embed: @escaping @MainActor (ID, Action) -> ParentAction
  ) {
    self.init(
      child,
      look: { parent, id, body in
        rows.look(parent) { $0.pointee.look(id: id) { part.look($0, body) } } != nil
      },
      modify: { parent, id, update in
        rows.modify(parent) { rows in
          rows.pointee.modify(id: id) { row in
            withUnsafeMutablePointer(to: &row) { part.modify($0) { update($0) } }
          }
        }
      },
      stamp: { parent in
        rows.look(parent) { rows in
          RowsStamp(
            version: rows.pointee.changes.version,
            membership: rows.pointee.changes.membership)
        }
      },
      forEachChange: { parent, version, body in
        rows.look(parent) { rows in
          rows.pointee.forEachChange(since: version) { body(ChildID($0)) }
        }
      },
      remove: { parent, id in rows.modify(parent) { remove(&$0.pointee, id) } },
      birth: { parent, id in
        rows.look(parent) { rows in rows.pointee.look(id: id) { birth($0.pointee) } } ?? nil
      },
      embed: embed)
  }
}
