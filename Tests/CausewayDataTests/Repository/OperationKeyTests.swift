import Testing

@testable import CausewayData

@Suite struct OperationKeyTests {
  @Test func `searches with different bodies or header fields are different operations`()
    async throws
  {
    func operation(_ body: [String: String], _ language: String? = nil) -> ReadOperation<
      [Berth], [Berth]
    > {
      var endpoint = Endpoint<[Berth]>(.post, "/search", body: body)
      endpoint.request.headers["accept-language"] = language
      return ReadOperation(endpoint, tags: []) { _ in
        nil
      } store: { berths, _ in
        berths
      }
    }
    #expect(operation(["a": "1", "b": "2"]).key == operation(["b": "2", "a": "1"]).key)
    #expect(operation(["a": "1"]).key != operation(["a": "2"]).key)
    #expect(operation(["a": "1"], "pt").key != operation(["a": "1"], "de").key)
    #expect(!operation(["secret": "s3cret"], "pt").key.contains("s3cret"))
  }

  @Test func `the number of remembered keys is limited, and forgotten keys are stale`() {
    let freshness = DataFreshness(capacity: 10)
    freshness.noteRefresh("read", by: freshness.request())
    #expect(freshness.isFresh("read", ["quiet"]))
    for number in 0..<100 { freshness.invalidate(["tag \(number)"]) }
    #expect(!freshness.isFresh("read", ["quiet"]))
    #expect(!freshness.isFresh("read", ["tag 99"]))
    let first = freshness.request()
    let second = freshness.request()
    #expect(freshness.admit(second, for: "read") && !freshness.admit(first, for: "read"))
    for number in 0..<100 {
      #expect(freshness.admit(freshness.request(), for: "read \(number)"))
    }
    #expect(!freshness.admit(first, for: "read") && !freshness.admit(second, for: "other"))
  }
}
