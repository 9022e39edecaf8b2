import Causeway
import HarborFeatures
import SwiftUI

/// The person's name, and the field that changes it.
struct NameView: View {
  let feed: FeedModel
  let pictures: [String: PictureKey]
  @State private var typed = ""

  var body: some View {
    Section {
      if feed.you.isNaming {
        TextField("Your name", text: $typed)
          .onSubmit { feed.send(.setName(name: typed)) }
        if !feed.you.problem.isEmpty {
          Text(feed.you.problem).foregroundStyle(.red)
        }
        if feed.you.canCancel {
          Button("Cancel", role: .cancel) { feed.send(.cancelNaming) }
        }
      } else {
        HStack {
          if let badge = feed.you.badge {
            PictureView(initials: badge.initials, picture: pictures[badge.id])
          }
          Button("You are \(feed.you.name)") {
            typed = feed.you.name
            feed.send(.startNaming)
          }
        }
      }
    }
  }
}
