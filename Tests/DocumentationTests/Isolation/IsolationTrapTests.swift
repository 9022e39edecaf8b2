#if canImport(Glibc)
  // Imported directly, because Foundation annotates its declarations of C functions as safe.
  import Glibc
  @preconcurrency import LegacyPositions
  import TestSupport
  import Testing

  /// The article's claims about closures that C calls.
  struct IsolationTrapTests {
    @Test func `a closure from main-actor code traps when C calls it elsewhere`() async {
      await #expect(processExitsWith: .failure) {
        let thread = await startThreadWithClosure()
        pthread_join(thread, nil)
      }
    }

    @Test func `a nonisolated function can be called by C elsewhere`() async {
      await #expect(processExitsWith: .success) {
        let thread = await startThreadWithFunction()
        pthread_join(thread, nil)
      }
    }

    @Test func `a preconcurrency conformance traps on another thread`() async {
      await #expect(processExitsWith: .failure) {
        let receiver = PositionReceiver()
        let helm = CheckedHelm()
        receiver.delegate = helm
        receiver.simulate(latitude: 54.4, longitude: 10.2)
        await Gate().wait()
      }
    }

    @Test func `a conformance of the main actor lets a library call on another thread`() async {
      await #expect(processExitsWith: .exitCode(3)) {
        let receiver = PositionReceiver()
        let helm = UncheckedHelm()
        await helm.follow(receiver)
        receiver.simulate(latitude: 54.4, longitude: 10.2)
        await Gate().wait()
      }
    }
  }

  /// The exit code shows that the library's thread entered the method.
  @MainActor private final class UncheckedHelm: PositionReceiverDelegate {
    func follow(_ receiver: PositionReceiver) { receiver.delegate = self }

    func receiver(_ receiver: PositionReceiver, didReceive position: Position) {
      exit(3)
    }
  }

  @MainActor private func startThreadWithClosure() -> pthread_t {
    var thread = pthread_t()
    pthread_create(&thread, nil, { _ in nil }, nil)
    return thread
  }

  @MainActor private func startThreadWithFunction() -> pthread_t {
    var thread = pthread_t()
    pthread_create(&thread, nil, returnAtOnce, nil)
    return thread
  }

  nonisolated private func returnAtOnce(
    _ context: UnsafeMutableRawPointer?
  ) -> UnsafeMutableRawPointer? {
    nil
  }
#endif
