import CausewayData
import CausewaySQLite
import Foundation
import HarborApp
import Testing

/// An app that uses the backend of another process, with one user.
struct Device {
  let process: HarborProcess
  let folder: URL
  private static let credentials = #"{"name":"Quetzal","passphrase":"correct horse battery"}"#

  init(_ folder: URL, _ server: String) async throws {
    self.folder = folder
    process = try await HarborProcess("app", data: folder, options: ["--server", server])
  }

  func signUp() async throws {
    try await send(#"{"signUp":\#(Self.credentials)}"#)
    let page = try await PageClient.open(process) { $0.isSignedIn }
    // When the group is shown, the page's session ends, so the answer can get lost.
    _ = try await page.send(#"{"foundGroup":{"name":"Club"}}"#, number: 1)
    _ = try await PageClient.open(process) { !$0.groups.isEmpty }
  }

  func signIn() async throws {
    try await send(#"{"signIn":\#(Self.credentials)}"#)
    _ = try await PageClient.open(process) { !$0.groups.isEmpty }
  }

  /// Sends an action from a new page.
  func send(_ action: String) async throws {
    let page = try await PageClient(process)
    let answer = try await page.send(action, number: 1)
    #expect([200, 202].contains(answer.status), "\(answer.text)")
  }

  func create(_ title: String) async throws {
    let start = Date(timeIntervalSinceNow: 3 * 86_400).formatted(.iso8601).prefix(16)
    try await send(
      #"""
      {"create":{"attempt":0,"form":{"title":"\#(title)","place":"","notes":"","start":"\#(start)"}}}
      """#)
    _ = try await PageClient.open(process) { $0.cards.contains { $0.title == title } }
  }

  func act(on title: String, _ action: String) async throws {
    let id = try await PageClient(process).content.id(of: title)
    try await send(#"{"\#(action)":{"id":"\#(id)"}}"#)
  }

  /// Opens the form of an activity and saves it with changed texts.
  func edit(_ title: String, _ change: (inout [String: String]) -> Void) async throws {
    let page = try await PageClient(process)
    let id = page.content.id(of: title)
    let opened = try await page.send(#"{"edit":{"id":"\#(id)"}}"#, number: 1)
    #expect(opened.status == 200)
    let start = Date(timeIntervalSinceNow: 3 * 86_400).formatted(.iso8601).prefix(16)
    var form = ["title": title, "place": "", "notes": "", "start": String(start)]
    change(&form)
    let text = String(decoding: try JSONEncoder().encode(form), as: UTF8.self)
    let saved = try await page.send(#"{"save":{"id":"\#(id)","form":\#(text)}}"#, number: 2)
    #expect(saved.status == 200, "\(saved.text)")
  }

  /// Returns when the server has all changes of the device, and the device has read them.
  func waitUntilSent() async throws {
    let store = try await SQLiteService(
      path: folder.appending(path: "device.sqlite").path, migrations: DeviceSchema.migrations)
    let pending: SQL = "SELECT count(*) FROM sync_outbox"
    for try await counts in store.observe(pending, as: Int.self) where counts == [0] { break }
    try await store.close()
  }
}
