#if canImport(CMailCurl)
  import CausewaySyncServer
  import HarborAccounts
  import CausewayData
  import CausewaySQLite
  import CausewayWeb
  import Foundation
  import HarborDomain
  import TestSupport
  import Testing

  @testable import HarborApp
  @testable import HarborBackend

  /// The whole program: its database, its mails, and the page that ends them.
  @Suite(.timeLimit(.minutes(10))) struct `Mails of a host that was off` {
    private func activity(_ title: String, days: Double) -> ActivityRecord {
      let people = ["Zoe", "Ana"].map(PersonName.init(stored:))
      return ActivityRecord(
        Activity(
          id: UUID().uuidString.lowercased(),
          details: ActivityDetails(
            title: title, place: "Pier", notes: nil, start: Date() + days * 86_400),
          host: people[0], participants: [people[0]], created: Date(), updated: Date(), revision: 1)
      )
    }

    /// Makes changes as a host that was killed 20 hours ago, before their mails were due.
    private func change(_ path: String) async throws {
      let store = try await SQLiteService(path: path, migrations: BackendMigrations.all)
      let backend = Backend(
        store: store, configuration: .init(port: 0), now: { Date() - 20 * 3_600 },
        random: Secret.system, passphraseCost: 1)
      let zoe = try await backend.makeAccount(
        Credentials(name: "Zoe", passphrase: "correct horse battery"), from: "192.0.2.1")
      let ana = try await backend.makeAccount(
        Credentials(name: "Ana", passphrase: "correct horse battery"), from: "192.0.2.2")
      let group = UUID().uuidString.lowercased()
      try await backend.groups(of: zoe.id).apply(.found(GroupRecord(id: group, name: "Rowers")))
      _ = try await backend.accept(backend.invite(to: group, as: zoe.id), as: ana.id)
      let own = backend.activities(of: group, as: zoe.id)
      let (row, swim, sing) = (
        activity("Row", days: 7), activity("Swim", days: 7), activity("Sing", days: 0.5)
      )
      for record in [row, swim, sing] {
        try await own.apply(.create(record))
        try await backend.activities(of: group, as: ana.id).apply(
          .join(id: record.id, person: "Ana"))
      }
      try await store.write { transaction in
        try transaction.execute(
          "INSERT INTO account_mail (account, address) VALUES (\(ana.id), 'ana@a.example')")
        for kind in MailKind.allCases {
          try transaction.execute("INSERT INTO notice_choice VALUES (\(ana.id), \(kind), 'GMT')")
        }
      }
      var text = ActivityText(row.details)
      text.title = "Row far"
      try await own.apply(
        .edit(id: row.id, from: ActivityText(row.details), to: text, at: row.updated))
      try await own.apply(.delete(id: swim.id))
      try await store.close()
    }

    private func text(of mail: MailServerDouble.Received) throws -> String {
      let body = mail.content[try #require(mail.content.range(of: "\n\n")).upperBound...]
      let data = Data(base64Encoded: String(body), options: .ignoreUnknownCharacters)
      return String(decoding: try #require(data), as: UTF8.self).replacing("\r\n", with: "\n")
    }

    @Test func `are sent after the start, and end with their link`() async throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: directory) }
      try await change(directory.appending(path: "server.sqlite").path)
      let server = try MailServerDouble()
      let arguments = [
        "--port=0", "--server-port=0", "--smtp", server.address, "--mail-from", "board@a.example",
      ]
      guard case .run(let options) = try Command(arguments: arguments) else { return }
      let harbor = try await HarborServer(
        options: options, directory: DataDirectory(path: directory.path))
      await server.mails.wait(for: 3)
      let texts = try server.mails.all.map { try text(of: $0) }.sorted()
      #expect(texts.count == 3)
      for (text, beginning) in zip(texts, ["“Row”, ", "“Sing” begins on ", "“Swim”, "]) {
        #expect(text.hasPrefix(beginning) && text.contains("\n\nEnd these mails: http://"))
      }
      #expect(texts[0].contains("was changed.\nTitle: Row far\n\nhttp://"))
      #expect(texts[1].contains(" (GMT).\nPlace: Pier\n"))
      #expect(texts[2].contains("is off the board.\n"))
      // A link begins with the address of the backend, because the system has chosen the port.
      let link = try #require(texts[0].firstMatch(of: /http:\/\/[^\/]+(\/mail\/end\/\w+)/)).1
      let database = try await SQLiteService(
        path: directory.appending(path: "server.sqlite").path, migrations: BackendMigrations.all)
      for (method, kinds) in [("GET", 3), ("POST", 2)] {
        // The server of a mail program sends such a POST (RFC 8058).
        let answer = try await PlainRequest(
          method: method, address: harbor.url + link,
          headers: ["Content-Type": "application/x-www-form-urlencoded"],
          body: method == "GET" ? nil : Data("List-Unsubscribe=One-Click".utf8)
        ).answer()
        #expect(answer.status == 200 && answer.text.contains("changes of activities"))
        let count = try await database.read {
          try $0.row("SELECT count(*) FROM notice_choice", as: Int.self)
        }
        #expect(count == kinds)
      }
      try await database.close()
      try await harbor.stop()
    }
  }
#endif
