import Causeway
import HarborFeatures
import SwiftUI

/// The person's name, and the field that changes it.
struct NameView: View {
  let feed: FeedModel
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
        Button("You are \(feed.you.name)") {
          typed = feed.you.name
          feed.send(.startNaming)
        }
      }
    }
  }
}
