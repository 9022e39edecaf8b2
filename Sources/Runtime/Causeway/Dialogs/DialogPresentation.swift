/// The dialog of a view, from one drawing of the view to the next.
///
/// SwiftUI reports the end of a dialog after the action of its button. By then, the handler may
/// have opened the next dialog. Neither the report nor a second press of the button may answer that
/// dialog.
@MainActor
final class DialogPresentation<ViewState, Action: Sendable, Choice: Equatable & Sendable> {
  /// The dialog in the view state when the view was drawn.
  let shown: Dialog<Choice>?
  private let model: ViewModel<ViewState, Action>
  /// The view model of the shown dialog, whose answers reach no other dialog.
  private let child: ViewModel<Dialog<Choice>, DialogAnswer<Choice>>?
  /// The view model of the dialog whose end SwiftUI reports next.
  private var ending: ViewModel<Dialog<Choice>, DialogAnswer<Choice>>?
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
    child = model.scope(state: dialog, action: { embed($0) })
    ending = child
  }

  /// Whether the view state has a dialog now.
  var isPresented: Bool { model[dynamicMember: dialog] != nil }

  /// Sends the answer of a button.
  func answer(_ answer: DialogAnswer<Choice>) {
    isAnswered = true
    child?.send(answer)
  }

  /// Dismisses the dialog that the view shows.
  ///
  /// Does nothing if a button has answered it, or if the view state has another dialog now.
  func end(_ transaction: UpdateTransaction) {
    if isAnswered {
      // The next report is about another dialog, which may be equal to this one.
      isAnswered = false
      let embed = self.embed
      if model[dynamicMember: dialog] == shown {
        ending = model.scope(state: dialog, action: { embed($0) })
      }
      return
    }
    guard let ending, ending.source.place.life?.isOver != true else { return }
    ending.send(.dismissed, transaction)
  }
}
