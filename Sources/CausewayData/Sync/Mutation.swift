/// A change of one record that the user has made: stored, shown at once, and sent to the server.
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
/// It describes the change, not the resulting record. It is applied again to newer data from
/// the server for as long as it is pending, so that no change is lost. Entries of earlier
/// versions of the app are decoded too; keep old cases.
public protocol Mutation: Codable, Sendable {
  /// What it changes.
  associatedtype Record: Codable, Equatable, Sendable, Identifiable
  where Record.ID: SQLConvertible & Codable & Sendable

  /// The record that it changes, or creates under an identifier that the app has made.
  var recordID: Record.ID { get }

  /// The kind of mutation, to be shown in a list of entries; by default the type's name.
  var kind: String { get }

  /// Shows the mutation: changes the record, creates it, or removes it by setting `nil`.
  ///
  /// Has to be a pure function, and to leave the record's identifier alone. `nil` comes in when
  /// there is no such record, for example because it was deleted elsewhere.
  func apply(to record: inout Record?)
}

extension Mutation {
  /// The type's name.
  public var kind: String { "\(Self.self)" }
}
