import Causeway
import Foundation
import HarborFeatures
import SwiftUI

typealias LinksModel = ViewModel<PageViewState.Links, LinksInteractor.Action>

/// The short links of the account, and the form for a new one.
///
/// The view keeps the typed texts until the link is stored.
struct LinksView: View {
  let links: LinksModel
  @State private var name = ""
  @State private var target = ""
  @State private var isAsking = false
  @State private var asked: String?

  var body: some View {
    NavigationStack {
      List {
        Section("A new link") {
          TextField("Name", text: $name)
          TextField("Leads to", text: $target)
          if !links.problem.isEmpty { Text(links.problem).foregroundStyle(.red) }
          if !links.failure.isEmpty { Text(links.failure).foregroundStyle(.red) }
          Button("Add the link") { Task { await add() } }
        }
        .autocorrectionDisabled()
        if links.isLoading { ProgressView("Reading the links") }
        if links.isEmpty {
          Text("No links yet. A short link leads to a long address, such as a map or a form.")
        }
        ForEach(links.rows) { link in
          LinkView(link: link) {
            asked = link.id
            isAsking = true
          }
        }
      }
      .buttonStyle(.borderless)
      .navigationTitle("Short links")
      .confirmationDialog(
        Text("Delete the link?"), isPresented: $isAsking, presenting: asked
      ) { name in
        Button("Delete it", role: .destructive) { links.send(.remove(name)) }
      } message: { name in
        Text("The address of “\(name)” stops working.")
      }
    }
  }

  private func add() async {
    await links.send(.add(name: name, target: target)).finish()
    if !links.isRefused { (name, target) = ("", "") }
  }
}

/// A short link with its buttons.
struct LinkView: View {
  let link: PageViewState.Links.Row
  let delete: () -> Void

  var body: some View {
    VStack(alignment: .leading) {
      // The address does not work until the server has the link.
      Text(link.isPending ? link.id : link.address).font(.headline).textSelection(.enabled)
      Text(link.target).foregroundStyle(.secondary)
      HStack {
        if link.isPending {
          Text("Not sent yet").font(.caption)
        } else if let address = URL(string: link.address) {
          ShareLink(item: address)  // its menu also copies the address
        }
        Spacer()
        Button("Delete", role: .destructive) { delete() }
      }
    }
  }
}
