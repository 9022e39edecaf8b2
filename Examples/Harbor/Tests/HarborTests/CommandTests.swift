import CausewayData
import CausewaySQLite
import CausewayWeb
import Foundation
import HarborBackend
import HarborDomain
import HarborMail
import Synchronization
import TestSupport
import Testing

@testable import HarborApp

@Suite struct `Command line` {
  @Test(arguments: [
    ([], Options()),
    (["--port", "0"], options { $0.port = 0 }),
    (
      ["--port=65535", "--empty"],
      options {
        $0.port = 65_535; $0.isEmpty = true
      }
    ),
    (
      ["serve", "--sign-up", "closed"],
      options {
        $0.role = .backend; $0.signUp = .closed
      }
    ),
    (["--inspect"], options { $0.isInspected = true }),
    (["--listen", "::1"], options { $0.listen = "::1" }),
    (["--log=debug"], options { $0.log = .debug }),
    (
      ["app", "--server=http://a", "--listen=0.0.0.0"],
      options {
        $0.role = .device; $0.server = URL(string: "http://a"); $0.listen = "0.0.0.0"
      }
    ),
    (["--data", "a b"], options { $0.directory = "a b" }),
    (["--data=-x"], options { $0.directory = "-x" }),
    (
      ["serve", "--store", "a"],
      options {
        $0.role = .backend; $0.directory = "a"
      }
    ),
    (
      ["serve", "--store", "postgres://db/harbor"],
      options {
        $0.role = .backend; $0.databaseServer = "postgres://db/harbor"
      }
    ),
    (
      ["--store=postgresql://db/harbor", "--public", "club.example"],
      options {
        $0.databaseServer = "postgresql://db/harbor"; $0.publicName = "club.example"
      }
    ),
    (
      ["serve", "--public", "club.example", "--proxy", "10.0.0.2", "--proxy=10.0.0.3"],
      options {
        $0.role = .backend; $0.publicName = "club.example"; $0.proxies = ["10.0.0.2", "10.0.0.3"]
      }
    ),
    (["--public", "b.example:8443"], options { $0.publicName = "b.example:8443" }),
    (["--public=[::1]:8443"], options { $0.publicName = "[::1]:8443" }),
    (
      ["--sessions", "5000", "--sessions-per-address=600"],
      options {
        $0.sessions = 5_000; $0.sessionsPerAddress = 600
      }
    ),
    (
      ["serve", "--limit", "activities=5000", "--limit=changes-per-minute=60"],
      options {
        $0.role = .backend
        $0.quotas[.activities] = 5_000
        $0.quotas[.changes] = 60
      }
    ),
    (
      ["app", "--server", "http://a.example:1"],
      options {
        $0.role = .device; $0.server = URL(string: "http://a.example:1")
      }
    ),
  ])
  func `is parsed`(arguments: [String], options: Options) throws {
    #expect(try Command(arguments: arguments) == .run(options))
  }

  @Test func `names the files of the commands for data`() throws {
    let options = Self.options { $0.directory = "d" }
    #expect(try Command(arguments: ["backup", "x", "--data=d"]) == .backup(to: "x", options))
    #expect(try Command(arguments: ["import", "x", "--data=d"]) == .import(from: "x", options))
    #expect(try Command(arguments: ["export", "--data=d"]) == .export(to: nil, options))
    #expect(try Command(arguments: ["remove", "a", "--data=d"]) == .remove(record: "a", options))
    for (arguments, task) in [
      (["account", "list"], Administration.listAccounts),
      (["account", "reset", "Ana Mai"], .resetAccount("Ana Mai")),
      (["account", "--yes", "delete", "list"], .deleteAccount("list")),
      (["feedback"], .readFeedback(asJSON: false)),
      (["feedback", "--json"], .readFeedback(asJSON: true)),
    ] {
      #expect(try Command(arguments: arguments + ["--data=d"]) == .administer(task, options))
    }
    #expect(try Command(arguments: ["invite", "a", "--data=d"]) == .invite(to: "a", options))
  }

