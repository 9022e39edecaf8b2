import CausewayBasics
import CausewayNetwork
import Foundation

extension Surroundings {
  /// Returns the key of a new mutation.
  func makeKey() -> IdempotencyKey { IdempotencyKey(rawValue: uuid().uuidString) }
}
