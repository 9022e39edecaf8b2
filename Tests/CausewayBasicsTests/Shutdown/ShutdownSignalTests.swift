import CausewayBasics
import Foundation
import Testing

struct ShutdownSignalTests {
  @Test func `a second signal has its default effect`() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      let signals = ShutdownSignal.received()
      kill(getpid(), SIGTERM)
      for await _ in signals { break }
      kill(getpid(), SIGTERM)
      // The signal may arrive on another thread, shortly after the call.
      sleep(60)
    }
  }

  @Test func `a shutdown signal reaches every sequence`() async {
    let (one, two) = (ShutdownSignal.received(), ShutdownSignal.received())
    kill(getpid(), ShutdownSignal.terminate.rawValue)
    for stream in [one, two] {
      for await signal in stream {
        #expect(signal == .terminate)
        break
      }
    }
  }
}
