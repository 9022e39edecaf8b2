/// The dialog of a view, from one drawing of the view to the next.
///
/// SwiftUI reports the end of a dialog after the action of its button. The handler may have opened
/// the next dialog by then, and the report must not dismiss that dialog.
@MainActor
final class DialogPresentation<ViewState, Action: Sendable, Choice: Equatable & Sendable> {
  /// The dialog in the view state when the view was drawn.
  let shown: Dialog<Choice>?
  private let model: ViewModel<ViewState, Action>
  private let dialog: KeyPath<ViewState, Dialog<Choice>?>
  private let embed: @MainActor (DialogAnswer<Choice>) -> Action
  /// Whether a button was pressed and SwiftUI has not reported the end of its dialog yet.
  private var isAnswered = false

  init(
    _ model: ViewModel<ViewState, Action>,
    _ dialog: KeyPath<ViewState, Dialog<Choice>?>,
    _ embed: @escaping @MainActor (DialogAnswer<Choice>) -> Action
  ) {
    self.model = model
    self.dialog = dialog
    self.embed = embed
    shown = model[dynamicMember: dialog]
  }

  /// Whether the view state has a dialog now.
  var isPresented: Bool { model[dynamicMember: dialog] != nil }

  /// Sends the answer of a button.
  func answer(_ answer: DialogAnswer<Choice>) {
    isAnswered = true
    model.send(embed(answer))
  }

  /// Dismisses the dialog that the view shows.
  ///
  /// Does nothing if a button has answered it, or if the view state has another dialog now.
  func end(_ transaction: UpdateTransaction) {
    if isAnswered {
      // The next report is about another dialog, which may be equal to this one.
      isAnswered = false
      return
    }
    guard let shown, model[dynamicMember: dialog] == shown else { return }
    model.send(embed(.dismissed), transaction)
  }
}
