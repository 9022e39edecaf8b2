#if canImport(SwiftUI)
  public import SwiftUI

  extension ViewModel {
    /// Returns a binding that reads a property and sends an action for each new value.
    ///
    /// ```swift
    /// TextField("Search", text: model.binding(\.query, send: Action.updateQuery))
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: The property to read.
    ///   - embed: Makes an action from a new value; usually an enum case.
    public func binding<Value: Equatable>(
      _ keyPath: KeyPath<ViewState, Value>,
      send embed: @escaping @MainActor (Value) -> Action
    ) -> Binding<Value> {
      Binding(
        get: { @MainActor in self[dynamicMember: keyPath] },
        set: { @MainActor value, transaction in
          self.send(embed(value), .transaction(transaction))
        })
    }
  }
#endif
