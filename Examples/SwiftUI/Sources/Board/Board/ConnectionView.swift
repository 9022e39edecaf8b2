import HarborDomain
import HarborFeatures
import SwiftUI

/// The state of the connection, and the changes that the server has refused.
struct ConnectionView: View {
  let connection: PageViewState.Connection
  let send: (ConnectionInteractor.Action) -> Void

  var body: some View {
    if connection.isOffline || connection.isSyncing || !connection.refused.isEmpty {
      Section {
        Text(connection.text).foregroundStyle(.secondary)
        if connection.isOffline {
          Button("Connect now") { send(.retry) }
        }
        ForEach(connection.refused) { change in
          VStack(alignment: .leading) {
            Text("\(change.kind) was refused: \(change.reason)")
            HStack {
              Button("Send again") { send(.resend(change.id)) }
              Button("Discard", role: .destructive) { send(.discard(change.id)) }
            }
          }
        }
        if !connection.problem.isEmpty { Text(connection.problem).foregroundStyle(.red) }
      }
    }
  }
}
