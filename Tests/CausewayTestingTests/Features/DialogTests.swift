import CausewayTesting
import Foundation
import Testing

@testable import Causeway

/// Alerts and confirmations as a part of the state.
@MainActor @Suite(.timeLimit(.minutes(10))) struct DialogTests {
  struct Notes: Interactor {
    struct State: Equatable, Sendable {
      var notes = ["a", "b"]
      var confirmation: Dialog<Choice>?
    }

    enum Choice: Equatable, Sendable, Codable {
      case delete(String)
      case archive
    }

    enum Action: Sendable {
      case askToDelete(String)
      case confirmation(DialogAnswer<Choice>)

      var confirmation: DialogAnswer<Choice>? {
        if case .confirmation(let answer) = self { answer } else { nil }
      }
    }

    static func question(_ note: String) -> Dialog<Choice> {
      Dialog(
        "Delete \(note)?", message: "It cannot be restored.",
        buttons: [.destructive("Delete", .delete(note)), .cancel("Keep")])
    }

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: State()) { state, action in
        switch action {
        case .askToDelete(let note): state.confirmation = Self.question(note)
        case .confirmation(.chosen(.delete(let note))):
          state.notes.removeAll { $0 == note }
          if state.notes.isEmpty { state.confirmation = Dialog("Empty", buttons: [.cancel("OK")]) }
        case .confirmation: break
        }
        return .state
      }
      .dialog(\.confirmation, action: \.confirmation)
    }
  }

  @Test func `a choice closes the dialog and is handled`() async {
    let model = TestModel(Notes())
    await model.send(.askToDelete("a")) { $0.confirmation = Notes.question("a") }
    await model.send(.confirmation(.chosen(.delete("a")))) {
      $0.confirmation = nil
      $0.notes = ["b"]
    }
    await model.finish()
  }

  @Test func `a dismissal closes the dialog and changes nothing else`() async {
    let model = TestModel(Notes())
    await model.send(.askToDelete("a")) { $0.confirmation = Notes.question("a") }
    await model.send(.confirmation(.dismissed)) { $0.confirmation = nil }
    // SwiftUI reports the end of a dialog after the action of its button.
    await model.send(.confirmation(.dismissed))
    await model.finish()
  }

  @Test func `the answer to a dialog may open the next one`() async {
    let model = TestModel(Notes(), initialState: Notes.State(notes: ["a"]))
    await model.send(.askToDelete("a")) { $0.confirmation = Notes.question("a") }
    await model.send(.confirmation(.chosen(.delete("a")))) {
      $0.notes = []
      $0.confirmation = Dialog("Empty", buttons: [.cancel("OK")])
    }
    await model.finish()
  }

  @Test(arguments: [Notes.Choice.delete("b"), .archive])
  func `a choice that the dialog does not offer is not handled and is a failure`(
    choice: Notes.Choice
  ) async {
    let failures = Failures()
    let model = TestModel(Notes(), reporter: failures.reporter)
    await model.send(.askToDelete("a")) { $0.confirmation = Notes.question("a") }
    await model.send(.confirmation(.chosen(choice)))
    #expect(failures.all.count == 1)
    #expect(failures.all.first?.contains("no dialog offered it") == true)
    #expect(model.state.notes == ["a", "b"])
    await model.finish()
  }

  @Test func `the second press of a button is not handled`() async {
    let failures = Failures()
    let model = TestModel(Notes(), reporter: failures.reporter)
    await model.send(.askToDelete("a")) { $0.confirmation = Notes.question("a") }
    await model.send(.confirmation(.chosen(.delete("a")))) {
      $0.confirmation = nil
      $0.notes = ["b"]
    }
    #expect(failures.all == [])
    await model.send(.confirmation(.chosen(.delete("a"))))
    #expect(failures.all.count == 1)
    #expect(failures.all.first?.contains("no dialog offered it") == true)
    #expect(model.state.notes == ["b"])
    await model.finish()
  }

  private typealias Presentation = DialogPresentation<Notes.State, Notes.Action, Notes.Choice>

  private static func transaction() -> UpdateTransaction { UpdateTransaction { $0() } }

  @Test func `the end of an answered dialog does not dismiss the next one`() {
    let model = ViewModel(Notes(), initialState: Notes.State(notes: ["a"]))
    model.send(.askToDelete("a"))
    let presentation = Presentation(model, \.confirmation, Notes.Action.confirmation)
    presentation.answer(.chosen(.delete("a")))
    #expect(model.confirmation?.title == "Empty")
    presentation.end(Self.transaction())
    #expect(model.confirmation?.title == "Empty")
  }

  @Test func `the end of a dialog does not dismiss a later dialog of the state`() {
    let model = ViewModel(Notes())
    model.send(.askToDelete("a"))
    let presentation = Presentation(model, \.confirmation, Notes.Action.confirmation)
    model.send(.askToDelete("b"))
    presentation.end(Self.transaction())
    #expect(model.confirmation == Notes.question("b"))
  }

  @Test func `the end of the dialog that the view shows dismisses it`() {
    let model = ViewModel(Notes())
    model.send(.askToDelete("a"))
    let presentation = Presentation(model, \.confirmation, Notes.Action.confirmation)
    #expect(presentation.isPresented)
    presentation.end(Self.transaction())
    #expect(model.confirmation == nil)
    #expect(!presentation.isPresented)
  }

  @Test func `an equal dialog after an answer can be dismissed too`() {
    let model = ViewModel(Notes())
    model.send(.askToDelete("a"))
    let presentation = Presentation(model, \.confirmation, Notes.Action.confirmation)
    presentation.answer(.dismissed)
    model.send(.askToDelete("a"))
    presentation.end(Self.transaction())
    #expect(model.confirmation == Notes.question("a"), "the report is about the first dialog")
    presentation.end(Self.transaction())
    #expect(model.confirmation == nil)
  }

  @Test func `the end of a dialog does not dismiss an equal one that has replaced it`() {
    let model = ViewModel(Notes())
    model.send(.askToDelete("a"))
    let presentation = Presentation(model, \.confirmation, Notes.Action.confirmation)
    model.send(.confirmation(.dismissed))
    model.send(.askToDelete("a"))
    presentation.end(Self.transaction())
    #expect(model.confirmation == Notes.question("a"))
  }

  @Test(arguments: [false, true])
  func `a late answer to a dialog of a derived view state does not answer the next one`(
    isMadeAnew: Bool
  ) {
    let model = ViewModel(
      Notes(),
      reducer: { (state: Notes.State) -> Notes.State in
        guard isMadeAnew, let dialog = state.confirmation else { return state }
        var copy = state
        copy.confirmation = Dialog(
          dialog.title, message: dialog.message, buttons: dialog.buttons)
        return copy
      }, onError: { _ in })
    model.send(.askToDelete("a"))
    let first = model.scope(state: \.confirmation, action: Notes.Action.confirmation)
    model.send(.askToDelete("b"))
    first?.send(.dismissed)
    #expect(model.confirmation == Notes.question("b"))
    let second = model.scope(state: \.confirmation, action: Notes.Action.confirmation)
    // Derives the same dialog again.
    model.send(.confirmation(.chosen(.archive)))
    second?.send(.chosen(.delete("b")))
    #expect(model.confirmation == nil && model.notes == ["a"])
  }

  @Test func `in an exploration a late answer is no failure`() async {
    struct Asking: Interactor {
      let notes = Notes()
      var body: some Interactor<Notes.State, Notes.Action> {
        notes
        Interact(initialValue: Notes.State()) { state, action in
          guard case .askToDelete = action else { return .state }
          return .perform { send in await send { $0.confirmation = nil } }
        }
      }
    }
    await exploreInterleavings(
      of: Asking(), script: [.askToDelete("a"), .confirmation(.chosen(.delete("a")))], trials: 20
    ) { state in
      #expect(state.confirmation == nil)
    }
  }

  @Test func `a page receives a dialog and sends its answer`() throws {
    let dialog = Notes.question("a")
    let data = try JSONEncoder().encode(dialog)
    #expect(try JSONDecoder().decode(Dialog<Notes.Choice>.self, from: data) == dialog)
    let answer = try JSONDecoder().decode(
      DialogAnswer<Notes.Choice>.self, from: Data(#"{"chosen":{"_0":{"archive":{}}}}"#.utf8))
    #expect(answer == .chosen(.archive))
  }
}
