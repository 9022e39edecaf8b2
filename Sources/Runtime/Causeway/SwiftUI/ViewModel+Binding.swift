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

    /// Returns a binding that reads an editable field and sends an edit for each new value.
    ///
    /// ```swift
    /// TextField("Name", text: model.binding(\.name, edit: Action.edit))
    /// ```
    ///
    /// - Parameters:
    ///   - field: The field, which must be one of ``EditableState/editableFields``.
    ///   - embed: Makes an action from an edit; usually an enum case.
    public func binding<Value: Equatable & Sendable>(
      _ field: any WritableKeyPath<ViewState, Value> & Sendable,
      edit embed: @escaping @MainActor (FieldEdit<ViewState>) -> Action
    ) -> Binding<Value> where ViewState: EditableState {
      binding(field) { embed(.set(field, to: $0)) }
    }

    /// Returns a binding that reads a property of a derived view state and edits a field of the
    /// feature's state.
    ///
    /// - Parameters:
    ///   - keyPath: The property to read.
    ///   - field: The field to edit, which must be one of ``EditableState/editableFields``.
    ///   - embed: Makes an action from an edit; usually an enum case.
    public func binding<Root: EditableState, Value: Equatable & Sendable>(
      _ keyPath: KeyPath<ViewState, Value>,
      editing field: any WritableKeyPath<Root, Value> & Sendable,
      edit embed: @escaping @MainActor (FieldEdit<Root>) -> Action
    ) -> Binding<Value> {
      binding(keyPath) { embed(.set(field, to: $0)) }
    }

    /// Returns a binding to the path of a `NavigationStack`.
    ///
    /// ```swift
    /// NavigationStack(path: model.binding(path: \.path, action: Action.path)) {
    ///   RootView(model)
    ///     .navigationDestination(for: ScreenID<Screen.ID>.self) { id in
    ///       if let screen = model.screen(\.path, id: id, action: Action.path) {
    ///         ScreenView(screen)
    ///       }
    ///     }
    /// }
    /// ```
    ///
    /// It contains the ids of the screens. When the user goes back, it sends
    /// ``PathAction/popTo(_:)``.
    ///
    /// - Parameters:
    ///   - path: The path in the view state.
    ///   - embed: Makes an action from a path's action; usually an enum case.
    public func binding<Screen, ScreenAction>(
      path: KeyPath<ViewState, ScreenPath<Screen>>,
      action embed: @escaping @MainActor (PathAction<Screen, ScreenAction>) -> Action
    ) -> Binding<[ScreenID<Screen.ID>]> {
      Binding(
        get: { @MainActor in self.screenIDs(path) },
        set: { @MainActor ids, transaction in
          // SwiftUI also sets the path when it has not changed.
          if ids.count < self.screenIDs(path).count {
            self.send(embed(.popTo(ids.last)), .transaction(transaction))
          }
        })
    }
  }
#endif
