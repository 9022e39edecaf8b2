public import Foundation

/// A failed operation of a store; the store continues to work, and retries loads and saves.
public enum StoreFailure: Error, Sendable {
  /// The values could not be loaded; the store retries after the pause.
  case load(any Error, nextTry: Duration)
  /// The values were not loaded within a limit; the store continues to try.
  ///
  /// The error is the last failure; `nil` if the first load is still running.
  case notLoaded((any Error)?, after: Duration)
  /// Changes could not be saved; they are kept, and saved after the pause.
  case save(any Error, unsaved: Int, nextTry: Duration)
  /// A change was refused because the store is closed.
  case closed
  /// A change was refused because a session has ended and the next one has not begun.
  case sessionEnded
  /// A store was released without being closed, and its last changes could not be saved.
  case lost(any Error, unsaved: Int)
}

extension StoreFailure: CustomStringConvertible {
  /// A description of the failure, and how the store continues.
  public var description: String {
    switch self {
    case .load(let error, let pause):
      "The values could not be loaded: \(error). Trying again in \(pause)."
    case .notLoaded(let error, let limit):
      "The values were not loaded within \(limit): "
        + (error.map { "\($0)" } ?? "the first load is still running.")
    case .save(let error, let unsaved, let pause):
      "\(unsaved) changed values could not be saved: \(error). Trying again in \(pause)."
    case .closed:
      "The store is closed and refused a change. Close it after the last change."
    case .sessionEnded:
      "No account is signed in, and the store refused a change. Leave the screen when a session ends."
    case .lost(let error, let unsaved):
      "\(unsaved) changed values are lost: \(error). Close a store before releasing it."
    }
  }
}

extension StoreFailure: LocalizedError {
  /// A sentence for people.
  public var errorDescription: String? {
    switch self {
    case .load, .notLoaded: "The stored values could not be loaded yet."
    case .save: "Your changes could not be stored yet. They are kept."
    case .closed: "The app is closing. Try again after its next start."
    case .sessionEnded: "Sign in first."
    case .lost: "Your last changes could not be stored."
    }
  }
}
