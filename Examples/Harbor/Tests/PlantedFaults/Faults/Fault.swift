import Causeway
package import CausewayInspector
import HarborDomain

@testable package import HarborFeatures

/// Ten mistakes in features of Harbor, and the sessions in which they show themselves.
package enum Fault: Int, CaseIterable {
  case staleProblem = 1, tooManyRows, rowBeyondResults, forgottenKey, endlessSending
  case longFeedback, emptyList, removedTwice, lostRows, shortPassphrase

  /// Whether the mistake ends the program; the others leave a wrong state.
  package var isCrash: Bool {
    switch self {
    case .rowBeyondResults, .forgottenKey, .longFeedback, .removedTwice, .shortPassphrase: true
    case .staleProblem, .tooManyRows, .endlessSending, .emptyList, .lostRows: false
    }
  }

  /// The expression that makes the feature in a test.
  package var expression: String {
    switch self {
    case .staleProblem, .tooManyRows, .rowBeyondResults, .lostRows:
      "Fault(rawValue: \(rawValue))!.search"
    case .forgottenKey, .endlessSending, .longFeedback: "Fault(rawValue: \(rawValue))!.feedback"
    case .emptyList, .removedTwice: "Fault(rawValue: \(rawValue))!.links"
    case .shortPassphrase: "Fault(rawValue: \(rawValue))!.signIn"
    }
  }

  @MainActor package var search: Planted<SearchInteractor> {
    Planted(in: SearchInteractor(repository: Doubles()), .init()) { [self] state, action in
      switch (self, action) {
      case (.staleProblem, .clear): state.problem = "The old problem."
      case (.tooManyRows, .showMore): state.rows += 1
      case (.lostRows, .showMore): state.rows = 0
      case (.rowBeyondResults, .showMore): _ = state.found?.rows[state.rows]
      default: break
      }
    }
  }

  @MainActor package var feedback: Planted<FeedbackInteractor> {
    Planted(in: FeedbackInteractor(service: Doubles()), .init()) { [self] state, action in
      switch (self, action) {
      case (.forgottenKey, .retry): preconditionFailure("The key of the text is gone.")
      case (.endlessSending, .submit(let text)) where text == state.text:
        state.stage = .sending(0.9)
      case (.longFeedback, .submit(let text)):
        precondition(text.count < 40, "The text is too long for one line.")
      default: break
      }
    }
  }

  @MainActor package var links: Planted<LinksInteractor> {
    Planted(in: LinksInteractor(links: Doubles()), .init()) { [self] state, action in
      switch (self, action) {
      case (.emptyList, .add): state.links = []
      case (.removedTwice, .remove(let name)):
        precondition(state.failure == nil, "\(name) is removed twice.")
      default: break
      }
    }
  }

  @MainActor package var signIn: Planted<SignInInteractor> {
    Planted(in: SignInInteractor(account: Doubles()), .init()) { [self] state, action in
      switch (self, action) {
      case (.shortPassphrase, .signIn(let credentials)):
        // The inspector hides the passphrase, so a recording does not have the failing value.
        precondition(credentials.passphrase.count > 4, "The passphrase is too short.")
      default: break
      }
    }
  }

  /// Uses the feature until the mistake shows itself.
  ///
  /// Without a page, stopping the inspector only waits until all events are in its ring.
  @MainActor
  package func play(watchedBy inspector: Inspector) async {
    switch self {
    case .staleProblem, .tooManyRows, .rowBeyondResults:
      let model = ViewModel(search, observer: .inspected(by: inspector))
      await model.send(.type("storm")).finish()
      await model.send(.type("boat")).finish()
      await inspector.stop()
      model.send(self == .staleProblem ? .clear : .showMore)
    case .forgottenKey, .endlessSending, .longFeedback:
      let model = ViewModel(feedback, observer: .inspected(by: inspector))
      await model.send(.submit("a storm")).finish()
      await inspector.stop()
      switch self {
      case .forgottenKey: model.send(.retry)
      case .endlessSending: model.send(.submit("a storm"))
      default: model.send(.submit("The \"board\" is late\n\u{1F6A2} again, and again, and again"))
      }
    case .emptyList, .removedTwice:
      let model = ViewModel(links, observer: .inspected(by: inspector))
      await model.send(.remove("pier")).finish()
      await inspector.stop()
      model.send(self == .emptyList ? .add(name: "", target: "x") : .remove("pier"))
    case .lostRows:
      ViewModel(search, observer: .inspected(by: inspector)).send(.showMore)
    case .shortPassphrase:
      let model = ViewModel(signIn, observer: .inspected(by: inspector))
      await model.send(.useLocalAccount).finish()
      await inspector.stop()
      model.send(.signIn(Credentials(name: "Ana", passphrase: "1234")))
    }
  }
}
