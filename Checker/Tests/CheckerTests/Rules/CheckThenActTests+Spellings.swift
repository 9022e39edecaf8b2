@testable import causeway

extension CheckThenActTests {
  static let spellings = [
    Fixture(
      CheckThenAct.self, "flags that say that the work has ended",
      """
      @MainActor final class Feed {
        var isLoaded = false
        var hasFetched = false
        func load() async {
          guard !isLoaded else { return }
          await fetch()
          isLoaded = true
        }
        func fetch() async {
          if hasFetched { return }
          await session.refresh()
          hasFetched = true
        }
      }
      """),
    Fixture(
      CheckThenAct.self, "the end of work",
      """
      actor Runner {
        var isRunning = true
        var task: Task<Void, Never>?
        func stop() async {
          guard isRunning else { return }
          await finish()
          isRunning = false
        }
        func wait() async {
          guard let task else { return }
          await task.value
          self.task = nil
        }
      }
      """),
    Fixture(
      CheckThenAct.self, "a class without isolation, and a local variable",
      """
      final class Feed {
        var isSyncing = false
        func sync() async {
          guard !isSyncing else { return }
          await session.refresh()
          isSyncing = true
        }
      }
      @MainActor final class Page {
        func sync() async {
          var isSyncing = false
          guard !isSyncing else { return }
          await session.refresh()
          isSyncing = true
        }
      }
      """),
    Fixture(
      CheckThenAct.self, "no suspension between, and another property",
      """
      @MainActor final class Feed {
        var isSyncing = false
        var isLoading = false
        func sync() async {
          guard !isSyncing else { return }
          Task { await session.refresh() }
          isSyncing = true
          await finish()
        }
        func load() async {
          guard !isSyncing else { return }
          await session.refresh()
          isLoading = true
        }
      }
      """),
    Fixture(
      CheckThenAct.self, "closures that run in place, and a task of the main queue",
      """
      @MainActor final class Feed {
        var isLoading = false
        func hop() async {
          guard !isLoading else { return }
          await session.refresh()
          await MainActor.run { 1️⃣isLoading = true }
        }
        func animated() async {
          if isLoading { return }
          await session.refresh()
          withAnimation { 2️⃣self.isLoading = true }
        }
        func later() async {
          guard !isLoading else { return }
          await session.refresh()
          DispatchQueue.main.async { 3️⃣self.isLoading = true }
        }
        func weak() {
          guard !isLoading else { return }
          Task { [weak self] in
            await self?.refresh()
            4️⃣self?.isLoading = true
          }
        }
      }
      """),
    Fixture(
      CheckThenAct.self, "flags that are set before a suspension, also in a task",
      """
      @MainActor final class Feed {
        var isLoading = false
        func more() {
          guard !isLoading else { return }
          isLoading = true
          Task { await session.page(); isLoading = false }
        }
        func first() {
          guard !isLoading else { return }
          Task { isLoading = true; await session.page() }
        }
        func checked() {
          guard !isLoading else { return }
          Task {
            await session.page()
            guard !isLoading else { return }
            isLoading = true
          }
        }
        func hop() async {
          guard !isLoading else { return }
          await MainActor.run { isLoading = true }
          await session.page()
        }
      }
      """),
    Fixture(
      CheckThenAct.self, "conditions with operators, a switch and a computed flag with cases",
      """
      @MainActor final class Feed {
        enum State { case idle, loading, loaded }
        var state = State.idle
        var isSyncing = false
        var isLoading: Bool { if case .loading = state { return true }; return false }
        var isBusy: Bool {
          switch state {
          case .loading: true
          default: false
          }
        }
        var isRunning: Bool { get { isSyncing } }
        func both() async {
          guard session.isReady && !isSyncing else { return }
          await session.refresh()
          1️⃣isSyncing = true
        }
        func either() async {
          if isSyncing || session.isOld { return }
          await session.refresh()
          2️⃣isSyncing = true
        }
        func negated() async {
          guard !(isSyncing || session.isOld) else { return }
          await session.refresh()
          3️⃣isSyncing = true
        }
        func leaves() async {
          switch state {
          case .loading: return
          default: break
          }
          await session.refresh()
          4️⃣state = .loading
        }
        func computed() async {
          guard !isLoading else { return }
          await session.refresh()
          5️⃣state = .loading
        }
        func chosen() async {
          if isBusy { return }
          await session.refresh()
          6️⃣state = .loading
        }
      }
      """),
    Fixture(
      CheckThenAct.self, "conditions that say nothing about the flag",
      """
      @MainActor final class Feed {
        enum State { case idle, loading, loaded }
        var state = State.idle
        var isSyncing = false
        var isLoaded: Bool { if case .loaded = state { return true }; return false }
        func either() async {
          guard session.isReady || !isSyncing else { return }
          await session.refresh()
          isSyncing = true
        }
        func both() async {
          if isSyncing && session.isOld { return }
          await session.refresh()
          isSyncing = true
        }
        func mixed() async {
          guard !isSyncing && session.isReady || session.isNew else { return }
          await session.refresh()
          isSyncing = true
        }
        func computed() async {
          guard !isLoaded else { return }
          await session.refresh()
          state = .loaded
        }
        func continues() async {
          switch state {
          case .loading: print("again")
          default: break
          }
          await session.refresh()
          state = .loading
        }
      }
      """),
    Fixture(
      CheckThenAct.self, "a getter, a collection and an else branch",
      """
      actor Downloads {
        var loadingIDs: Set<Int> = []
        var isSyncing = false
        var isRunning: Bool { get { isSyncing } }
        func load(_ id: Int) async {
          guard !loadingIDs.contains(id) else { return }
          await prepare()
          1️⃣loadingIDs.insert(id)
        }
        func again(_ id: Int) async {
          if loadingIDs.contains(id) { return }
          await prepare()
          _ = 2️⃣loadingIDs.insert(id)
        }
        func sync() async {
          guard !isRunning else { return }
          await prepare()
          3️⃣isSyncing = true
        }
        func other() async {
          if isSyncing {
            await wait()
          } else {
            await prepare()
            4️⃣isSyncing = true
          }
        }
      }
      """),
    Fixture(
      CheckThenAct.self, "collections of what is done, and elements that are added before",
      """
      actor Downloads {
        var loadingIDs: Set<Int> = []
        var known: Set<Int> = []
        func before(_ id: Int) async {
          guard !loadingIDs.contains(id) else { return }
          loadingIDs.insert(id)
          await load()
          loadingIDs.remove(id)
        }
        func done(_ id: Int) async {
          guard !known.contains(id) else { return }
          await load()
          known.insert(id)
        }
        func other(_ id: Int, _ next: Int) async {
          guard !loadingIDs.contains(id) else { return }
          await load()
          loadingIDs.insert(next)
        }
      }
      """),
  ]
}
