import Causeway
import Foundation
import HarborFeatures
import SwiftUI

typealias SearchModel = ViewModel<PageViewState.Search, SearchInteractor.Action>

/// The search of the board.
struct SearchView: View {
  let search: SearchModel
  /// Shows an activity on the board.
  let show: (String) -> Void

  var body: some View {
    NavigationStack {
      List {
        if !search.problem.isEmpty { Text(search.problem).foregroundStyle(.red) }
        if !search.status.isEmpty { Text(search.status).foregroundStyle(.secondary) }
        ForEach(search.results) { result in
          Button {
            show(result.id)
          } label: {
            ResultView(result: result)
          }
          .buttonStyle(.plain)
        }
        if search.hasMore { Button("Show more") { search.send(.showMore) } }
      }
      .overlay {
        if search.isSearching, search.results.isEmpty { ProgressView() }
      }
      .navigationTitle("Search")
      .searchable(
        text: search.binding(\.text) { $0.isEmpty ? .clear : .type($0) },
        prompt: Text("What, where or who"))
    }
  }
}

/// A found activity.
struct ResultView: View {
  let result: PageViewState.Search.Result

  var body: some View {
    VStack(alignment: .leading) {
      Text(result.title).font(.headline)
      Text(result.place.isEmpty ? result.when : "\(result.when) · \(result.place)")
      Text(result.people).font(.caption).foregroundStyle(.secondary)
    }
    .frame(maxWidth: .infinity, alignment: .leading)
    .contentShape(Rectangle())  // otherwise only the texts of a plain button can be tapped
  }
}

struct SearchView_Previews: PreviewProvider {
  static var previews: some View {
    RootView(launch: Launch { .preview(at: .search) })
  }
}
