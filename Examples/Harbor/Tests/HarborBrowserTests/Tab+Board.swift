import BrowserDriver
import Foundation

/// The actions of a person on the board, with mouse and keyboard.
extension Tab {
  func openBoard(_ harbor: any RunningHarbor, as name: String? = nil) async throws {
    try await resize(width: 1_400, height: 900)
    try await open(harbor.url)
    try await waitUntilLive()
    if let name { try await say(name: name) }
  }

  func waitUntilLive() async throws {
    try await wait(until: "document.documentElement?.dataset.connection === 'online'")
  }

  func say(name: String) async throws {
    try await fill(".naming input[name=name]", with: name)
    try await press(.enter)
    try await wait(
      until: "document.getElementById('own-name').textContent === \(name.script)")
  }

  func compose(_ title: String, place: String = "", notes: String = "", start: String? = nil)
    async throws
  {
    try await fill(".composer input[name=title]", with: title)
    if let start { try await set(".composer input[name=start]", to: start) }
    try await fill(".composer input[name=place]", with: place)
    try await fill(".composer textarea[name=notes]", with: notes)
    try await click(".composer .row .primary")
  }

  /// An element inside the card that shows a text.
  func onCard(_ text: String, _ selector: String) -> Element {
    Element(selector, in: ".card", containing: text)
  }

  func waitForCard(_ title: String) async throws {
    try await waitToSee(onCard(title, "h3"))
  }

  func waitForNoCard(_ title: String) async throws {
    try await waitToMiss(onCard(title, "h3"))
  }

  /// The person's name on the page, or an empty text.
  var ownName: String {
    get async throws {
      try await evaluate("document.getElementById('own-name').textContent", as: String.self)
    }
  }

  /// The titles on the board, from top to bottom.
  var titles: [String] {
    get async throws {
      try await evaluate(
        "[...document.querySelectorAll('.card h3')].map((e) => e.textContent)", as: [String].self)
    }
  }
}

extension Tab {
  /// Signs out on the page of the account.
  func leaveAccount() async throws {
    try await click(".places a[href='/account']")
    try await click(".sign-out")
    try await click("dialog button[value=yes]")
    try await waitToSee(".sign-in")
  }

  /// Opens the board with a new account, which has no group.
  func openBoard(_ harbor: any RunningHarbor, withNewAccount name: String, _ passphrase: String)
    async throws
  {
    try await openBoard(harbor)
    try await leaveAccount()
    try await openBoard(harbor)
    try await fill(".sign-in [name=name]", with: name)
    try await fill(".sign-in [name=passphrase]", with: passphrase)
    try await click(".sign-in .row .plain")
    try await waitToRead("No group yet")
  }
}
