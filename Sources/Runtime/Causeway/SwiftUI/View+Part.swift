#if canImport(SwiftUI)
  public import SwiftUI

  extension View {
    /// Shows a sheet while an optional part is in the view state.
    ///
    /// ```swift
    /// .sheet(model, \.destination?.add, action: Action.add, dismissal: .closeForm) { form in
    ///   MeetingFormView(form)
    /// }
    /// ```
    ///
    /// A closing sheet shows its last content. If another part replaces the part, a new sheet is
    /// shown.
    ///
    /// - Parameters:
    ///   - model: The view model.
    ///   - part: The optional part in its view state.
    ///   - embed: Makes an action from an action of the part; usually an enum case.
    ///   - dismissal: The action when the person closes the sheet. It is not sent if the feature has
    ///     removed the part already.
    ///   - content: Makes the sheet for the view model of the part.
    public func sheet<ViewState, Action, Part, PartAction, Content: View>(
      _ model: ViewModel<ViewState, Action>,
      _ part: KeyPath<ViewState, Part?>,
      action embed: @escaping @MainActor (PartAction) -> Action,
      dismissal: Action,
      @ViewBuilder content: @escaping @MainActor (ViewModel<Part, PartAction>) -> Content
    ) -> some View {
      let presentation = PartPresentation(model, part, embed, dismissal: dismissal)
      return sheet(item: presentation.binding, onDismiss: nil) { content($0.model) }
    }

    /// Pushes a screen while an optional part is in the view state.
    ///
    /// ```swift
    /// .navigationDestination(
    ///   model, \.destination?.detail, action: Action.detail, dismissal: .closeDetail
    /// ) { detail in
    ///   DetailView(detail)
    /// }
    /// ```
    ///
    /// For a stack of any depth, use a ``ScreenPath``.
    ///
    /// - Parameters:
    ///   - model: The view model.
    ///   - part: The optional part in its view state.
    ///   - embed: Makes an action from an action of the part; usually an enum case.
    ///   - dismissal: The action when the person goes back. It is not sent if the feature has removed
    ///     the part already.
    ///   - content: Makes the screen for the view model of the part.
    public func navigationDestination<ViewState, Action, Part, PartAction, Content: View>(
      _ model: ViewModel<ViewState, Action>,
      _ part: KeyPath<ViewState, Part?>,
      action embed: @escaping @MainActor (PartAction) -> Action,
      dismissal: Action,
      @ViewBuilder content: @escaping @MainActor (ViewModel<Part, PartAction>) -> Content
    ) -> some View {
      let presentation = PartPresentation(model, part, embed, dismissal: dismissal)
      return navigationDestination(item: presentation.binding) { content($0.model) }
    }
  }

  extension PartPresentation {
    fileprivate var binding: Binding<ShownPart<Part, PartAction>?> {
      Binding(
        get: { @MainActor in self.current },
        set: { @MainActor part, transaction in
          if part == nil { self.end(.transaction(transaction)) }
        })
    }
  }
#endif
