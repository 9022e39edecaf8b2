import HarborFeatures
import SwiftUI

/// The account and its groups.
struct AccountView: View {
  let page: PageViewState
  let feedback: FeedbackModel
  let send: (HomeInteractor.Action) -> Void
  @State private var name = ""
  @State private var code = ""

  var body: some View {
    NavigationStack {
      List {
        Section("Account") {
          Text(page.account.isLocal ? "This device" : page.account.name)
          if !page.account.problem.isEmpty {
            Text(page.account.problem).foregroundStyle(.red)
          }
          Button("Sign out, and remove the data of this device", role: .destructive) {
            send(.signOut)
          }
        }
        if !page.account.isLocal {
          NavigationLink("Feedback") { FeedbackView(feedback: feedback) }
        }
        Section("Groups") {
          ForEach(page.groups.rows) { group in
            GroupView(group: group, hasServer: !page.account.isLocal) { send(.groups($0)) }
          }
          if !page.groups.invitation.isEmpty {
            Text("Send this invitation: \(page.groups.invitation)")
          }
          if !page.groups.calendar.isEmpty {
            Text("Subscribe to this calendar: \(page.groups.calendar)")
          }
          if !page.groups.problem.isEmpty {
            Text(page.groups.problem).foregroundStyle(.red)
          }
        }
        Section("Another group") {
          TextField("The name of a new group", text: $name)
            .onSubmit { send(.groups(.found(name))) }
          if !page.account.isLocal {
            TextField("The invitation to a group", text: $code)
              .onSubmit { send(.groups(.accept(code))) }
          }
        }
      }
      .navigationTitle("Account")
    }
  }
}

/// A group of the account.
struct GroupView: View {
  let group: PageViewState.Groups.Row
  let hasServer: Bool
  let send: (GroupsInteractor.Action) -> Void

  var body: some View {
    VStack(alignment: .leading) {
      Text(group.name).font(.headline)
      HStack {
        if !group.isShown { Button("Show") { send(.show(group.id)) } }
        if hasServer {
          Button("Invite") { send(.invite(group.id)) }
          Button("Calendar") { send(.calendar(group.id)) }
        }
        Button("Leave", role: .destructive) { send(.leave(group.id)) }
      }
      .buttonStyle(.borderless)
    }
  }
}
