#if canImport(SwiftUI)
  public import SwiftUI

  extension View {
    /// Shows an alert while a dialog is in the view state.
    ///
    /// ```swift
    /// .alert(model, \.confirmation, answer: Action.confirmation)
    /// ```
    ///
    /// - Parameters:
    ///   - model: The view model.
    ///   - dialog: The dialog in its view state.
    ///   - embed: Makes an action from an answer; usually an enum case.
    public func alert<ViewState, Action, Choice>(
      _ model: ViewModel<ViewState, Action>,
      _ dialog: KeyPath<ViewState, Dialog<Choice>?>,
      answer embed: @escaping @MainActor (DialogAnswer<Choice>) -> Action
    ) -> some View {
      let presentation = DialogPresentation(model, dialog, embed)
      return alert(
        Text(presentation.shown?.title ?? ""), isPresented: presentation.binding,
        presenting: presentation.shown,
        actions: { DialogButtons(dialog: $0) { presentation.answer($0) } },
        message: { Text($0.message ?? "") })
    }

    /// Shows a confirmation dialog while a dialog is in the view state.
    ///
    /// ```swift
    /// .confirmationDialog(model, \.confirmation, answer: Action.confirmation)
    /// ```
    ///
    /// - Parameters:
    ///   - model: The view model.
    ///   - dialog: The dialog in its view state.
    ///   - embed: Makes an action from an answer; usually an enum case.
    public func confirmationDialog<ViewState, Action, Choice>(
      _ model: ViewModel<ViewState, Action>,
      _ dialog: KeyPath<ViewState, Dialog<Choice>?>,
      answer embed: @escaping @MainActor (DialogAnswer<Choice>) -> Action
    ) -> some View {
      let presentation = DialogPresentation(model, dialog, embed)
      return confirmationDialog(
        Text(presentation.shown?.title ?? ""), isPresented: presentation.binding,
        titleVisibility: .automatic, presenting: presentation.shown,
        actions: { DialogButtons(dialog: $0) { presentation.answer($0) } },
        message: { Text($0.message ?? "") })
    }
  }

  extension DialogPresentation {
    fileprivate var binding: Binding<Bool> {
      Binding(
        get: { @MainActor in self.isPresented },
        set: { @MainActor isShown, transaction in
          if !isShown { self.end(.transaction(transaction)) }
        })
    }
  }

  /// The buttons of a dialog.
  private struct DialogButtons<Choice: Equatable & Sendable>: View {
    let dialog: Dialog<Choice>
    let send: @MainActor (DialogAnswer<Choice>) -> Void

    var body: some View {
      ForEach(Array(dialog.buttons.enumerated()), id: \.offset) { _, button in
        Button(button.title, role: button.role?.swiftUI) { send(button.answer) }
      }
    }
  }

  extension Dialog.Button.Role {
    fileprivate var swiftUI: ButtonRole {
      switch self {
      case .cancel: .cancel
      case .destructive: .destructive
      }
    }
  }
#endif
