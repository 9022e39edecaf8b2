public import CausewayDatabase

/// A change of one record by the user: stored, shown at once, and sent to the server.
///
/// ```swift
/// enum NoteMutation: Mutation {
///   case write(Note)
///   case remove(id: String)
///
///   var recordID: String {
///     switch self {
///     case .write(let note): note.id
///     case .remove(let id): id
///     }
///   }
///
///   func apply(to record: inout Note?) {
///     switch self {
///     case .write(let note): record = note
///     case .remove: record = nil
///     }
///   }
/// }
/// ```
///
/// A mutation describes the change, not the resulting record. While it is pending, the engine
/// applies it again to each newer version of the server's data, so no change is lost. The app also
/// decodes entries that its earlier versions stored, so keep old cases.
public protocol Mutation: Codable, Sendable {
  /// The type of the changed record.
  associatedtype Record: Codable, Equatable, Sendable, Identifiable
  where Record.ID: SQLConvertible & Codable & Sendable

  /// The identifier of the record that this mutation changes or creates.
  var recordID: Record.ID { get }

  /// The kind of mutation, for a list of entries; by default the type's name.
  var kind: String { get }

  /// The mutations that the server must have before this one; by default none.
  ///
  /// Mutations of the same scope are sent in order anyway. Return mutations of other scopes here,
  /// for example the creation of the article that a comment belongs to. See <doc:Synchronising>.
  var dependencies: [MutationDependency] { get }

  /// Applies the mutation: changes the record, creates it, or removes it by setting `nil`.
  ///
  /// This must be a pure function, and it must not change the record's identifier. `record` is
  /// `nil` if the record does not exist, for example because another device has deleted it.
  func apply(to record: inout Record?)
}

extension Mutation {
  /// The type's name.
  public var kind: String { "\(Self.self)" }

  /// By default there are none.
  public var dependencies: [MutationDependency] { [] }
}

extension MutationDependency {
  /// The waiting mutations of a record, in any scope.
  public static func record<Record>(
    _ id: Record.ID, in table: SyncedTable<Record>
  ) -> MutationDependency {
    MutationDependency(target: .record(collection: table.name, id.sqlValue))
  }
}
