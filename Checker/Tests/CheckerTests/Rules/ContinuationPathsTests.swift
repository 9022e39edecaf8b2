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
  ]

  @Test(arguments: fixtures + spellings)
  func `continuation-paths reports at the markers`(fixture: Fixture) { fixture.verify() }
}
