import CausewayHTTP
import CausewayNetwork
import Foundation
import HarborDomain
import TestSupport
import Testing

@testable import HarborApp

/// The commands for a Harbor that runs in another process.
@Suite(.timeLimit(.minutes(10))) struct `The people who run Harbor` {
  /// Runs a body with the address of a running `harbor serve`, and a function that runs a command
  /// on its data and returns the exit code and the text.
  private func withHarbor(
    _ body: (Server, (String...) async -> (code: Int32, text: String)) async throws -> Void
  ) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    guard case .run(let options) = try Command(arguments: ["serve", "--port=0"]) else { return }
    let harbor = try await HarborServer(
      options: options, directory: DataDirectory(path: directory.path))
    do {
      try await body(Server(url: try #require(URL(string: harbor.url)))) { (arguments: String...) in
        let said = Log<String>()
        let code = await Harbor.run(
          arguments: arguments + ["--data", directory.path], environment: [:],
          say: { said.append($0) }, complain: { said.append($0) })
        return (code, said.all.joined())
      }
    } catch {
      try? await harbor.stop()
      throw error
    }
    try await harbor.stop()
  }

  @Test func `list accounts, and remove one, whose device notices`() async throws {
    try await withHarbor { server, harbor in
      let ana = try await server.member("Ana")
      _ = try await server.member("Ben")
      let list = await harbor("account", "list").text.split(separator: "\n")
      #expect(list.count == 2)
      #expect(list.first?.hasPrefix("Ana\tsince 20") == true)
      #expect(list.first?.hasSuffix("groups 1\tbrowsers 0\tdevices 1") == true)
      var events = ana.network.events(
        for: NetworkRequest(.get, "/groups/\(ana.group)/activities/events")
      ).makeAsyncIterator()
      #expect(try await events.next()?.data == "0")
      #expect(await harbor("account", "delete", "Ana", "--yes") == (0, "The account is removed.\n"))
      do { while try await events.next() != nil {} } catch {}
      let refused = await #expect(throws: NetworkError.self) { try await ana.list() }
      #expect(refused?.status == 401)
      #expect(await harbor("account", "list").text.hasPrefix("Ben\t"))
      let again = await harbor("account", "delete", "Ana", "--yes")
      #expect(again.code == 1 && again.text.contains("There is no account “Ana”."))
    }
  }

  @Test func `give a person a link for a new passphrase`() async throws {
    try await withHarbor { server, harbor in
      let ana = try await server.member("Ana")
      let (code, text) = await harbor("account", "reset", "Ana", "--public", "board.example")
      let link = try #require(text.firstMatch(of: /https:\/\/board\.example(\/reset\/[0-9a-f]+)\n/))
      #expect(code == 0)
      var form = PlainRequest(method: "POST", address: "\(server.url)\(link.1)")
      #expect(try await PlainRequest(address: form.address).answer().text.contains("for Ana:"))
      form.body = Data("passphrase=new+horse+battery".utf8)
      #expect(try await form.answer().status == 200)
      #expect(try await form.answer().status == 404)
      await #expect(throws: NetworkError.self) { try await ana.list() }
    }
  }

  @Test func `read the feedback, the newest first`() async throws {
    try await withHarbor { server, harbor in
      let (ana, ben) = (try await server.member("Ana"), try await server.member("Ben"))
      #expect(await harbor("feedback") == (0, ""))
      for (member, text) in [(ana, "More boats."), (ben, "Two\nlines\u{1B}[2J")] {
        try await member.network.call(Endpoint(.post, "/feedback", body: ["text": text]))
      }
      let text = await harbor("feedback").text
      let expected = /\S+Z Ben\n  Two\n  lines\\u\{1B\}\[2J\n\n\S+Z Ana\n  More boats\.\n/
      #expect(try expected.wholeMatch(in: text) != nil, "\(text)")
      struct Entry: Decodable {
        var name: String?
        var text: String
        var created: Date
      }
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      func entries() async throws -> [Entry] {
        try decoder.decode([Entry].self, from: Data(await harbor("feedback", "--json").text.utf8))
      }
      #expect(try await entries().map(\.text) == ["Two\nlines\u{1B}[2J", "More boats."])
      #expect(try await entries().map(\.name) == ["Ben", "Ana"])
      #expect(await harbor("account", "delete", "Ben", "--yes").code == 0)
      #expect(try await entries().map(\.name) == [nil, "Ana"])
    }
  }
}
