import Testing

@testable import CausewayExploration

private actor Server {
  private(set) var downloads = 0

  func download(_ id: Int) -> String {
    downloads += 1
    return "picture \(id)"
  }
}

/// A cache whose callers share a download only if it is mended.
private actor PictureCache {
  private let server: Server
  private let isMended: Bool
  private var known: [Int: String] = [:]
  private var running: [Int: Task<String, Never>] = [:]

  init(_ server: Server, isMended: Bool) {
    self.server = server
    self.isMended = isMended
  }

  func picture(_ id: Int) async -> String {
    if let picture = known[id] { return picture }
    if isMended, let download = running[id] { return await download.value }
    let download = Task { await server.download(id) }
    running[id] = download
    let picture = await download.value
    known[id] = picture
    return picture
  }
}

private func body(isMended: Bool) -> @Sendable () async throws -> Void {
  {
    let server = Server()
    let pictures = PictureCache(server, isMended: isMended)
    async let first = pictures.picture(7)
    async let second = pictures.picture(7)
    _ = await (first, second)
    #expect(await server.downloads == 1)
  }
}

struct StampedeTests {
  @Test func `two downloads of one picture are found`() throws {
    let orders = explore(body(isMended: false))
    #expect("\(orders)".contains("downloads"), "\(orders)")
    #expect(orders.trials < 50)
  }

  @Test func `a shared download passes in all orders`() {
    let orders = explore(trials: 2_000, body(isMended: true))
    #expect(orders.failure == nil, "\(orders)")
  }
}
