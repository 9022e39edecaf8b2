public import Causeway
import CausewayData
public import HarborDomain

/// Feedback: sends a text, shows the progress, and keeps the text until the server has it.
public struct FeedbackInteractor: Interactor {
  /// The state of the form.
  public struct State: Sendable, Equatable {
    /// The stage of the form.
    public internal(set) var stage = Stage.writing
    /// The text that was sent, for a retry.
    public internal(set) var text = ""
    /// The identity of the text; a retry sends the same key.
    var key: IdempotencyKey?

    /// An empty form.
    public init() {}

    /// The stages of the form.
    public enum Stage: Sendable, Equatable {
      /// The user writes. The problem belongs to the text.
      case writing
      /// The text is on its way; the value is the sent part, from 0 to 1.
      case sending(Double)
      /// The text was not sent. The value is the reason.
      case failed(String)
      /// The server has the text.
      case sent
    }
  }

  /// The actions of the form.
  public enum Action: Sendable, Equatable {
    /// Sends a text.
    case submit(String)
    /// Sends the same text again after a failure.
    case retry
    /// Shows an empty form again.
    case startOver
  }

  private let service: any FeedbackServiceProtocol

  /// Makes the form.
  public init(service: any FeedbackServiceProtocol) {
    self.service = service
  }

  /// Handles each action.
  public var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .submit(let text):
        guard case .sending = state.stage else {
          if text != state.text || state.key == nil { state.key = IdempotencyKey() }
          state.text = text
          guard text.contains(where: { !$0.isWhitespace }) else {
            state.stage = .failed("Write a few words first.")
            return .state
          }
          return send(&state)
        }
        return .state
      case .retry:
        guard case .failed = state.stage else { return .state }
        return send(&state)
      case .startOver:
        state = State()
        return .cancel("send")
      }
    }
  }

  private func send(_ state: inout State) -> Emission<State, Action> {
    guard let key = state.key else { return .state }
    state.stage = .sending(0)
    return .perform(.first, id: "send") { [service, text = state.text] send in
      let (parts, continuation) = AsyncStream.makeStream(
        of: Double.self, bufferingPolicy: .bufferingNewest(1))
      async let sending: Void = {
        defer { continuation.finish() }
        try await service.send(text, key: key) { continuation.yield($0) }
      }()
      for await part in parts { await send { $0.stage = .sending(part) } }
      try await sending
      await send { state in
        state = State()
        state.stage = .sent
      }
    } catch: { state, error in
      state.stage = .failed(Sentence.of(error))
    }
  }
}
