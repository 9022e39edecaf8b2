import Causeway
import HarborDomain
import HarborFeatures
import SwiftUI

typealias AppModel = ViewModel<AppViewState, HarborInteractor.Action>

/// What the screens show: the texts of the page, and the whole board.
struct AppViewState: Equatable, Sendable {
  var page: PageViewState
  var board: FeedViewState?
  /// The pictures of people, by the ids of the people.
  var pictures: [String: PictureKey]
}

/// Derives both with the reducers of the page, so screens and pages have the same texts.
struct AppReducer: ViewStateReducer {
  private let page = PageReducer(wording: BoardWording())
  private let feed = FeedReducer(wording: BoardWording())

  func reduce(_ state: HarborInteractor.State) -> AppViewState {
    var view = AppViewState(page: page.reduce(state), board: nil, pictures: [:])
    guard case .signedIn(let home) = state.stage else { return view }
    view.board = home.feed.map(feed.reduce)
    // An account without a server does not have the tab of the links.
    if view.page.account.isLocal, view.page.address == HarborInteractor.Section.links.address {
      view.page.address = HarborInteractor.Section.board.address
    }
    for person in home.people.rows {
      view.pictures[person.id] = person.picture.map {
        PictureKey(group: home.account.group ?? "", id: $0)
      }
    }
    return view
  }
}

/// The sign-in, or the tabs of an account.
struct AppView: View {
  let model: AppModel
  /// The activity to which the board scrolls when it appears.
  @State private var wanted: String?

  var body: some View {
    if model.page.asksForAccount {
      SignInView(signIn: model.page.signIn) { model.send(.signIn($0)) }
    } else {
      TabView(selection: model.binding(\.page.address, send: HarborInteractor.Action.visit)) {
        board
          .tabItem { Label("Board", systemImage: "list.bullet") }
          .tag(HarborInteractor.Section.board.address)
        SearchView(search: search) { activity in
          wanted = activity
          model.send(.visit(HarborInteractor.Section.board.address))
        }
        .tabItem { Label("Search", systemImage: "magnifyingglass") }
        .tag(HarborInteractor.Section.search.address)
        PeopleView(
          people: model.page.people, pictures: model.pictures,
          own: model.page.account.isLocal ? nil : model.page.feed.you.badge?.id
        ) { id, action in
          model.send(.home(.people(.person(id, action))))
        }
        .tabItem { Label("People", systemImage: "person.2") }
        .tag(HarborInteractor.Section.people.address)
        if !model.page.account.isLocal {
          LinksView(links: links)
            .tabItem { Label("Links", systemImage: "link") }
            .tag(HarborInteractor.Section.links.address)
        }
        AccountView(page: model.page, feedback: feedback) { model.send(.home($0)) }
          .tabItem { Label("Account", systemImage: "person.crop.circle") }
          .tag(HarborInteractor.Section.account.address)
      }
    }
  }

  private var search: SearchModel {
    model.scope(state: \.page.search, action: { .home(.search($0)) })
  }

  private var links: LinksModel {
    model.scope(state: \.page.links, action: { .home(.links($0)) })
  }

  private var feedback: FeedbackModel {
    model.scope(state: \.page.feedback, action: { .home(.feedback($0)) })
  }

  @ViewBuilder private var board: some View {
    if let feed = model.scope(state: \.board, action: { .home(.feed($0)) }) {
      BoardView(
        feed: feed, connection: model.page.connection, pictures: model.pictures, wanted: $wanted
      ) {
        model.send(.home(.connection($0)))
      }
    } else {
      Text("Found a group, or join one, on the page of the account.")
    }
  }
}

/// The screens with the sample board, without a server and without a file.
struct AppView_Previews: PreviewProvider {
  static var previews: some View {
    RootView(launch: Launch { .preview() })
  }
}
