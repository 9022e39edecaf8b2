import Causeway
import SwiftUI

// The views of the articles. The features are links to the code that the tests run.

/// The timetable of the app.
struct PortServer: Timetable {
  func departures(from pier: String) async throws -> [Departure] { [] }
}

// snippet
struct DeparturesView: View {
  @State var model = ViewModel(Departures(timetable: PortServer()))

  var body: some View {
    List(model.list) { departure in
      LabeledContent(departure.destination, value: "\(departure.minutes) min")
    }
    .overlay { if model.isLoading { ProgressView() } }
    .task { await model.send(.appear).finish() }
  }
}
// end

struct NoteView: View {
  let model: ViewModel<Harbour.State, Harbour.Action>

  var body: some View {
    // snippet
    TextField("Note", text: model.binding(\.note, send: Harbour.Action.write))
    Button("Clear") { model.send(.write(""), .animation(.default)) }
    // end
  }
}

struct LettersView: View {
  let model: ViewModel<PostBox.State, PostBox.Action>

  var body: some View {
    // snippet
    List(model.letters, id: \.self) { Text($0) }
      .task { await model.send(.follow).finish() }  // ends when the view disappears
      .refreshable { await model.send(.refresh).finish() }  // the spinner stays until the end
    // end
  }
}

struct RegistrationView: View {
  let model: ViewModel<Registration.State, Registration.Action>

  var body: some View {
    // snippet
    TextField("Name", text: model.binding(\.name, edit: Registration.Action.edit))
    Toggle("News", isOn: model.binding(\.wantsNews, edit: Registration.Action.edit))
    // end
  }
}

struct PageList: View {
  let model: ViewModel<LogBook.State, LogBook.Action>

  init(_ model: ViewModel<LogBook.State, LogBook.Action>) { self.model = model }

  var body: some View { List(model.pages, id: \.self) { Text($0) } }
}

struct LogBookView: View {
  let model: ViewModel<LogBook.State, LogBook.Action>

  var body: some View {
    // snippet
    PageList(model)
      .alert(model, \.confirmation, answer: LogBook.Action.confirmation)
    // end
  }
}

struct MooringList: View {
  let model: ViewModel<Moorings.State, Moorings.Action>

  init(_ model: ViewModel<Moorings.State, Moorings.Action>) { self.model = model }

  var body: some View { List(model.boats, id: \.self) { Text($0) } }
}

struct MooringFormView: View {
  let model: ViewModel<MooringForm.State, MooringForm.Action>

  init(_ model: ViewModel<MooringForm.State, MooringForm.Action>) { self.model = model }

  var body: some View {
    TextField("Boat", text: model.binding(\.boat, send: MooringForm.Action.write))
  }
}

struct MooringsView: View {
  let model: ViewModel<Moorings.State, Moorings.Action>

  var body: some View {
    // snippet
    MooringList(model)
      .sheet(
        model, \.destination?.form, action: Moorings.Action.form, dismissal: .closeForm
      ) { form in
        MooringFormView(form)
      }
      .alert(model, \.destination?.question, answer: Moorings.Action.question)
    // end
  }
}

struct MooringScreenView: View {
  let model: ViewModel<Moorings.State, Moorings.Action>

  var body: some View {
    MooringList(model)
      .navigationDestination(
        model, \.destination?.form, action: Moorings.Action.form, dismissal: .closeForm
      ) { form in
        MooringFormView(form)
      }
  }
}

struct GuideView: View {
  let model: ViewModel<Guide.State, Guide.Action>

  init(_ model: ViewModel<Guide.State, Guide.Action>) { self.model = model }

  var body: some View { Button("Walks") { model.send(.openWalks) } }
}

struct GuideScreenView: View {
  let model: ViewModel<GuideScreen, GuideScreenAction>

  init(_ model: ViewModel<GuideScreen, GuideScreenAction>) { self.model = model }

  var body: some View {
    if let walk = model.scope(state: \.walk, action: GuideScreenAction.walk) {
      Text("Walk \(walk.number)")
    }
  }
}

struct GuideStack: View {
  let model: ViewModel<Guide.State, Guide.Action>

  var body: some View {
    // snippet
    NavigationStack(path: model.binding(path: \.path, action: Guide.Action.path)) {
      GuideView(model)
        .navigationDestination(for: ScreenID<GuideScreen.ID>.self) { id in
          if let screen = model.screen(\.path, id: id, action: Guide.Action.path) {
            GuideScreenView(screen)
          }
        }
    }
    // end
  }
}

/// A feature with a list in which one row is selected.
struct Chooser: Interactor {
  struct State: Equatable, Sendable {
    var names: [String] = []
    var selection: String?
  }

  enum Action: Sendable {
    case select(String?)
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .select(let name): state.selection = name
      }
      return .state
    }
  }
}

struct ChooserView: View {
  let model: ViewModel<Chooser.State, Chooser.Action>

  var body: some View {
    // snippet
    List(selection: model.binding(\.selection, send: Chooser.Action.select)) {
      ForEach(model.names, id: \.self) { Text($0) }
    }
    // end
  }
}

func animate(_ items: [String], _ send: Send<Shop.State, Shop.Action>) async {
  // snippet
  await send(.animation(.default)) { $0.items = items }
  // end
}

/// A feature with items.
struct Shop: Interactor {
  struct State: Equatable, Sendable {
    var items: [String] = []
  }

  enum Action: Sendable {
    case load
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { _, _ in .state }
  }
}
