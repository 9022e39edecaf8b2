import CausewayData
import TestSupport
import Testing

/// The code of the article on bridges.
@Suite(.timeLimit(.minutes(10)))
struct BridgingTests {
  private struct Broken: Error {}

  private func follow(_ database: RowDatabase, _ show: ([Row]) -> Void) async throws {
    // snippet
    let changes = AsyncThrowingStream<[Row], any Error>.listening { listener in
      database.addListener { rows, error in  // on the database's thread
        if let error { listener.fail(error) } else { listener.yield(rows) }
      }
    } remove: { registration in
      registration.remove()
    }

    for try await rows in changes { show(rows) }
    // end
  }

  private func capture(_ camera: Camera) async throws -> Image {
    // snippet
    let image = try await withCallback(timeout: .seconds(10)) { callback in
      camera.capture { image, error in callback(image, error) }
    }
    // end
    return image
  }

  private struct ImageLoader: Sendable {
    var camera: Camera

    func image() async throws -> Image {
      try await withCallback { callback in camera.capture { callback($0, $1) } }
    }
  }

  private struct Album {
    let loader: ImageLoader

    // snippet
    func load(completion: @escaping @MainActor @Sendable (Result<Image, any Error>) -> Void) {
      withCompletion(completion) { try await loader.image() }
    }
    // end
  }

  @Test func `rows arrive, and a cancelled consumer's listener is removed once`() async throws {
    let database = RowDatabase()
    let shown = Log<[Row]>()
    let following = Task { try await follow(database) { shown.append($0) } }
    await database.added.wait(for: 1)
    database.tell([Row(text: "a")])
    await shown.wait(for: 1)
    following.cancel()
    try await following.value
    #expect(shown.all == [[Row(text: "a")]])
    #expect(database.removed.all == [0])
  }

  @Test func `a library error ends the stream, and the listener is removed once`() async {
    let database = RowDatabase()
    let following = Task { try await follow(database) { _ in } }
    await database.added.wait(for: 1)
    database.tell([], Broken())
    await #expect(throws: Broken.self) { try await following.value }
    #expect(database.removed.all == [0])
  }

  @Test func `a callback delivers an image or an error, and reports when both are missing`()
    async throws
  {
    #expect(try await capture(Camera(image: Image(width: 3))) == Image(width: 3))
    await #expect(throws: Broken.self) { try await capture(Camera(error: Broken())) }
    await #expect(throws: CallbackError.calledWithoutResult) { try await capture(Camera()) }
  }

  @MainActor
  @Test func `the completion handler is called once, with the image or the error`() async throws {
    let results = Log<Result<Image, any Error>>()
    Album(loader: ImageLoader(camera: Camera(image: Image(width: 5)))).load { results.append($0) }
    await results.wait(for: 1)
    #expect(try results.all.map { try $0.get() } == [Image(width: 5)])
    Album(loader: ImageLoader(camera: Camera(error: Broken()))).load { results.append($0) }
    await results.wait(for: 2)
    #expect(results.all.count == 2)
    #expect(throws: Broken.self) { try results.all[1].get() }
  }
}
