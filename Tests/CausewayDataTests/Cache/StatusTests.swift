import CausewayData
import CausewayDataTesting
import TestSupport
import Testing

@testable import CausewayStores

@Suite("Status of a key, and validators", .timeLimit(.minutes(10))) struct StatusTests {
  private let shelf = Shelf()
  private let clock = ManualClock()

  @Test func `the status of a key is known without a load`() async throws {
    var policy = ResourcePolicy.plain
    policy.failureCoolDown = .seconds(5)
    let cache = makeCache(of: shelf, policy, clock: clock)
    #expect(cache.status(of: 1).value == nil)
    #expect(!cache.status(of: 1).isLoading)

    let gate = shelf.hold()
    let load = Task { try await cache.value(for: 1) }
    await cache.waiters(1, for: 1)
    #expect(cache.status(of: 1).isLoading)
    gate.open()
    _ = try await load.value
    await cache.quiet()
    #expect(cache.status(of: 1).isFresh)
    #expect(cache.status(of: 1).value == "1.1")

    clock.advance(by: .seconds(10))
    #expect(cache.status(of: 1).isStale)
    #expect(cache.status(of: 1).value == "1.1")
    shelf.fail(1)
    await #expect(throws: Shelf.Empty.self) { try await cache.refresh(1) }
    #expect(cache.status(of: 1).hasFailed)
    #expect(cache.status(of: 1).lastFailure is Shelf.Empty)
    #expect(cache.status(of: 1).isStale)

    clock.advance(by: .seconds(20))
    #expect(cache.status(of: 1).value == nil)
    #expect(cache.status(of: 1).value == nil)
    shelf.recover(1)
    try await cache.refresh(1)
    #expect(!cache.status(of: 1).hasFailed)
    #expect(shelf.requests.all.count == 3)
  }

  @Test func `asking for the status does not count as a use of the value`() async throws {
    var policy = ResourcePolicy.plain
    policy.memoryCount = 2
    let cache = makeCache(of: shelf, policy, clock: clock)
    for key in [1, 2] { _ = try await cache.value(for: key) }
    _ = cache.status(of: 1)
    _ = try await cache.value(for: 3)
    #expect(cache.status(of: 1).value == nil)
    #expect(cache.status(of: 2).isFresh)
  }

  @Test(
    arguments: [
      (["etag": "\"v1\""], "if-none-match", "\"v1\""),
      (
        ["etag": "W/\"v1\"", "last-modified": "Sun, 06 Nov 1994 08:49:37 GMT"], "if-none-match",
        "W/\"v1\""
      ),
      (
        ["last-modified": "Sun, 06 Nov 1994 08:49:37 GMT"], "if-modified-since",
        "Sun, 06 Nov 1994 08:49:37 GMT"
      ),
    ] as [(NetworkHeaders, String, String)])
  func `a cached value is requested again with its validator, and 304 keeps it`(
    _ headers: NetworkHeaders, _ field: String, _ value: String
  ) async throws {
    let network = ScriptedNetworkService()
    network.on(
      .get, "/pictures/1", .bytes([1, 2], headers: headers), .status(304), .bytes([3]))
    let cache = ResourceCache<Int, [UInt8]>(validatingLoader: { key, validator in
      try await network.resource(for: .init(.get, "/pictures/\(key)"), unlessMatching: validator)
    })
    #expect(try await cache.value(for: 1) == [1, 2])
    #expect(try await cache.refresh(1) == [1, 2])
    #expect(try await cache.refresh(1) == [3])
    #expect(network.requests.map { $0.headers[field] } == [nil, value, value])
  }

  @Test func `the new validator of a 304 replaces the old one`() async throws {
    let network = ScriptedNetworkService()
    network.on(
      .get, "/pictures/1", .bytes([1], headers: ["etag": "\"a\""]),
      .status(304, headers: ["etag": "\"b\""]), .status(304), .bytes([2]))
    let cache = ResourceCache<Int, [UInt8]>(validatingLoader: { key, validator in
      try await network.resource(for: .init(.get, "/pictures/\(key)"), unlessMatching: validator)
    })
    for value in [1, 1, 1, 2] as [UInt8] { #expect(try await cache.refresh(1) == [value]) }
    #expect(
      network.requests.map { $0.headers["if-none-match"] }
        == [nil, "\"a\"", "\"b\"", "\"b\""])
  }

  @Test(
    arguments: [
      ("no-store", false), ("max-age=0, No-Store", false), ("private,no-store ,x=1", false),
      ("no-cache", true), ("x-no-store", true), ("", true),
    ])
  func `the fields of a response define whether it may be stored`(
    field: String, mayStore: Bool
  ) async throws {
    let network = ScriptedNetworkService()
    let headers: NetworkHeaders = ["cache-control": field]
    network.on(.get, "/1", .bytes([1], headers: headers), .status(304, headers: headers))
    for validator in [nil, "\"a\""] {
      switch try await network.resource(for: .init(.get, "/1"), unlessMatching: validator) {
      case .value(_, _, _, let found), .notModified(_, _, let found):
        #expect(found == mayStore)
      }
    }
  }

  @Test(
    arguments: [
      (["cache-control": "max-age=60"], 60), (["cache-control": "private, Max-Age = \"60\" "], 60),
      (["cache-control": "max-age=60", "age": "20"], 40),
      (["cache-control": "max-age=60", "age": "61"], 0),
      (["cache-control": "max-age=60, no-cache"], 0), (["cache-control": "no-store"], 0),
      (["cache-control": "max-age=-1"], 0), (["cache-control": "max-age=x"], 0),
      (["cache-control": "max-age=99999999999999999999"], 2_147_483_647),
      (["cache-control": "s-maxage=60"], nil), (["cache-control": "max-age=5, max-age=9"], 5),
      (["cache-control": "max-age=60", "vary": "Accept, *"], 0),
      (["cache-control": "max-age=60", "vary": "Accept"], 60),
      ([:], nil), (["expires": "0"], 0), (["cache-control": "public"], nil),
      (
        [
          "expires": "Sun, 29 Nov 2026 10:02:00 GMT", "date": "Sun, 29 Nov 2026 10:00:00 GMT",
          "age": "30",
        ], 90
      ),
      (
        [
          "expires": "Sun, 29 Nov 2026 10:02:00 GMT", "date": "Sun, 29 Nov 2026 10:00:00 GMT",
          "cache-control": "max-age=1",
        ], 1
      ),
    ] as [(NetworkHeaders, Int?)])
  func `the fields of a response define how long it is fresh`(
    headers: NetworkHeaders, seconds: Int?
  ) async throws {
    let network = ScriptedNetworkService()
    network.on(.get, "/1", .bytes([1], headers: headers), .status(304, headers: headers))
    for validator in [nil, "\"a\""] {
      switch try await network.resource(for: .init(.get, "/1"), unlessMatching: validator) {
      case .value(_, _, let found, _), .notModified(_, let found, _):
        #expect(found == seconds.map { .seconds($0) })
      }
    }
  }

  @Test func `a typed value is decoded, and an unexpected 304 is an error`() async throws {
    let network = ScriptedNetworkService()
    network.on(
      .get, "/names", .bytes(Array("[\"ada\"]".utf8), headers: ["etag": "\"a\""]), .status(304),
      .status(404))
    let names = Endpoint<[String]>(.get, "/names")
    guard
      case .value(["ada"], "\"a\"", nil, true) = try await network.resource(
        for: names, unlessMatching: nil)
    else {
      Issue.record("another answer")
      return
    }
    let error = await #expect(throws: NetworkError.self) {
      try await network.resource(for: names, unlessMatching: nil)
    }
    #expect(error?.status == 304)
    await #expect(throws: NetworkError.self) {
      try await network.resource(for: names, unlessMatching: "\"a\"")
    }
  }
}
