import Causeway
import CausewayWeb
import Synchronization
import TestSupport

/// A small feature for pages in tests.
struct Board: Interactor {
  struct State: Sendable, Encodable, Equatable {
    var count = 0
    var texts: [String] = []
    var note: String?
    var padding = ""
    var late: String?
  }

  enum Action: Sendable, Codable {
    case add(Int)
    case say(text: String)
    case note(String?)
    case pad(bytes: Int)
    case later(text: String)
  }

  var gate = Gate()
  /// The data stored by the effects of `later`.
  var stored: Log<String>?

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .add(let number): state.count += number
      case .say(let text): state.texts.append(text)
      case .note(let note): state.note = note
      case .pad(let bytes):
        state.count += 1
        state.padding = String(repeating: "x", count: bytes)
      case .later(let text):
        let (gate, stored) = (gate, stored)
        state.count += stored == nil ? 0 : 1
        return .perform { send in
          await gate.wait()
          try Task.checkCancellation()
          stored?.append(text)
          await send { $0.late = text }
        }
      }
      return .state
    }
  }

  nonisolated static let page =
    "<html><head><title>{{title}}</title><!-- causeway --></head></html>"
}

extension WebServer {
  /// A server on a free port with a board at `/`.
  static func board(
    gate: Gate = Gate(), _ change: (inout WebServerConfiguration) -> Void = { _ in }
  ) throws -> WebServer {
    var configuration = WebServerConfiguration.patient
    configuration.limits.actionsPerSecond = 1e9
    configuration.limits.actionBurst = 1_000_000
    change(&configuration)
    let server = WebServer(configuration: configuration)
    server.page("/", try PageTemplate(Board.page, values: ["title": "Board"])) { _ in
      ViewModel(Board(gate: gate))
    }
    return server
  }
}

extension WebServerConfiguration {
  /// Any free port, and deadlines that a busy machine does not exceed.
  static var patient: Self {
    var configuration = Self(port: 0)
    // Many servers of the tests share the limit of open files.
    configuration.limits.connections = 1_000
    configuration.limits.streamGrace = .seconds(3600)
    configuration.limits.transferTimeout = .seconds(3600)
    configuration.limits.requestTimeout = .seconds(3600)
    configuration.limits.effectTime = .seconds(3600)
    return configuration
  }
}
