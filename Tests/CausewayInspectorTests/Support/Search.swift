import Causeway
import Foundation
import TestSupport

/// A feature with texts, rows, an effect and secrets.
struct Search: Interactor {
  struct Row: Codable, Equatable, Sendable, Identifiable {
    var id: Int
    var title: String
  }

  enum Stage: Equatable, Sendable {
    case idle
    case shown(Page)
  }

  struct Page: Equatable, Sendable {
    var number = 1
    var note: String?
  }

  struct Login: Equatable, Sendable {
    var name = ""
    var passphrase = ""
  }

  struct State: Equatable, Sendable {
    var query = ""
    var rows: [Row] = []
    var stage = Stage.idle
    var login: Login?
    var diary = ""
    var error: String?
  }

  enum Action: Sendable {
    case updateQuery(String)
    case show(page: Int)
    case signIn(Login)
    case write(diary: String)
    case select(Row)
    case fail
  }

  struct Refused: Error {}

  var find: @Sendable (String) async throws -> [Row] = { _ in [] }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [find] state, action in
      switch action {
      case .updateQuery(let query):
        state.query = query
        return .perform(.latest, id: "search") { send in
          let rows = try await find(query)
          await send { $0.rows = rows }
        } catch: { state, error in
          state.error = "\(error)"
        }
      case .show(let page):
        if case .shown(var shown) = state.stage {
          shown.number = page
          state.stage = .shown(shown)
        } else {
          state.stage = .shown(Page(number: page))
        }
      case .signIn(let login): state.login = login
      case .write(let diary): state.diary = diary
      case .select(let row): state.rows = [row]
      case .fail: return .action(.updateQuery("again"))
      }
      return .state
    }
  }
}

/// Runs a body with a directory that is removed afterwards.
func withDirectory<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
  let directory = FileManager.default.fastTemporaryDirectory
    .appending(path: "inspector-\(UUID().uuidString)", directoryHint: .isDirectory)
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  return try await body(directory)
}
