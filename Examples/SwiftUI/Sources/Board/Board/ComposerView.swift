import Causeway
import HarborFeatures
import SwiftUI

/// The form for a new activity.
///
/// The view keeps the typed text. If a form is refused, the feature returns it to the view. When
/// the activity is on the board, the feature closes the sheet.
struct ComposerView: View {
  let feed: FeedModel
  @State private var form = ActivityForm()

  var body: some View {
    Form {
      ActivityFields(form: $form, shown: feed.composer)
      Button("Put it on the board") {
        feed.send(.create(form: form, attempt: feed.attempt))
      }
      .disabled(feed.composer.isSaving)
      Button("Close", role: .cancel) { feed.send(.closeComposer) }
    }
    .onAppear { form = ActivityForm(feed.composer) }
    .onChange(of: feed.attempt) { form = ActivityForm(feed.composer) }
  }
}

/// The form in the place of an activity.
struct EditorView: View {
  let form: FeedViewState.Form
  @Binding var typed: ActivityForm
  let send: (FeedInteractor.Action) -> Void

  var body: some View {
    VStack(alignment: .leading) {
      ActivityFields(form: $typed, shown: form)
      HStack {
        Button("Save") { send(.save(id: form.activityID, form: typed)) }
        Button("Cancel", role: .cancel) { send(.cancelEditing(id: form.activityID)) }
      }
      .disabled(form.isSaving)
    }
  }
}

/// The fields of an activity with their problems.
struct ActivityFields: View {
  @Binding var form: ActivityForm
  let shown: FeedViewState.Form

  var body: some View {
    FieldView(name: "What", text: $form.title, field: shown.title)
    FieldView(name: "Where", text: $form.place, field: shown.place)
    FieldView(name: "Notes", text: $form.notes, field: shown.notes)
    FieldView(name: "When, such as 2026-05-01T18:30", text: $form.start, field: shown.start)
    FieldView(name: "Until", text: $form.typedEnd, field: shown.end)
    if !shown.problem.isEmpty {
      Text(shown.problem).foregroundStyle(.red)
    }
  }
}

/// A field of the form with its problem.
struct FieldView: View {
  let name: String
  @Binding var text: String
  let field: FeedViewState.Field

  var body: some View {
    VStack(alignment: .leading) {
      TextField(name, text: $text)
      if !field.problem.isEmpty {
        Text(field.problem).font(.caption).foregroundStyle(.red)
      }
    }
  }
}

extension ActivityForm {
  /// The texts that a form shows.
  init(_ form: FeedViewState.Form) {
    self.init(
      title: form.title.text, place: form.place.text, notes: form.notes.text,
      start: form.start.text, end: form.end.text)
  }

  /// The end as a text field shows it.
  var typedEnd: String {
    get { end ?? "" }
    set { end = newValue }
  }
}
