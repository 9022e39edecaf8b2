import Causeway
import CausewayTesting
import Testing

/// Doubles whose single functions fail when they are called.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct UnexpectedCallTests {
  struct Api: Sendable {
    var load: @Sendable (_ page: Int) async throws -> [String]
    var save: @Sendable (String, Int) async throws -> Void
    var count: @Sendable () -> Int
    var close: @Sendable () async -> Void

    static func failing(_ reporter: FailureReporter) -> Api {
      Api(
        load: unexpected("load", reporter: reporter), save: unexpected("save", reporter: reporter),
        count: unexpected("count", returning: 7, reporter: reporter),
        close: unexpected("close", returning: (), reporter: reporter))
    }
  }

  struct Pages: Interactor {
    enum Action: Equatable, Sendable { case load, save }
    let api: Api

    var body: some Interactor<[String], Action> {
      Interact<[String], Action>(initialValue: []) { [api] state, action in
        switch action {
        case .load:
          .perform { send in
            let page = try await api.load(1)
            await send { $0 += page }
          }
        case .save:
          .perform { _ in
            try await api.save("a", 1)
          } catch: { state, error in
            state = ["\(error is UnexpectedCall)"]
          }
        }
      }
    }
  }

  @Test func `a function that the test does not expect fails it`() async {
    let failures = Failures()
    var api = Api.failing(failures.reporter)
    api.load = { ["page \($0)"] }
    let model = TestModel(Pages(api: api))
    await model.send(.load)
    await model.expect { $0 = ["page 1"] }
    #expect(failures.all.isEmpty)
    await model.send(.save)
    await model.expect { $0 = ["true"] }
    #expect(failures.all.count == 1)
    #expect(failures.all.first?.hasPrefix("save was called") == true)
    await model.finish()
  }

  @Test func `a function that cannot throw returns its value`() async {
    let failures = Failures()
    let api = Api.failing(failures.reporter)
    #expect(api.count() == 7)
    await api.close()
    #expect(failures.all.count == 2)
  }

  @Test func `the failure is an issue of the running test`() async {
    await withKnownIssue {
      let api = Api(
        load: unexpected("load"), save: unexpected("save"),
        count: unexpected("count", returning: 0), close: unexpected("close", returning: ()))
      let model = TestModel(Pages(api: api))
      await model.send(.save)
      await model.expect { $0 = ["true"] }
      await model.finish()
    } matching: { issue in
      "\(issue)".contains("save was called")
    }
  }
}
