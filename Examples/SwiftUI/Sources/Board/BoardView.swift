import Causeway
import HarborFeatures
import SwiftUI

/// The board, day by day.
struct BoardView: View {
  let feed: FeedModel

  var body: some View {
    NavigationStack {
      List {
        if !feed.failure.isEmpty {
          Button("Try again: \(feed.failure)") { feed.send(.appear) }
        }
        if !feed.problem.isEmpty {
          Button(feed.problem) { feed.send(.dismissProblem) }
        }
        NameView(feed: feed)
        ForEach(feed.days, id: \.id) { day in
          Section {
            ForEach(day.cards, id: \.id) { card in
              CardView(card: card) { feed.send($0, .animation(.default)) }
            }
          } header: {
            Text("\(day.name), \(day.date)")
          }
        }
      }
      .overlay {
        if feed.isLoading { ProgressView("Reading the board") }
      }
      .navigationTitle("Harbor")
      .toolbar {
        Button("New activity") { feed.send(.openComposer) }
      }
      .sheet(isPresented: feed.binding(\.isComposing) { $0 ? .openComposer : .closeComposer }) {
        ComposerView(feed: feed)
      }
    }
  }
}

/// An activity with its buttons.
struct CardView: View {
  let card: FeedViewState.Card
  let send: (FeedInteractor.Action) -> Void

  var body: some View {
    HStack {
      VStack(alignment: .leading) {
        Text(card.title).font(.headline)
        Text(card.place.isEmpty ? card.time : "\(card.time) · \(card.place)")
        Text("\(card.host) · \(card.coming)").font(.caption)
      }
      Spacer()
      if card.canJoin {
        Button("Join") { send(.join(id: card.id)) }
      } else if card.canLeave {
        Toggle("You’re in", isOn: Binding(get: { card.isJoined }, set: joined))
      }
    }
    .disabled(card.isBusy)
    .accessibilityLabel(Text("\(card.title), \(card.names)"))
  }

  private func joined(_ isJoined: Bool) {
    send(isJoined ? .join(id: card.id) : .leave(id: card.id))
  }
}
