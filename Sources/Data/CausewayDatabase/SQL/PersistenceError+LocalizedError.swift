public import Foundation

extension PersistenceError: LocalizedError {
  /// A sentence for people, without a statement, a path or a code.
  public var errorDescription: String? {
    switch kind {
    case .busy: "The stored data is in use. Try again."
    case .full: "The disk is full. Free some space and try again."
    case .corrupt, .notADatabase, .fileReplaced:
      "The stored data is damaged. Restart the app, or restore a copy."
    case .readOnly, .cannotOpen, .inputOutput:
      "The stored data cannot be read or written. Check the disk of this device."
    case .constraint(let constraint): Self.text(of: constraint)
    case .interrupted: "This was cancelled."
    case .timedOut: "This took too long. Try again."
    case .statement, .decoding, .encoding, .migration:
      "The app cannot use its stored data. Update the app."
    case .unavailable: "The database is out of reach, and nothing was stored. Try again."
    case .outcomeUnknown:
      "It is unknown whether this was stored. Look before you try again."
    case .closed: "The app is closing. Try again after its next start."
    case .aborted, .other: "This was not stored. Try again."
    }
  }

  private static func text(of constraint: Constraint) -> String {
    switch constraint {
    case .unique: "There is one like this already."
    case .foreignKey: "Other data needs this, or this needs data that is missing."
    case .notNull: "A value is missing."
    case .check, .other: "A value is not allowed."
    }
  }
}