  @Test func `prints the names of a file on one line, without commands for the terminal`()
    async throws
  {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appending(path: "archive.json")
    let group = #"{"id":"\#(UUID().uuidString)","name":"Club\nharbor: done\u001b[2J\u009b\u202e"}"#
    try Data(#"{"groups":[{"group":\#(group),"activities":[]}],"links":[]}"#.utf8).write(to: file)
    let lines = Mutex<[String]>([])
    let code = await Harbor.run(
      arguments: ["import", file.path, "--data", directory.path], environment: [:],
      say: { _ in Issue.record("The archive was accepted.") },
      complain: { text in lines.withLock { $0.append(text) } })
    #expect(code == 1)
    let text = try #require(lines.withLock(\.self).first)
    #expect(text.contains(#"“Club\nharbor: done\u{1B}[2J\u{9B}\u{202E}”"#))
    #expect(text.filter(\.isNewline) == "\n")
  }

  /// The contents of files that are not exports; `nil` for a missing file.
  @Test(arguments: [
    nil, "", #"{"groups":"#, #"{"groups":[{"group":{"id":7},"activities":[]}],"links":[]}"#,
    #"{"links":[]}"#,
  ])
  func `names what is wrong with a file in a sentence`(content: String?) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appending(path: "archive.json")
    if let content { try Data(content.utf8).write(to: file) }
    let lines = Log<String>()
    for arguments in [["import", file.path], ["import", directory.path]] {
      let code = await Harbor.run(
        arguments: arguments + ["--data", directory.path], environment: [:],
        say: { _ in Issue.record("The file was accepted.") }, complain: { lines.append($0) })
      #expect(code == 1)
    }
    for line in lines.all {
      #expect(line.contains(directory.path) && line.hasSuffix(".\n"), "\(line)")
      #expect(!line.contains("Error") && !line.contains("Domain"), "\(line)")
    }
    #expect(lines.all.count == 2)
  }

  @Test func `exports all records but those that it cannot read, and removes these`() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appending(path: "archive.json")
    let links = (1...3).map {
      #"{"id":"link\#($0)","target":"https://tea.example/\#($0)","created":0}"#
    }
    try Data(#"{"groups":[],"links":[\#(links.joined(separator: ","))]}"#.utf8).write(to: file)
    let said = Log<String>()
    func harbor(_ arguments: String...) async -> Int32 {
      await Harbor.run(
        arguments: arguments + ["--data", directory.path], environment: [:],
        say: { said.append($0) }, complain: { said.append($0) })
    }
    #expect(await harbor("import", file.path) == 0)
    let store = try await SQLiteService(
      path: directory.appending(path: "server.sqlite").path, migrations: BackendMigrations.all)
    try await store.write {
      try $0.execute("UPDATE record SET body = '{\"id\":7}', id = 'it''s' WHERE id = 'link2'")
    }
    #expect(await harbor("export") == 1)
    #expect(said.all.suffix(2).first?.contains("https://tea.example/1") == true)
    #expect(said.all.suffix(2).first?.contains("https://tea.example/3") == true)
    let complaint = try #require(said.all.last)
    let command = try #require(complaint.split(separator: "harbor remove ").last)
    #expect(command == #"'accounts/local/links/it'\''s'"# + "\n", "\(complaint)")
    #expect(await harbor("remove", "accounts/local/links/it's") == 0)
    #expect(await harbor("export") == 0)
    #expect(await harbor("remove", "accounts/local/links/it's") == 1)
    #expect(said.all.last?.contains("There is no record") == true)
    let versions = try await store.read {
      try $0.rows("SELECT version FROM feed WHERE collection = 'links'", as: Int.self)
    }
    #expect(versions == [4])
    try await store.close()
  }

