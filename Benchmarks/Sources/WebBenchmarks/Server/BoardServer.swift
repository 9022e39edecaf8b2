import Causeway
import CausewayWeb
import Foundation

/// A server that hosts a board, either with a copy for each session or shared by all sessions.
@MainActor
enum BoardServer {
  static func run(rows: Int, isShared: Bool) async throws {
    let board = ViewModel(Board(rows: rows))
    var configuration = WebServerConfiguration(port: 0)
    configuration.limits.sessions = 6_000
    configuration.limits.connections = 8_000
    let server = WebServer(configuration: configuration)
    let shared = isShared ? try SharedState("board", of: board) : nil
    let page = try PageTemplate("<html><head><!-- causeway --></head></html>")
    server.page("/", page, sharing: { _ in shared }) { _ in
      let model = ViewModel(Visitor(board: board, followsBoard: !isShared))
      model.send(.appear)
      return model
    }
    FileHandle.standardOutput.write(Data("\(try await server.start().url)\n".utf8))
    // The benchmark ends this process.
    while true { try await Task.sleep(for: .seconds(3600)) }
  }
}
