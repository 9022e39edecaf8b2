#if canImport(Glibc)
  // Not through Foundation, whose declarations of C functions are taken for safe.
  import Glibc
  import Testing

  /// What the article on isolation says of closures that C calls.
  struct IsolationTrapTests {
    @Test func `a closure from main-actor code stops the program when C calls it elsewhere`() async
    {
      await #expect(processExitsWith: .failure) {
        let thread = await startThreadWithClosure()
        pthread_join(thread, nil)
      }
    }

    @Test func `a nonisolated function does not`() async {
      await #expect(processExitsWith: .success) {
        let thread = await startThreadWithFunction()
        pthread_join(thread, nil)
      }
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