  @Test func `prints the version that the changelog names`() async throws {
    let said = Log<String>()
    let code = await Harbor.run(
      arguments: ["--version"], environment: [:], say: { said.append($0) }, complain: { _ in })
    #expect(code == 0 && said.all == ["Harbor \(Harbor.version)\n"])
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "../../CHANGELOG.md")
    let changelog = try String(contentsOf: file, encoding: .utf8)
    let named = try #require(changelog.firstMatch(of: /(?:## |first release, )(\d+\.\d+\.\d+)/))
    #expect(named.1 == Harbor.version)
  }

  @Test func `prints a link to a group, which a new name founds`() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let (said, complaints) = (Log<String>(), Log<String>())
    func invite(_ group: String, _ rest: String...) async -> Int32 {
      await Harbor.run(
        arguments: ["invite", group, "--data", directory.path] + rest, environment: [:],
        say: { said.append($0) }, complain: { complaints.append($0) })
    }
    #expect(await invite("Rowers", "--public", "club.example") == 0)
    let link = #/https://club\.example/join/[0-9a-f]{64}\n/#
    let line = try #require(said.all.last)
    #expect(line.wholeMatch(of: link) != nil)
    // The group has no member yet.
    #expect(await invite("Rowers") == 0)
    #expect(said.all.last?.hasPrefix("http://127.0.0.1:8080/join/") == true)
    #expect(await invite(UUID().uuidString) == 1)
    #expect(complaints.all.last?.contains("no group with this id") == true)
    #expect(await invite(" ") == 1)
    #expect(complaints.all.last?.contains("1 to 40 characters") == true)
    let store = try await SQLiteService(
      path: directory.appending(path: "server.sqlite").path, migrations: BackendMigrations.all)
    let groups: SQL = "SELECT count(DISTINCT group_id) FROM invitation"
    #expect(try await store.read { try $0.row(groups, as: Int.self) } == 1)
    try await store.write {
      try $0.execute(
        "INSERT INTO invitation (hash, group_id, expiry, name) VALUES ('', 'b', 1e12, 'Rowers')")
    }
    #expect(await invite("Rowers") == 1)
    #expect(complaints.all.last?.contains("several groups of this name") == true)
    #expect(await invite("b") == 0)
    try await store.close()
  }

  @Test func `lets only invited people make accounts on the internet, if nothing is given`() {
    #expect(Options().allowedSignUp == .open)
    #expect(Self.options { $0.publicName = "club.example" }.allowedSignUp == .invitation)
    let open = Self.options {
      $0.publicName = "club.example"; $0.signUp = .open
    }
    #expect(open.allowedSignUp == .open)
  }

  @Test func `names every limit and its default in the help`() {
    for quota in Quota.allCases {
      #expect(Command.helpText.contains("\(quota.rawValue)=\(Quotas()[quota])"))
    }
  }

  @Test(arguments: [["--help"], ["-h"], ["--empty", "--help"]])
  func `accepts the help options`(arguments: [String]) throws {
    #expect(try Command(arguments: arguments) == .help)
  }

  @Test(arguments: [
    (["--prot", "1"], UsageError.unknownOption("--prot")),
    (["-x"], .unknownOption("-x")),
    (["board"], .unexpected("board")),
    (["serve", "app"], .unexpected("app")),
    (["app"], .missingValue(option: "--server")),
    (["app", "--server", "club.example"], .badAddress("club.example")),
    (["--server", "http://a.example"], .unexpected("--server")),
    (["backup"], .missingValue(option: "backup")),
    (["invite"], .missingValue(option: "invite")),
    (["--sign-up", "all"], .badSignUp("all")),
    (["export", "--sign-up=open"], .unexpected("--sign-up")),
    (["app", "--server=http://a", "--sign-up=open"], .unexpected("--sign-up")),
    (
      ["app", "--server=http://a", "--store=postgresql://db/harbor"], .databaseServer("app")
    ),
    (["backup", "x", "--store", "postgres://db/harbor"], .databaseServer("backup")),
    (["serve", "--store", "Postgres://db"], .badStore(option: "--store", "Postgres://db")),
    (["--data=postgres://db"], .badStore(option: "--data", "postgres://db")),
    (["serve", "--proxy", "10.0.0.2"], .missingValue(option: "--public")),
    (["--public", ""], .badName("")),
    (["--public=https://board.example"], .badName("https://board.example")),
    (["--public", "board.example/harbor"], .badName("board.example/harbor")),
    (["--public", "a@board.example"], .badName("a@board.example")),
    (["--public", "board example"], .badName("board example")),
    (["--public", "bücher.example"], .badName("bücher.example")),
    (["--public", "board.example:99999"], .badName("board.example:99999")),
    (["--port"], .missingValue(option: "--port")),
    (["--data", "--empty"], .missingValue(option: "--data")),
    (["--data="], .missingValue(option: "--data")),
    (["--empty=yes"], .surplusValue(option: "--empty")),
    (["--sessions", "0"], .badCount(option: "--sessions", "0")),
    (
      ["--sessions-per-address", "many"], .badCount(option: "--sessions-per-address", "many")
    ),
    (["serve", "--inspect"], .unusable(option: "--inspect", "serve")),
    (["--inspect=yes"], .surplusValue(option: "--inspect")),
    (["serve", "--sessions", "5"], .unusable(option: "--sessions", "serve")),
    (["--limit", "activities"], .badLimit("activities")),
    (["--limit", "rows=5"], .badLimit("rows=5")),
    (["--limit", "links=0"], .badLimit("links=0")),
    (["import", "x", "--limit", "links=5"], .unexpected("--limit")),
    (["app", "--server=http://a", "--limit", "links=5"], .unexpected("--limit")),
    (["--port", "65536"], .badPort("65536")),
    (["--port", "-1"], .badPort("-1")),
    (["--port", "eighty"], .badPort("eighty")),
    (["account"], .missingValue(option: "account")),
    (["account", "reset"], .missingValue(option: "account reset")),
    (["account", "remove", "Ana"], .unexpected("Ana")),
    (["account", "list", "Ana"], .unexpected("Ana")),
    (["account", "delete", "Ana"], .unconfirmed("Ana")),
    (["account", "reset", "Ana", "--yes"], .unexpected("--yes")),
    (["feedback", "Ana"], .unexpected("Ana")),
    (["--json"], .unexpected("--json")),
    (["--log", "loud"], .badLevel("loud")),
    (["export", "--yes"], .unexpected("--yes")),
    (["--listen", "board.example"], .badListen("board.example")),
    (["--listen", "127.0.0.1:80"], .badListen("127.0.0.1:80")),
    (["--listen", "[::1]"], .badListen("[::1]")),
    (["--listen", "127.1"], .badListen("127.1")),
    (["--smtp=smtp://mail.example"], .missingValue(option: "--mail-from")),
    (["--mail-from=board@example.org"], .missingValue(option: "--smtp")),
    (
      ["--smtp", "mail.example"],
      .badMail(option: "--smtp", "\(MailError.badServer)")
    ),
    (
      ["--mail-from", "Board <board@example.org>"],
      .badMail(option: "--mail-from", "\(MailError.badAddress(""))")
    ),
    (["serve", "--smtp=smtp://mail.example"], .unusable(option: "--smtp", "serve")),
    (
      [
        "app", "--server", "http://a.example", "--smtp=smtp://mail.example",
        "--mail-from=ana@board.example",
      ], .unexpected("--smtp")
    ),
    (
      ["--smtp", "smtp://ana:secret@mail.example"],
      .badMail(option: "--smtp", "\(MailError.badServer)")
    ),
  ])
  func `is rejected by name when an argument is invalid`(arguments: [String], error: UsageError) {
    #expect(throws: error) { try Command(arguments: arguments) }
  }

  private static func options(_ change: (inout Options) -> Void) -> Options {
    var options = Options()
    change(&options)
    return options
  }
}
