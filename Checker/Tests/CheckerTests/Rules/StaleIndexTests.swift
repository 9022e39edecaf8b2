import Testing

@testable import causeway

struct StaleIndexTests {
  static let fixtures = [
    Fixture(
      StaleIndex.self, "an index from before an await",
      """
      @MainActor final class Feed {
        var items: [Item] = []
        func add(_ item: Item) { items.append(item) }
        func detail(_ id: Int) async {
          guard let index = items.firstIndex(where: { $0.id == id }) else { return }
          let detail = await service.detail(id)
          1️⃣items[index].detail = detail
        }
        func remove(_ id: Int) async {
          let index = self.items.firstIndex { $0.id == id }!
          await service.remove(id)
          2️⃣self.items.remove(at: index)
        }
      }
      actor Store {
        var items: [Item] = []
        func clear() { items = [] }
        func mark(_ item: Item) async {
          guard let place = items.firstIndex(of: item) else { return }
          if item.isNew { await notify() }
          print(3️⃣items[place])
        }
      }
      """),
    Fixture(
      StaleIndex.self, "an index in a condition, and an await at the right of an assignment",
      """
      @MainActor final class Feed {
        var items: [Item] = []
        func add(_ item: Item) { items.append(item) }
        func detail(_ id: Int) async {
          if let index = items.firstIndex(where: { $0.id == id }) {
            await service.refresh()
            1️⃣items[index].isRead = true
          }
        }
        func load(_ id: Int) async {
          guard let index = items.firstIndex(where: { $0.id == id }) else { return }
          2️⃣items[index].detail = await service.detail(id)
        }
        func read(_ id: Int) async {
          if let index = items.firstIndex(where: { $0.id == id }) {
            items[index].isRead = true
            await service.save(items[index])
          }
        }
      }
      """),
    Fixture(
      StaleIndex.self, "an index that is found after the await, or checked again",
      """
      @MainActor final class Feed {
        var items: [Item] = []
        func add(_ item: Item) { items.append(item) }
        func after(_ id: Int) async {
          let detail = await service.detail(id)
          guard let index = items.firstIndex(where: { $0.id == id }) else { return }
          items[index].detail = detail
          await service.save()
        }
        func again(_ id: Int) async {
          guard var index = items.firstIndex(where: { $0.id == id }) else { return }
          await service.refresh()
          index = items.firstIndex(where: { $0.id == id }) ?? 0
          items[index].isRead = true
        }
        func checked(_ id: Int) async {
          guard let index = items.firstIndex(where: { $0.id == id }) else { return }
          await service.refresh()
          guard items.indices.contains(index), items[index].id == id else { return }
          items[index].isRead = true
        }
      }
      """),
    Fixture(
      StaleIndex.self, "local collections, collections without changes and code without isolation",
      """
      @MainActor final class Feed {
        let fixed: [Item] = []
        var shown: [Item] = []
        func local(_ id: Int) async {
          var items = await service.items()
          guard let index = items.firstIndex(where: { $0.id == id }) else { return }
          await service.refresh()
          items[index].isRead = true
        }
        func constant(_ id: Int) async {
          guard let index = fixed.firstIndex(where: { $0.id == id }) else { return }
          await service.refresh()
          print(fixed[index])
        }
        func unchanged(_ id: Int) async {
          guard let index = shown.firstIndex(where: { $0.id == id }) else { return }
          await service.refresh()
          shown[index].isRead = true
        }
      }
      final class Plain {
        var items: [Item] = []
        func add(_ item: Item) { items.append(item) }
        func run(_ id: Int) async {
          guard let index = items.firstIndex(where: { $0.id == id }) else { return }
          await service.refresh()
          items[index].isRead = true
        }
      }
      """),
    Fixture(
      StaleIndex.self, "other indices, and collections that nothing changes",
      """
      @MainActor final class Feed {
        var items: [Item] = []
        var shown: [Item] = []
        func add(_ item: Item) { items.append(item) }
        func other(_ id: Int, _ place: Int) async {
          guard let index = items.firstIndex(where: { $0.id == id }) else { return }
          await service.read(id)
          shown[index].isRead = true
          print(index)
        }
        func all() async {
          for index in shown.indices { shown[index].detail = await service.detail(index) }
        }
        func read(at index: Int) async {
          await service.read(index)
          shown[index].isRead = true
        }
      }
      """),
    Fixture(
      StaleIndex.self, "nested blocks, tasks, loops and parameters",
      """
      @MainActor final class Feed {
        var items: [Item] = []
        func add(_ item: Item) { items.append(item) }
        func nested(_ id: Int) async {
          guard let index = items.firstIndex(where: { $0.id == id }) else { return }
          do {
            let detail = try await service.detail(id)
            1️⃣items[index].detail = detail
          } catch { print(error) }
        }
        func task(_ id: Int) {
          guard let index = items.firstIndex(where: { $0.id == id }) else { return }
          Task {
            await service.read(id)
            2️⃣items[index].isRead = true
          }
        }
        func all() async {
          for index in items.indices { 3️⃣items[index].detail = await service.detail(index) }
          for (place, item) in items.enumerated() {
            await service.read(item.id)
            if item.isNew { 4️⃣items[place].isRead = true }
          }
        }
        func remove(at index: Int) async {
          await service.remove(items[index].id)
          5️⃣items.remove(at: index)
        }
        func delete(_ offsets: IndexSet) {
          Task {
            await service.remove(offsets)
            6️⃣items.remove(atOffsets: offsets)
          }
        }
      }
      """),
    Fixture(
      StaleIndex.self, "branches that leave, checks in blocks, and loops without a wait",
      """
      @MainActor final class Feed {
        var items: [Item] = []
        func add(_ item: Item) { items.append(item) }
        func leaves(_ id: Int) async {
          guard let index = items.firstIndex(where: { $0.id == id }) else { return }
          if isOld {
            await service.refresh()
            return
          }
          items[index].isRead = true
        }
        func checked(_ id: Int) async {
          guard let index = items.firstIndex(where: { $0.id == id }) else { return }
          do { try await service.refresh() } catch { return }
          if items.indices.contains(index) { items[index].isRead = true }
        }
        func counted() async {
          let count = items.count
          for index in items.indices {
            let detail = await service.detail(index)
            guard count == items.count else { return }
            items[index].detail = detail
          }
        }
        func all() async {
          for index in items.indices { items[index].isRead = true }
          for index in 0..<items.count {
            let item = items[index]
            print(item)
          }
          await service.refresh()
        }
        func local(_ new: [Item]) async {
          var items = new
          for index in items.indices { items[index].detail = await service.detail(index) }
        }
        func move(_ index: Int) async {
          items.remove(at: index)
          await service.refresh()
        }
      }
      """),
    Fixture(
      StaleIndex.self, "a defer that runs after an await",
      """
      @MainActor final class Feed {
        var items: [Item] = []
        func add(_ item: Item) { items.append(item) }
        func read(_ id: Int) async {
          guard let index = items.firstIndex(where: { $0.id == id }) else { return }
          defer { 1️⃣items[index].isBusy = false }
          await service.read(id)
        }
        func mark(_ id: Int) {
          guard let index = items.firstIndex(where: { $0.id == id }) else { return }
          defer { items[index].isBusy = false }
          show(id)
        }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `stale-index reports at the markers`(fixture: Fixture) { fixture.verify() }
}
