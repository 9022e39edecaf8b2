import Causeway
import HarborFeatures
import SwiftUI

typealias FeedModel = ViewModel<FeedViewState, FeedInteractor.Action>

/// The board, day by day.
struct BoardView: View {
  let feed: FeedModel
  let connection: PageViewState.Connection
  let pictures: [String: PictureKey]
  /// The activity to which the board scrolls when it appears.
  @Binding var wanted: String?
  let sendConnection: (ConnectionInteractor.Action) -> ActionTask

  /// The typed texts of open forms, by activity.
  ///
  /// A form keeps its text while its row or the tab is not shown.
  @State private var typed: [String: ActivityForm] = [:]

  private func connect() async { await sendConnection(.retry).finish() }

  var body: some View {
    NavigationStack {
      ScrollViewReader { list in
        days
          .onAppear { scroll(list) }
          .onChange(of: feed.isLoading) { scroll(list) }
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

  private func scroll(_ list: ScrollViewProxy) {
    // Before the board is read, the list does not have the row.
    guard !feed.isLoading, let activity = wanted else { return }
    list.scrollTo(activity, anchor: .center)
    wanted = nil
  }

  private var days: some View {
    List {
      ConnectionView(connection: connection) { _ = sendConnection($0) }
      if !feed.failure.isEmpty {
        Button("Try again: \(feed.failure)") { feed.send(.appear) }
      }
      if !feed.problem.isEmpty {
        Button(feed.problem) { feed.send(.dismissProblem) }
      }
      NameView(feed: feed, pictures: pictures)
      if feed.isEmpty { Text("Nothing is planned. Put the first activity on the board.") }
      ForEach(feed.days) { day in
        Section {
          ForEach(day.cards) { card in
            if let editor = card.editor {
              EditorView(form: editor, typed: text(of: editor)) { send($0) }
            } else {
              CardView(card: card, pictures: pictures) { send($0) }
            }
          }
        } header: {
          Text("\(day.name), \(day.date)")
        }
      }
    }
    .buttonStyle(.borderless)  // otherwise a tap on a row presses all of its buttons
    .refreshable { await connect() }  // the spinner stays until the server has answered
  }

  private func text(of form: FeedViewState.Form) -> Binding<ActivityForm> {
    Binding(
      get: { typed[form.activityID] ?? ActivityForm(form) }, set: { typed[form.activityID] = $0 })
  }

  private func send(_ action: FeedInteractor.Action) {
    // A form that is opened again begins with the texts of the activity.
    if case .edit(let id, _) = action { typed[id] = nil }
    feed.send(action, .animation(.default))
  }
}

/// An activity with its buttons.
struct CardView: View {
  let card: FeedViewState.Card
  let pictures: [String: PictureKey]
  let send: (FeedInteractor.Action) -> Void

  var body: some View {
    VStack(alignment: .leading) {
      HStack {
        Text(card.title).font(.headline)
        Spacer()
        if card.isPending { ProgressView() }
      }
      Text(card.place.isEmpty ? card.time : "\(card.time) · \(card.place)")
      if !card.notes.isEmpty { Text(card.notes) }
      Text("\(card.host) · \(card.coming)").font(.caption).foregroundStyle(.secondary)
      if !card.people.isEmpty {
        HStack {
          ForEach(card.people, id: \.id) { person in
            PictureView(initials: person.initials, picture: pictures[person.id])
          }
          Text(card.more).font(.caption)
        }
      }
      HStack {
        if card.canJoin {
          Button("Join") { send(.join(id: card.id)) }
        } else if card.canLeave {
          Toggle(card.joinedText, isOn: Binding(get: { card.isJoined }, set: joined))
        }
        if card.isOwn, !card.isOver {
          Button("Edit") { send(.edit(id: card.id)) }
          Button("Delete", role: .destructive) { send(.delete(id: card.id)) }
        }
      }
    }
    .disabled(card.isBusy)
    .accessibilityLabel(Text("\(card.title), \(card.names)"))
  }

  private func joined(_ isJoined: Bool) {
    send(isJoined ? .join(id: card.id) : .leave(id: card.id))
  }
}
