#if canImport(SwiftUI)
  public import SwiftUI

  extension UpdateTransaction {
    /// Animates the changes of the update.
    public static func animation(_ animation: Animation?) -> UpdateTransaction {
      UpdateTransaction { body in withAnimation(animation) { body() } }
    }

    /// Publishes the changes of the update within a SwiftUI transaction.
    ///
    /// Isolation: the main actor, because a `Transaction` is not `Sendable`.
    @MainActor
    public static func transaction(_ transaction: Transaction) -> UpdateTransaction {
      UpdateTransaction { body in withTransaction(transaction) { body() } }
    }
  }
#endif
