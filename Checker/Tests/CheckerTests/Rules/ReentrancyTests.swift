import Testing

@testable import causeway

struct ReentrancyTests {
  static let fixtures = [
    Fixture(
      Reentrancy.self, "a check before and a write after the suspension",
      """
      actor Cache {
        var images: [Int: Int] = [:]
        func image(_ id: Int) async -> Int {
          if let image = images[id] { return image }
          let image = await download(id)
          1️⃣images[id] = image
          return image
        }
      }
      """),
    Fixture(
      Reentrancy.self, "a check after the suspension too",
      """
      actor Cache {
        var images: [Int: Int] = [:]
        func image(_ id: Int) async -> Int {
          if let image = images[id] { return image }
          let image = await download(id)
          if let other = images[id] { return other }
          images[id] = image
          return image
        }
      }
      """),
    Fixture(
      Reentrancy.self, "no suspension between",
      """
      actor Cache {
        var images: [Int: Int] = [:]
        func put(_ id: Int) async {
          if images[id] != nil { return }
          images[id] = 1
          await save()
        }
      }
      """),
    Fixture(
      Reentrancy.self, "a class",
      """
      final class Cache {
        var image: Int?
        func load() async { if image != nil { return }; let x = await get(); image = x }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `reentrancy reports at the markers`(fixture: Fixture) { fixture.verify() }
}
