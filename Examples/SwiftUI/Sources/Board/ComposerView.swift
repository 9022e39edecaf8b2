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
      FieldView(name: "What", text: $form.title, field: feed.composer.title)
      FieldView(name: "Where", text: $form.place, field: feed.composer.place)
      FieldView(name: "Notes", text: $form.notes, field: feed.composer.notes)
      FieldView(
        name: "When, such as 2026-05-01T18:30", text: $form.start, field: feed.composer.start)
      if !feed.composer.problem.isEmpty {
        Text(feed.composer.problem).foregroundStyle(.red)
      }
      Button("Put it on the board") {
        feed.send(.create(form: form, attempt: feed.attempt))
      }
      .disabled(feed.composer.isSaving)
      Button("Close", role: .cancel) { feed.send(.closeComposer) }
    }
    .onAppear(perform: takeOver)
    .onChange(of: feed.attempt) { takeOver() }
  }

  private func takeOver() {
    let composer = feed.composer
    form = ActivityForm(
      title: composer.title.text, place: composer.place.text, notes: composer.notes.text,
      start: composer.start.text)
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
