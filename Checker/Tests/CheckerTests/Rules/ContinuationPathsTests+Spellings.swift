@testable import causeway

extension ContinuationPathsTests {
  static let spellings = [
    Fixture(
      ContinuationPaths.self, "callbacks that wait for the last call",
      """
      await withCheckedThrowingContinuation { continuation in
        io.read(offset: 0, length: 1, queue: queue) { done, data, error in
          guard done else { return }
          continuation.resume(returning: data)
        }
      }
      await withCheckedContinuation { continuation in
        manager.requestImage(for: asset) { image, info in
          if info?[PHImageResultIsDegradedKey] as? Bool == true { return }
          continuation.resume(returning: image)
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "a closure inside a callback that is called repeatedly",
      """
      await withCheckedThrowingContinuation { continuation in
        input.requestMediaDataWhenReady(on: queue) {
          wait {
            if try await write() { continuation.resume() }
          }
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "a closure inside a callback that is called once",
      """
      await withCheckedContinuation { continuation in
        input.request(on: queue) {
          work.perform { 1️⃣value in
            if let value { continuation.resume(returning: value) }
          }
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "the loop ends after the resume",
      """
      await withCheckedContinuation { c in
        for item in items {
          if item.isGood { c.resume(returning: item); return }
        }
        c.resume(returning: nil)
      }
      """),
    Fixture(
      ContinuationPaths.self, "a resume for an immediate error",
      """
      await withCheckedContinuation { c in
        guard let url else { c.resume(returning: nil); return }
        load(url) { data in c.resume(returning: data) }
      }
      """),
    Fixture(
      ContinuationPaths.self, "a task without an error, a repeated handler and a value that is set",
      """
      await withCheckedContinuation { c in
        Task {
          try? await Task.sleep(for: .seconds(1))
          c.resume()
        }
      }
      await withCheckedContinuation { c in
        monitor.pathUpdateHandler = { path in
          guard once.claim() else { return }
          Task { c.resume(returning: await read(path)) }
        }
        monitor.start()
      }
      alert = Alert()
      await withCheckedContinuation { c in
        alert?.show { c.resume() }
      }
      """),
    Fixture(
      ContinuationPaths.self, "a timeout beside a callback",
      """
      func a() async throws {
        try await withCheckedThrowingContinuation { continuation in
          send { continuation.resume() }
          Task {
            try await Task.sleep(for: .seconds(1))
            1️⃣continuation.resume(throwing: Late())
          }
        }
        try await withCheckedThrowingContinuation { continuation in
          DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
            2️⃣continuation.resume(throwing: Late())
          }
          send { error in
            if let error { continuation.resume(throwing: error) } else { continuation.resume() }
          }
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "a timeout that the callback excludes",
      """
      func a() async throws {
        try await withCheckedThrowingContinuation { continuation in
          let timeout = Task {
            try await Task.sleep(for: .seconds(1))
            continuation.resume(throwing: Late())
          }
          send {
            timeout.cancel()
            continuation.resume()
          }
        }
        try await withCheckedThrowingContinuation { continuation in
          var isDone = false
          send {
            guard !isDone else { return }
            isDone = true
            continuation.resume()
          }
          DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
            guard !isDone else { return }
            isDone = true
            continuation.resume(throwing: Late())
          }
        }
        await withCheckedContinuation { continuation in
          DispatchQueue.main.asyncAfter(deadline: .now() + 1) { continuation.resume() }
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "states of a connection",
      """
      func connect() async throws {
        try await withCheckedThrowingContinuation { continuation in
          connection.stateUpdateHandler = { state in
            switch state {
            case .ready: continuation.resume()
            case .failed(let error): 1️⃣continuation.resume(throwing: error)
            default: break
            }
          }
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "states of a connection of which one counts",
      """
      func connect() async throws {
        try await withCheckedThrowingContinuation { continuation in
          connection.stateUpdateHandler = { state in
            switch state {
            case .ready:
              connection.stateUpdateHandler = nil
              continuation.resume()
            case .failed(let error):
              connection.stateUpdateHandler = nil
              continuation.resume(throwing: error)
            default: break
            }
          }
        }
        try await withCheckedThrowingContinuation { continuation in
          connection.stateUpdateHandler = { state in
            switch state {
            case .ready, .cancelled: continuation.resume()
            default: break
            }
          }
        }
        try await withCheckedThrowingContinuation { continuation in
          connection.stateUpdateHandler = { state in
            switch state {
            case .ready: if claim() { continuation.resume() }
            case .failed(let error): if claim() { continuation.resume(throwing: error) }
            default: break
            }
          }
        }
        try await withCheckedThrowingContinuation { continuation in
          connection.stateUpdateHandler = { state in
            guard !isDone else { return }
            isDone = true
            switch state {
            case .ready: continuation.resume()
            case .failed(let error): continuation.resume(throwing: error)
            default: break
            }
          }
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "a cancellation beside a callback",
      """
      func post() async throws {
        try await withCheckedThrowingContinuation { continuation in
          let tap = EventTap { event in
            continuation.resume()
            return event
          }
          Task {
            await withTaskCancellationHandler {
              tap.enable()
            } onCancel: {
              1️⃣continuation.resume(throwing: CancellationError())
            }
          }
        }
        try await withCheckedThrowingContinuation { continuation in
          let tap = EventTap { event in
            guard once.claim() else { return event }
            continuation.resume()
            return event
          }
          Task {
            await withTaskCancellationHandler {
              tap.enable()
            } onCancel: {
              if once.claim() { continuation.resume(throwing: CancellationError()) }
            }
          }
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "a callback that must not be called in a test",
      """
      import Testing
      @Test func start() async throws {
        try await withCheckedThrowingContinuation { continuation in
          let coordinator = Coordinator(onDismiss: { continuation.resume(throwing: Unexpected()) })
          coordinator.start()
          continuation.resume()
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "a defer, another queue and the short name",
      """
      func load() async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
          fetch { value, error in
            defer { 1️⃣continuation.resume(returning: value) }
            if let error { continuation.resume(throwing: error) }
          }
        }
        try await withCheckedThrowingContinuation { continuation in
          fetch { value, error in
            if let error { continuation.resume(throwing: error) }
            DispatchQueue.main.async { 2️⃣continuation.resume(returning: value) }
          }
        }
        return await withCheckedContinuation {
          $0.resume(returning: 1)
          3️⃣$0.resume(returning: 2)
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "one resume in a defer, on another queue and with the short name",
      """
      func load() async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
          fetch { value, error in
            defer { continuation.resume(returning: value) }
            print(error)
          }
        }
        try await withCheckedThrowingContinuation { continuation in
          fetch { value, error in
            if let error {
              continuation.resume(throwing: error)
              return
            }
            DispatchQueue.main.async { continuation.resume(returning: value) }
          }
        }
        return await withCheckedContinuation { $0.resume(returning: 1) }
      }
      """),
  ]
}
