import CausewayExploration
import Testing

// snippet
actor Pictures {
  private(set) var downloads = 0
  private var known: [Int: String] = [:]

  func picture(_ id: Int) async -> String {
    if let picture = known[id] { return picture }
    let picture = await download(id)
    known[id] = picture
    return picture
  }

  private func download(_ id: Int) async -> String {
    downloads += 1
    try? await Task.sleep(for: .milliseconds(100))
    return "picture \(id)"
  }
}
// end

// snippet
actor SharedPictures {
  private(set) var downloads = 0
  private var pictures: [Int: Task<String, Never>] = [:]

  func picture(_ id: Int) async -> String {
    let picture = pictures[id] ?? Task { await download(id) }
    pictures[id] = picture
    return await picture.value
  }

  private func download(_ id: Int) async -> String {
    downloads += 1
    try? await Task.sleep(for: .milliseconds(100))
    return "picture \(id)"
  }
}
// end

struct PictureTests {
  // snippet
  @Test func `a picture is downloaded once`() async throws {
    try await exploreInterleavings {
      let pictures = SharedPictures()
      async let first = pictures.picture(7)
      async let second = pictures.picture(7)
      _ = await (first, second)
      #expect(await pictures.downloads == 1)
    }
  }
  // end

  @Test func `the first version of the article fails`() async {
    await withKnownIssue {
      try await exploreInterleavings {
        let pictures = Pictures()
        async let first = pictures.picture(7)
        async let second = pictures.picture(7)
        _ = await (first, second)
        let count = await pictures.downloads
        if count != 1 { throw Broken("\(count) downloads") }
      }
    }
  }
}
