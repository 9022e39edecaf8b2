import Causeway
import CausewayTesting
import Testing

@MainActor struct PostBoxTests {
  private let mail = AsyncStream.makeStream(of: String.self)

  private var arrive: AsyncStream<String>.Continuation { mail.continuation }

  private var postBox: PostBox {
    PostBox(read: { ["Ana", "Ben"] }, arrivals: { [stream = mail.stream] in stream })
  }

  @Test func `finish waits for everything that an action has started`() async {
    // snippet
    let model = ViewModel(postBox)
    await model.send(.refresh).finish()
    #expect(model.letters == ["Ana", "Ben"])
    // end
  }

  @Test func `a test waits for a state if the effect does not end`() async {
    // snippet
    let model = ViewModel(postBox)
    let following = model.send(.follow)  // ends when it is cancelled, or when the stream ends
    arrive.yield("Cleo")
    let state = await model.states.first { $0.letters.count == 1 }
    #expect(state?.letters == ["Cleo"])
    following.cancel()
    #expect(model.runningEffects.isEmpty)
    // end
  }

  @Test func `the next part of a sequence begins when the effects before it have ended`() async {
    let model = ViewModel(postBox)
    await model.send(.stampAfterRefresh).finish()
    #expect(model.isStamped)
  }

  // snippet
  @Test func `letters that arrive are added`() async {
    let model = TestModel(postBox)
    await model.send(.follow)
    arrive.yield("Cleo")
    await model.expect { $0.letters = ["Cleo"] }
    await model.cancelEffects()
    await model.finish()
  }
  // end
}
