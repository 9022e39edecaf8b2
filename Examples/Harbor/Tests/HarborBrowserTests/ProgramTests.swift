import BrowserDriver
import CausewayData
import CausewaySQLite
import Foundation
import HarborApp
import TestSupport
import Testing

extension BrowserTests {
  /// The executable as it is started from a shell.
  @Suite struct `The program` {
    @Test func `explains its options`() async throws {
      let run = try await finish(["--help"])
      #expect(run.exit == .code(0))
      for option in ["--port", "--data", "--empty", "--help"] {
        #expect(run.output.contains(option))
      }
    }

    @Test(arguments: [["--prot"], ["--port", "http"], ["--data"]])
    func `rejects invalid arguments with exit status 64 and a hint`(
      arguments: [String]
    ) async throws {
      let run = try await finish(arguments)
      #expect(run.exit == .code(64))
      #expect(run.errors.contains(arguments[0]) || run.errors.contains("http"))
      #expect(run.errors.contains("harbor --help"))
    }

    @Test func `continues when the reader of its output has ended`() async throws {
      try await withTemporaryDirectory { data in
        let output = Pipe()
        try output.fileHandleForReading.close()
        let (ends, continuation) = AsyncStream.makeStream(of: SpawnedProcess.Exit.self)
        let process = try SpawnedProcess(
          HarborProcess.executable(), ["serve", "--port", "0", "--data", data.path],
          output: output.fileHandleForWriting, onExit: { continuation.yield($0) })
        try output.fileHandleForWriting.close()
        // The program handles signals before it makes the database.
        let database = data.appending(path: "server.sqlite").path
        await until { FileManager.default.fileExists(atPath: database) }
        process.send(signal: SIGTERM)
        #expect(await ends.first { _ in true } == .code(0))
      }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func `reports that an export cannot be written`() async throws {
      try await withTemporaryDirectory { data in
        let harbor = try await HarborProcess("serve", data: data)
        #expect(await harbor.stop() == .code(0))
        let shell = try HarborProcess.shell(
          "exec \"$HARBOR\" export --data '\(data.path)' > /dev/full")
        #expect(await shell.exit == .code(1))
        #expect(await shell.allErrors.contains("The output is incomplete"))
      }
    }

    @Test func `reports a port that is in use`() async throws {
      try await withTemporaryDirectory { data in
        let first = try await HarborProcess(data: data.appending(path: "one"))
        let two = data.appending(path: "two").path
        let run = try await finish(["--port", first.port, "--data", two])
        #expect(run.exit == .code(1))
        #expect(run.errors.contains("Port \(first.port) on 127.0.0.1 is in use."))
        #expect(await first.stop() == .code(0))
      }
    }

    @Test func `reports a directory that cannot hold the board`() async throws {
      try await withTemporaryDirectory { data in
        let file = data.appending(path: "file")
        try Data("text".utf8).write(to: file)
        for path in [file.path, file.appending(path: "below").path] {
          let run = try await finish(["--port", "0", "--data", path])
          #expect(run.exit == .code(1))
          #expect(run.errors.contains("\(path) cannot hold the board."))
          #expect(run.errors.contains("--data"))
        }
      }
    }

    /// The arguments of a process that uses a database.
    private static func arguments(_ database: String, _ data: String) -> [String] {
      // The app only needs an address, because it stores its data without a server.
      let app = database == "device.sqlite" ? ["app", "--server", "http://127.0.0.1:9"] : []
      return app + ["--port", "0", "--data", data]
    }

    @Test(arguments: ["device.sqlite", "server.sqlite"])
    func `leaves a file unchanged that is not a board`(name: String) async throws {
      try await withTemporaryDirectory { data in
        let file = data.appending(path: name)
        let content =
          Data("This is a letter, not a board. ".utf8) + Data(repeating: 7, count: 9_000)
        try content.write(to: file)
        let run = try await finish(Self.arguments(name, data.path))
        #expect(run.exit == .code(1))
        #expect(run.errors.contains("\(file.path) cannot be opened."))
        // A backup that fails leaves no directory, so its name can be used again.
        let copy = data.appending(path: "copy").path
        #expect(try await finish(["backup", copy, "--data", data.path]).exit == .code(1))
        #expect(!FileManager.default.fileExists(atPath: copy))
        #expect(try Data(contentsOf: file) == content)
      }
    }

    @Test(arguments: ["device.sqlite", "server.sqlite"], [0, 1, 4])
    func `reports a damaged board and leaves it unchanged`(name: String, page: Int) async throws {
      try await withTemporaryDirectory { data in
        let app = try HarborProcess.launch(Self.arguments(name, data.path))
        for await line in app.lines where line.contains("Harbor is open") { break }
        app.send(signal: SIGTERM)
        #expect(await app.exit == .code(0))
        let file = data.appending(path: name)
        var content = try Data(contentsOf: file)
        let start = page * 4_096 + (page == 0 ? 100 : 0)
        content.replaceSubrange(start..<start + 64, with: Data(repeating: 0xA5, count: 64))
        try content.write(to: file)
        try await self.expectDamage(in: file, content)
        // An interrupted copy leaves half a file.
        content = content.prefix(content.count / 2)
        try content.write(to: file)
        try await self.expectDamage(in: file, content)
      }
    }

    private func expectDamage(in file: URL, _ content: Data) async throws {
      let data = file.deletingLastPathComponent().path
      let run = try await finish(Self.arguments(file.lastPathComponent, data))
      #expect(run.exit == .code(1))
      #expect(run.errors.contains("\(file.path) is damaged and was left as it is"))
      #expect(run.errors.contains("backup"))
      #expect(try Data(contentsOf: file) == content)
    }

    @Test func `refuses a directory that another program uses`() async throws {
      try await withTemporaryDirectory { data in
        let first = try await HarborProcess(data: data)
        let run = try await finish(["--port", "0", "--data", data.path])
        #expect(run.exit == .code(1))
        #expect(run.errors.contains("Another process uses this directory."))
        #expect(await first.stop() == .code(0))
      }
    }

    /// Launches an app that has a session and no data of its account, and whose first start waits
    /// for a server that does not answer.
    private func withWaitingApp(_ body: (ChildProcess, URL) async throws -> Void) async throws {
      try await withTemporaryDirectory { data in
        let token = AuthToken(access: "access", refresh: "refresh", account: "ana")
        try FileTokenStore(path: data.appending(path: "token").path).save(token)
        let server = try RawServer { _, connection in connection.waitForClose() }
        let app = try HarborProcess.launch(
          ["app", "--server", server.address, "--port", "0", "--data", data.path])
        await server.requests.wait(for: 1)
        try await body(app, data)
      }
    }

    @Test func `ends at a signal while its first start waits for a server`() async throws {
      try await withWaitingApp { app, _ in
        app.send(signal: SIGTERM)
        var output = ""
        for await line in app.lines { output += line }
        #expect(output == "Harbor is closed.")
        #expect(await app.exit == .code(0))
      }
    }

    @Test func `reports what it cannot store at a signal during its start`() async throws {
      try await withWaitingApp { app, data in
        let store = try await SQLiteService(
          path: data.appending(path: "device.sqlite").path, migrations: DeviceSchema.migrations)
        try await store.write {
          try $0.execute(
            """
            CREATE TRIGGER refuse BEFORE INSERT ON preference
            BEGIN SELECT RAISE(ABORT, 'refused'); END
            """)
        }
        try await store.close()
        app.send(signal: SIGTERM)
        for await _ in app.lines {}
        #expect(await app.exit == .code(1))
        #expect(await app.allErrors.contains("preferences was not closed properly"))
      }
    }

    @Test func `copies, exports and imports its data while it runs`() async throws {
      try await withTemporaryDirectory { data in
        let folder = data.appending(path: "first")
        let first = try await HarborProcess(data: folder)
        let copy = data.appending(path: "copy").path
        #expect(try await finish(["backup", copy, "--data", folder.path]).exit == .code(0))
        let again = try await finish(["backup", copy, "--data", folder.path])
        #expect(again.exit == .code(1) && again.errors.contains("of that name"))
        let export = try await finish(["export", "--data", folder.path])
        #expect(export.exit == .code(0) && export.output.contains("Walk to the lighthouse"))
        #expect(await first.stop() == .code(0))

        let file = data.appending(path: "board.json")
        try Data(export.output.utf8).write(to: file)
        let new = data.appending(path: "new").path
        let imported = try await finish(["import", file.path, "--data", new])
        #expect(imported.exit == .code(0) && imported.output.contains("6 records are new."))
        let repeated = try await finish(["import", file.path, "--data", new])
        #expect(repeated.output.contains("0 records are new."))
        for path in [copy, new] {
          let second = try await HarborProcess(data: URL(filePath: path))
          _ = try await PageClient.open(second) { $0.cards.count == 5 }
          #expect(await second.stop() == .code(0))
        }
        try Data("[1]".utf8).write(to: file)
        let refused = try await finish(["import", file.path, "--data", new])
        #expect(refused.exit == .code(1) && refused.errors.contains("is not an export"))
      }
    }

    @Test func `stores the board where XDG_DATA_HOME says`() async throws {
      try await withTemporaryDirectory { data in
        let process = try HarborProcess.launch(
          ["--port", "0"], with: ["XDG_DATA_HOME": data.path])
        for await line in process.lines where line.contains(data.path) { break }
        process.send(signal: SIGINT)
        #expect(await process.exit == .code(0))
        let file = data.appending(path: "harbor/server.sqlite")
        #expect(FileManager.default.fileExists(atPath: file.path))
      }
    }

    private struct Run {
      var exit: ChildProcess.Exit
      var output: String
      var errors: String
    }

    private func finish(_ arguments: [String]) async throws -> Run {
      let process = try HarborProcess.launch(arguments)
      var output = ""
      for await line in process.lines { output += line + "\n" }
      return Run(exit: await process.exit, output: output, errors: await process.allErrors)
    }
  }
}
