public import Foundation

/// The reasons why a cache has no value to return.
///
/// An error of the loader is thrown unchanged.
public enum ResourceError: Error, Sendable {
  /// The last load of the key failed recently; the cache waits before it loads the key again.
  case coolingDown(remaining: Duration, lastFailure: any Error)
  /// The key was removed, or the cache was emptied, while the value was being loaded.
  case removed
  /// The session has ended, and the next one has not begun.
  case sessionEnded
  /// The loader returned `notModified` although it got no validator.
  case notModifiedWithoutValidator
}

extension ResourceError: CustomStringConvertible {
  /// A description of the error, with a remedy.
  public var description: String {
    switch self {
    case .coolingDown(let remaining, let lastFailure):
      """
      The last load failed (\(lastFailure)) and is not repeated for another \(remaining). Show the \
      failure, or call refresh(_:) if a person asked to try again.
      """
    case .removed:
      "The key was removed while its value was loaded. Load it again if it is still needed."
    case .sessionEnded:
      "No account is signed in, so nothing is loaded. Load the value again after the next sign-in."
    case .notModifiedWithoutValidator:
      """
      The loader answered notModified although it got no validator. Answer notModified \
      only when the validator argument is not nil.
      """
    }
  }
}

extension ResourceError: LocalizedError {
  /// A sentence for people.
  public var errorDescription: String? {
    switch self {
    case .coolingDown: "This could not be loaded. Try again in a moment."
    case .removed: "This was removed while it was loaded."
    case .sessionEnded: "Sign in first."
    case .notModifiedWithoutValidator: "This could not be loaded. Try again."
    }
  }
}
