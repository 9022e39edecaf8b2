import Testing

@testable import causeway

struct OlderAnswerTests {
  static let fixtures = [
    Fixture(
      OlderAnswer.self, "tasks that nothing cancels",
      """
      import SwiftUI
      @MainActor @Observable final class Search {
        var results: [Item] = []
        var text = "" {
          didSet { Task { 1️⃣results = await service.search(text) } }
        }
        func changed(_ text: String) {
          Task {
            try? await Task.sleep(for: .milliseconds(300))
            let found = try await service.search(text)
            2️⃣results = found.filter(\\.isShown)
          }
        }
      }
      struct Page: View {
        @State private var items: [Item] = []
        @State private var query = ""
        var body: some View {
          List(items).onChange(of: query) {
            Task { 3️⃣items = (try? await service.search(query)) ?? [] }
          }
        }
      }
      """),
    Fixture(
      OlderAnswer.self, "cancelled tasks whose calls do not end",
      """
      import SwiftUI
      @MainActor final class Search {
        var results: [Item] = []
        private var task: Task<Void, Never>?
        func changed(_ text: String) {
          task?.cancel()
          task = Task {
            let found = await service.search(text)
            1️⃣self.results = found
          }
        }
      }
      struct Page: View {
        let id: Int
        @State private var links: [Link] = []
        var body: some View {
          List(links).task(id: id) {
            let found = await store.links(of: id)
            2️⃣links = found
          }
        }
      }
      """),
    Fixture(
      OlderAnswer.self, "tasks that ask whether they are cancelled, and calls that end",
      """
      import SwiftUI
      @MainActor final class Search {
        var results: [Item] = []
        private var task: Task<Void, Never>?
        func changed(_ text: String) {
          task?.cancel()
          task = Task {
            let found = await service.search(text)
            guard !Task.isCancelled else { return }
            results = found
          }
        }
        func throwing(_ text: String) {
          task?.cancel()
          task = Task { results = try await service.search(text) }
        }
        func compared(_ text: String) {
          Task {
            let found = await service.search(text)
            guard text == self.text else { return }
            results = found
          }
        }
      }
      struct Page: View {
        let id: Int
        @State private var links: [Link] = []
        var body: some View {
          List(links).task { links = await store.links(of: id) }
        }
      }
      """),
    Fixture(
      OlderAnswer.self, "the same question each time, and a local result",
      """
      @MainActor final class Feed {
        var items: [Item] = []
        func reload() { Task { items = await service.items() } }
        func save(_ item: Item) { Task { await service.save(item) } }
        func install(_ url: URL) { Task { items = await service.install(url) } }
        func show(_ id: Int) {
          Task {
            let item = await service.item(id)
            print(item)
          }
        }
      }
      final class Plain {
        var items: [Item] = []
        func changed(_ text: String) { Task { items = await service.search(text) } }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `older-answer reports at the markers`(fixture: Fixture) { fixture.verify() }
}
