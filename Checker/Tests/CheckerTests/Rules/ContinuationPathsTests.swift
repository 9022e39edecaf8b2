import Testing

@testable import causeway

struct ContinuationPathsTests {
  static let fixtures = [
    Fixture(
      ContinuationPaths.self, "resumed twice",
      """
      await withCheckedThrowingContinuation { continuation in
        load { data, error in
          if let error { continuation.resume(throwing: error) }
          1️⃣continuation.resume(returning: data)
        }
      }
      await withCheckedContinuation { c in
        for item in items { 2️⃣c.resume(returning: item) }
      }
      """),
    Fixture(
      ContinuationPaths.self, "not resumed on a path",
      """
      await withCheckedThrowingContinuation { continuation in
        load { 1️⃣data, error in
          if let error {
            continuation.resume(throwing: error)
          } else if let data {
            continuation.resume(returning: data)
          }
        }
      }
      await withCheckedContinuation { c in
        load { 2️⃣[weak self] value in
          guard let self else { return }
          c.resume(returning: self.map(value))
        }
      }
      await withUnsafeContinuation { 3️⃣(c: UnsafeContinuation<Int, Never>) in
        if ready { c.resume(returning: 1) }
      }
      """),
    Fixture(
      ContinuationPaths.self, "a throw before the resume is not caught",
      """
      await withCheckedThrowingContinuation { continuation in
        load { 1️⃣data in
          do {
            let value = try decode(data)
            continuation.resume(returning: value)
          } catch {
            print(error)
          }
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "conditions that exclude each other, but leave a gap",
      """
      await withCheckedContinuation { continuation in
        evaluate { 1️⃣succeeded, error in
          if error != nil { continuation.resume(returning: false) }
          if succeeded { continuation.resume(returning: true) }
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "no callback is registered on a path",
      """
      await withCheckedContinuation { 1️⃣[weak self] continuation in
        self?.load { continuation.resume(returning: $0) }
      }
      await withCheckedContinuation { 2️⃣continuation in
        guard let url else { return }
        load(url) { continuation.resume(returning: $0) }
      }
      await withCheckedContinuation { continuation in
        queue.async 3️⃣{
          if isReady { load { continuation.resume(returning: $0) } }
        }
      }
      await withCheckedContinuation { 4️⃣continuation in
        switch kind {
        case .old: load { continuation.resume(returning: $0) }
        case .new: print("new")
        }
      }
      await withCheckedContinuation { continuation in
        load(success: { continuation.resume(returning: $0) }, failure: { 5️⃣error in print(error) })
      }
      await withCheckedContinuation { continuation in
        Task 6️⃣{
          let value = try await load()
          continuation.resume(returning: value)
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "a callback is registered on each path",
      """
      await withCheckedContinuation { [weak self] continuation in
        guard let self else {
          continuation.resume(returning: 0)
          return
        }
        self.load { continuation.resume(returning: $0) }
      }
      await withCheckedContinuation { continuation in
        queue.async {
          if isReady {
            load { continuation.resume(returning: $0) }
          } else {
            continuation.resume(returning: 0)
          }
        }
      }
      await withCheckedContinuation { continuation in
        switch kind {
        case .old: load { continuation.resume(returning: $0) }
        case .new: continuation.resume(returning: 1)
        }
      }
      await withCheckedContinuation { continuation in
        load(success: { continuation.resume(returning: $0) }, failure: { continuation.resume(throwing: $0) })
      }
      await withCheckedContinuation { continuation in
        Task {
          do {
            continuation.resume(returning: try await load())
          } catch {
            continuation.resume(throwing: error)
          }
        }
      }
      await withCheckedContinuation { continuation in
        load(options: options?.all ?? []) { continuation.resume(returning: $0) }
      }
      await withCheckedContinuation { continuation in
        for item in items { group.enter(); load(item) { group.leave() } }
        group.notify(queue: .main) { continuation.resume(returning: 1) }
      }
      """),
    Fixture(
      ContinuationPaths.self, "a resume beside the callback",
      """
      await withCheckedContinuation { continuation in
        load { continuation.resume(returning: $0) }
        1️⃣continuation.resume(returning: 0)
      }
      await withCheckedThrowingContinuation { continuation in
        let session = WebSession { url, error in
          if let url {
            continuation.resume(returning: url)
          } else {
            continuation.resume(throwing: error ?? CancellationError())
          }
        }
        if !session.start() { 2️⃣continuation.resume(throwing: CancellationError()) }
      }
      await withCheckedThrowingContinuation { continuation in
        let session = WebSession { continuation.resume(with: $0) }
        guard session.start() else {
          3️⃣continuation.resume(throwing: CancellationError())
          return
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "a resume if the callback is not registered",
      """
      await withCheckedThrowingContinuation { continuation in
        let status = register { continuation.resume(returning: $0) }
        if status != 0 { continuation.resume(throwing: Failed()) }
      }
      await withCheckedThrowingContinuation { continuation in
        if isReady {
          load { continuation.resume(returning: $0) }
        } else {
          continuation.resume(throwing: Failed())
        }
      }
      await withCheckedThrowingContinuation { continuation in
        guard other.start() else {
          continuation.resume(throwing: Failed())
          return
        }
        load { continuation.resume(returning: $0) }
      }
      """),
    Fixture(
      ContinuationPaths.self, "once on each path",
      """
      await withCheckedThrowingContinuation { continuation in
        load { data, error in
          if let error {
            continuation.resume(throwing: error)
            return
          }
          guard let data else {
            continuation.resume(throwing: Missing())
            return
          }
          do {
            continuation.resume(returning: try decode(data))
          } catch {
            continuation.resume(throwing: error)
          }
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "a switch",
      """
      await withCheckedContinuation { c in
        load { result in
          switch result {
          case .success(let x): c.resume(returning: x)
          case .failure: c.resume(returning: 0)
          }
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "two callbacks",
      """
      await withCheckedThrowingContinuation { c in
        load(success: { c.resume(returning: $0) }, failure: { c.resume(throwing: $0) })
      }
      """),
    Fixture(
      ContinuationPaths.self, "stored for later",
      "await withCheckedContinuation { c in waiters.append(c) }"),
    Fixture(
      ContinuationPaths.self, "a handler that is called repeatedly",
      """
      await withCheckedContinuation { c in
        connection.stateUpdateHandler = { state in
          switch state {
          case .ready: c.resume()
          default: break
          }
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "a callback that counts its calls and resumes in the last one",
      """
      await withCheckedContinuation { continuation in
        var remaining = times.count
        generator.generateImages(forTimes: times) { image in
          remaining -= 1
          if remaining == 0 { continuation.resume() }
        }
      }
      await withCheckedContinuation { continuation in
        var images: [Image] = []
        generator.generateImages(forTimes: times) { image in
          images.append(image)
          if images.count == times.count { continuation.resume(returning: images) }
        }
      }
      await withCheckedContinuation { continuation in
        var count = 0
        loader.load { 1️⃣image in
          count += 1
          if image != nil { continuation.resume(returning: image) }
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "a flag that allows only one resume",
      """
      await withCheckedContinuation { continuation in
        var didResume = false
        manager.image(for: asset) { image, _ in
          guard !didResume else { return }
          didResume = true
          continuation.resume(returning: image)
        }
      }
      await withCheckedContinuation { continuation in
        reader.read { value in
          if !state.isClaimed {
            state.isClaimed = true
            continuation.resume(returning: value)
          }
        }
      }
      await withCheckedContinuation { continuation in
        reader.read { value in
          guard claimed.withLock({ claim(&$0) }) else { return }
          continuation.resume(returning: value)
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "a flag that the callback does not set",
      """
      await withCheckedContinuation { continuation in
        manager.image(for: asset) { 1️⃣image, _ in
          guard !isClosed else { return }
          continuation.resume(returning: image)
        }
      }
      """),
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

  @Test(arguments: fixtures)
  func `continuation-paths reports at the markers`(fixture: Fixture) { fixture.verify() }
}
