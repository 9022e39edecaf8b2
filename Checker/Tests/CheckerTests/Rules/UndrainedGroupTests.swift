import Testing

@testable import causeway

struct UndrainedGroupTests {
  static let fixtures = [
    Fixture(
      UndrainedGroup.self, "endless loops",
      """
      func serve() async {
        await withTaskGroup(of: Void.self) { group in
          for await request in requests { 1️⃣group.addTask { await answer(request) } }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
          while !Task.isCancelled {
            let request = try await next()
            2️⃣group.addTask { try await answer(request) }
          }
        }
      }
      """),
    Fixture(
      UndrainedGroup.self, "results are taken",
      """
      func serve() async {
        await withTaskGroup(of: Void.self) { group in
          for await request in requests {
            if running > 4 { await group.next() }
            group.addTask { await answer(request) }
          }
        }
        await withTaskGroup(of: Void.self) { group in
          for await request in requests {
            group.addTask { await answer(request) }
            await limit(&group)
          }
        }
      }
      """),
    Fixture(
      UndrainedGroup.self, "loops that end, and groups without results",
      """
      func serve() async {
        await withDiscardingTaskGroup { group in
          for await request in requests { group.addTask { await answer(request) } }
        }
        await withTaskGroup(of: Void.self) { group in
          for request in requests { group.addTask { await answer(request) } }
          for await line in url.lines { group.addTask { await read(line) } }
          var hasReader = false
          for await request in requests {
            if !hasReader {
              hasReader = true
              group.addTask { await read() }
            }
          }
          group.addTask { for await request in requests { await answer(request) } }
        }
      }
      """),
    Fixture(
      UndrainedGroup.self, "loops that await an element, and a condition at the end",
      """
      await withTaskGroup(of: Void.self) { group in
        while let request = await next() { 1️⃣group.addTask { await answer(request) } }
      }
      await withTaskGroup(of: Void.self) { group in
        repeat {
          2️⃣group.addTask { await tick() }
          await pause()
        } while !Task.isCancelled
      }
      """),
    Fixture(
      UndrainedGroup.self, "loops over what is there",
      """
      await withTaskGroup(of: Void.self) { group in
        while let request = queue.popFirst() { group.addTask { await answer(request) } }
      }
      await withTaskGroup(of: Void.self) { group in
        repeat { group.addTask { await tick() } } while count < 4
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `undrained-group reports at the markers`(fixture: Fixture) { fixture.verify() }
}
