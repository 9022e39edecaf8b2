import Testing

@testable import causeway

struct CheckThenActTests {
  static let fixtures = [
    Fixture(
      CheckThenAct.self, "flags that are set after the suspension",
      """
      @MainActor final class Feed {
        var isSyncing = false
        var isLoading = false
        func sync() async {
          guard !isSyncing else { return }
          let token = await session.token()
          1️⃣isSyncing = true
        }
        func load() async throws {
          if self.isLoading { return }
          try await session.refresh()
          2️⃣self.isLoading = true
        }
        func start() {
          Task {
            guard isSyncing == false else { return }
            await session.refresh()
            3️⃣isSyncing = true
          }
        }
      }
      actor Recorder {
        var state = State()
        func start() async {
          guard !state.isRecording else { return }
          guard await permission() else { return }
          4️⃣state.isRecording = true
        }
      }
      """),
    Fixture(
      CheckThenAct.self, "values that are set after the suspension",
      """
      actor Streams {
        var open: [String: Descriptor] = [:]
        var session: Session?
        func start(_ id: String) async throws {
          guard open[id] == nil else { throw StreamError.isOpen }
          try await send(id)
          1️⃣open[id] = Descriptor(id)
        }
        func connect() async {
          if session != nil { return }
          await prepare()
          2️⃣session = Session()
        }
      }
      """),
    Fixture(
      CheckThenAct.self, "states of an enum",
      """
      @MainActor final class Feed {
        enum State { case idle, loading, loaded(Int) }
        var state = State.idle
        func load() async {
          guard state == .idle else { return }
          await session.refresh()
          1️⃣state = .loading
        }
        func reload() async {
          guard case .idle = state else { return }
          await session.refresh()
          2️⃣self.state = State.loading
        }
        func sync() async {
          if state == .loading { return }
          await session.refresh()
          3️⃣state = .loading
        }
        func start() async {
          switch state {
          case .idle:
            await session.refresh()
            4️⃣state = .loading
          default: break
          }
        }
      }
      """),
    Fixture(
      CheckThenAct.self, "states of an enum that say that the work has ended",
      """
      @MainActor final class Feed {
        enum State { case idle, loading, loaded(Int), stopped }
        var state = State.idle
        func load() async {
          guard state == .idle else { return }
          let count = await session.count()
          state = .loaded(count)
        }
        func stop() async {
          guard state == .loading else { return }
          await session.stop()
          state = .stopped
        }
        func sync() async {
          guard state != .loading else { return }
          state = .loading
          await session.refresh()
          state = .idle
        }
        func settle() async {
          guard state == .loading else { return }
          await session.refresh()
          state = .loading
        }
      }
      """),
    Fixture(
      CheckThenAct.self, "a computed flag and a toggle",
      """
      @MainActor final class Feed {
        var task: Task<Void, Never>?
        var isSyncing = false
        private var isRunning: Bool { task != nil }
        var isBusy: Bool { return isSyncing }
        func start() async {
          guard !isRunning else { return }
          await session.refresh()
          1️⃣task = Task { await self.sync() }
        }
        func sync() async {
          if isBusy { return }
          await session.refresh()
          2️⃣isSyncing = true
        }
        func turn() async {
          guard !isSyncing else { return }
          await session.refresh()
          3️⃣isSyncing.toggle()
        }
      }
      """),
    Fixture(
      CheckThenAct.self, "nested blocks, tasks, loops and positive conditions",
      """
      @MainActor final class Feed {
        var isSyncing = false
        func nested() async {
          guard !isSyncing else { return }
          do {
            let token = try await session.token()
            if token.isValid { 1️⃣isSyncing = true }
          } catch { print(error) }
        }
        func task() {
          guard !isSyncing else { return }
          Task {
            await session.refresh()
            2️⃣isSyncing = true
          }
        }
        func loop() async {
          if isSyncing { return }
          for await _ in session.ticks() { 3️⃣isSyncing = true }
        }
        func positive() async {
          if !isSyncing, session.isReady {
            await session.refresh()
            4️⃣isSyncing = true
          }
        }
        func deep() async {
          if session.isReady {
            guard isSyncing == false else { return }
            await session.refresh()
            5️⃣isSyncing = true
          }
        }
      }
      """),
    Fixture(
      CheckThenAct.self, "suspensions that are not on the path",
      """
      @MainActor final class Feed {
        var isSyncing = false
        var task: Task<Void, Never>?
        func leaves() async {
          guard !isSyncing else { return }
          if session.isOld {
            await session.refresh()
            return
          }
          isSyncing = true
        }
        func branches() async {
          guard !isSyncing else { return }
          switch session.kind {
          case .old: await session.refresh()
          case .new: isSyncing = true
          }
        }
        func task() {
          guard !isSyncing else { return }
          Task { await session.refresh() }
          isSyncing = true
        }
        func checked() async {
          guard !isSyncing else { return }
          await session.refresh()
          if isSyncing { return }
          isSyncing = true
        }
        func positive() async {
          if !isSyncing {
            isSyncing = true
            await session.refresh()
            isSyncing = false
          } else {
            await session.wait()
            isSyncing = true
          }
        }
        var isIdle: Bool { task == nil }
        func idle() async {
          guard !isIdle else { return }
          await session.refresh()
          task = Task {}
        }
      }
      """),
    Fixture(
      CheckThenAct.self, "flags that are set before the suspension",
      """
      @MainActor final class Feed {
        var isSyncing = false
        func sync() async {
          guard !isSyncing else { return }
          isSyncing = true
          defer { isSyncing = false }
          await session.refresh()
          isSyncing = true
        }
        func load() async {
          guard !isSyncing else { return }
          isSyncing = true
          await session.refresh()
          isSyncing = false
        }
      }
      """),
    Fixture(
      CheckThenAct.self, "a second check after the suspension",
      """
      @MainActor final class Feed {
        var isSyncing = false
        func sync() async {
          guard !isSyncing else { return }
          await session.refresh()
          guard !isSyncing else { return }
          isSyncing = true
        }
      }
      """),
    Fixture(
      CheckThenAct.self, "the result of the suspension",
      """
      actor Cache {
        var images: [Int: Image] = [:]
        var token: Token?
        func image(_ id: Int) async -> Image {
          if let image = images[id] { return image }
          let image = await download(id)
          images[id] = image
          return image
        }
        func refresh() async {
          if token != nil { return }
          token = await session.token()
        }
        func thumbnail(_ id: Int) async throws -> Image {
          if let image = images[id] { return image }
          try await prepare(id)
          let image = try load(id)
          images[id] = image
          return image
        }
      }
      """),
    Fixture(
      CheckThenAct.self, "a value from the result of the suspension",
      """
      @MainActor final class Session {
        var token: String?
        func refresh() async throws {
          if token != nil { return }
          let (_, data) = try await session.send(request)
          let text = String(decoding: data, as: UTF8.self)
          var trimmed = text
          trimmed.removeLast()
          token = trimmed
        }
      }
      """),
    Fixture(
      CheckThenAct.self, "a value in a case of the result",
      """
      @MainActor final class Form {
        var kind: Kind?
        func detect() async {
          guard kind == nil else { return }
          let result = await detector.detect()
          switch result {
          case .success(let found): kind = found.kind
          case .failure: break
          }
        }
      }
      """),
  ]

  @Test(arguments: fixtures + spellings)
  func `check-then-act reports at the markers`(fixture: Fixture) { fixture.verify() }
}
