import HarborFeatures
import SwiftUI

/// The people of the group.
struct PeopleView: View {
  let people: PageViewState.People
  let pictures: [String: PictureKey]
  /// The id of the person who uses the app; `nil` without a server for the person's picture.
  let own: String?
  let send: (String, PersonInteractor.Action) -> Void

  var body: some View {
    NavigationStack {
      List {
        if !people.problem.isEmpty { Text(people.problem).foregroundStyle(.red) }
        if people.isEmpty { Text("Nobody hosts or joins an activity yet.") }
        ForEach(people.rows) { person in
          VStack(alignment: .leading) {
            HStack {
              PictureView(initials: person.initials, picture: pictures[person.id])
              Text(person.name)
              Spacer()
              Text(person.count).foregroundStyle(.secondary)
            }
            if person.id == own {
              PicturePicker(title: person.hasPicture ? "Change your picture" : "Add your picture") {
                send(person.id, .setPicture($0))
              }
            }
            if person.hasPicture {
              Button("Remove the picture", role: .destructive) { send(person.id, .setPicture(nil)) }
                .disabled(person.isSaving)
            }
            if !person.problem.isEmpty { Text(person.problem).foregroundStyle(.red) }
          }
        }
      }
      .buttonStyle(.borderless)
      .navigationTitle("People")
    }
  }
}
