import CausewayData
import CausewayDataTesting
import Testing

/// The requests and answers of the upload server that the article shows.
struct ResumableServerTests {
  private let network = ScriptedNetworkService()
  private let upload = Upload(
    key: "k", account: "ada", name: "photo", type: "image/jpeg", size: 10)
  private let part = UploadPart(offset: 0, bytes: [1, 2])

  private var server: ResumableServer { ResumableServer(network: network) }

  private func failure(_ operation: () async throws -> Void) async throws -> RemoteFailure {
    RemoteFailure(try #require(await thrown(operation)))
  }

  @Test func `the page of another server counts as a missing connection`() async throws {
    network.on(.head, "/uploads/k", .status(200))
    network.on(.patch, "/uploads/k", .status(200))
    #expect(
      try await failure { _ = try await server.storedSize(of: upload) }.kind == .unreachable)
    #expect(try await failure { _ = try await server.store(part, of: upload) }.kind == .unreachable)
  }

  @Test func `a locked upload is tried again later`() async throws {
    network.on(.patch, "/uploads/k", .status(423))
    #expect(try await failure { _ = try await server.store(part, of: upload) }.kind == .busy)
  }

  @Test func `each request names the version of the protocol`() async throws {
    network.on(.head, "/uploads/k", .status(200, headers: ["upload-offset": "0"]))
    network.on(.patch, "/uploads/k", .status(204, headers: ["upload-offset": "2"]))
    #expect(try await server.storedSize(of: upload) == 0)
    #expect(try await server.store(part, of: upload) == 2)
    #expect(network.requests.map { $0.headers["tus-resumable"] } == ["1.0.0", "1.0.0"])
    // Base64 of the type and the name.
    #expect(
      network.requests.last?.headers["upload-metadata"]
        == "filename cGhvdG8=,filetype aW1hZ2UvanBlZw==")
  }

  @Test(arguments: [404, 410])
  func `a lost upload has no stored bytes`(status: Int) async throws {
    network.on(.head, "/uploads/k", .status(status))
    #expect(try await server.storedSize(of: upload) == nil)
  }

  @Test(arguments: ["-1", "many", ""])
  func `an answer without a number of bytes is garbled`(offset: String) async throws {
    network.on(.head, "/uploads/k", .status(200, headers: ["upload-offset": offset]))
    #expect(try await failure { _ = try await server.storedSize(of: upload) }.kind == .garbled)
  }
}
