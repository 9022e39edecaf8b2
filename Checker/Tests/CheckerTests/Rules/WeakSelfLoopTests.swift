import Testing

@testable import causeway

struct WeakSelfLoopTests {
  static let fixtures = [
    Fixture(
      WeakSelfLoop.self, "unwrapped before the loop",
      """
      func start() {
        task = Task { [weak self] in
          guard 1️⃣let self else { return }
          for await item in stream { handle(item) }
        }
        other = Task { [weak self] in
          guard 2️⃣let strongSelf = self else { return }
          do { for try await item in strongSelf.items() { strongSelf.handle(item) } } catch {}
        }
        poll = Task { [weak self] in
          if 3️⃣let self {
            while !Task.isCancelled { await self.poll() }
          }
        }
      }
      """),
    Fixture(
      WeakSelfLoop.self, "unwrapped in the loop",
      """
      task = Task { [weak self] in
        for await item in stream {
          guard let self else { return }
          handle(item)
        }
      }
      """),
    Fixture(
      WeakSelfLoop.self, "no loop",
      "task = Task { [weak self] in guard let self else { return }; await load() }"),
    Fixture(
      WeakSelfLoop.self, "a loop that ends",
      """
      task = Task { [weak self] in
        guard let self else { return }
        for item in items { handle(item) }
        while true { await step(); if done { break } }
      }
      """),
    Fixture(
      WeakSelfLoop.self, "loops over task groups, files and first elements",
      """
      func all() async -> [Int] {
        task = Task { [weak self] in
          guard let self else { return }
          await withTaskGroup(of: Int.self) { group in
            for await one in group { self.found(one) }
          }
          for try await line in url.lines { self.read(line) }
          for try await byte in handle.bytes { self.read(byte) }
          for await value in values { self.use(value); return }
        }
        await withTaskGroup(of: Int.self) { [weak self] group in
          guard let self else { return [] }
          for await one in self.stream { found.append(one) }
        }
      }
      func drain(_ group: inout TaskGroup<Int>) async {
        task = Task { [weak self] in
          guard let self else { return }
          for await one in group { self.found(one) }
        }
      }
      """),
    Fixture(
      WeakSelfLoop.self, "a stream beside a group",
      """
      task = Task { [weak self] in
        guard 1️⃣let self else { return }
        await withTaskGroup(of: Int.self) { group in for await one in group { print(one) } }
        for await group in groups { show(group) }
      }
      """),
    Fixture(
      WeakSelfLoop.self, "a loop in another closure",
      """
      task = Task { [weak self] in
        guard let self else { return }
        self.child = Task { [stream] in for await item in stream { print(item) } }
      }
      """),
    Fixture(
      WeakSelfLoop.self, "a strong capture",
      "task = Task { [self] in for await item in stream { handle(item) } }"),
    Fixture(
      WeakSelfLoop.self, "answers of requests, and purchases",
      """
      task = Task { [weak self] in
        guard let self else { return }
        let stream = try await service.sendMessage(text, limit: 4)
        for try await chunk in stream { self.append(chunk) }
        for try await event in api.download(path: path) { self.show(event) }
        for await result in Transaction.currentEntitlements { self.add(result) }
      }
      """),
    Fixture(
      WeakSelfLoop.self, "a call that the code awaits",
      """
      func preload() async throws {
        try await withTimeout(seconds: 4) { [weak self] in
          guard let self else { return }
          for await event in self.events where event == .finished { return }
        }
      }
      """),
    Fixture(
      WeakSelfLoop.self, "calls that observe something",
      """
      task = Task { [weak self] in
        guard 1️⃣let self else { return }
        let rows = store.observeRows(limit: 4)
        for try await row in rows { self.append(row) }
      }
      other = Task { [weak self] in
        guard 2️⃣let self else { return }
        for await event in service.stream(of: kind) { self.show(event) }
      }
      """),
    Fixture(
      WeakSelfLoop.self, "loops in methods, in children of a group and with a last condition",
      """
      final class Feed {
        func start() {
          task = Task { [weak self] in
            guard 1️⃣let self else { return }
            await self.observe()
          }
          group = Task { [weak self] in
            guard 2️⃣let self else { return }
            await withTaskGroup(of: Void.self) { group in
              group.addTask { for await item in self.items { self.show(item) } }
            }
          }
          poll = Task { [weak self] in
            guard 3️⃣let self else { return }
            repeat { await self.poll() } while !Task.isCancelled
          }
        }
        private func observe() async { for await item in items { show(item) } }
      }
      """),
    Fixture(
      WeakSelfLoop.self, "methods without an endless loop, and of other objects",
      """
      final class Feed {
        func start() {
          task = Task { [weak self] in
            guard let self else { return }
            await self.load()
            await other.observe()
            repeat { await self.poll() } while isOn
          }
        }
        private func load() async { for item in items { show(item) } }
        private func observe() async { for await item in items { show(item) } }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `weak-self-loop reports at the markers`(fixture: Fixture) { fixture.verify() }
}
