import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A page without a browser: its session, and the actions that it sends.
struct PageClient: Sendable {
  struct Answer: Sendable {
    var status: Int
    var text: String
  }

  private struct Opening: Decodable {
    var session: String
  }

  private let address: String
  private let session: String
  private let client: URLSession

  /// Opens the page as a separate browser.
  init(_ harbor: HarborProcess) async throws {
    address = harbor.url
    client = URLSession(configuration: .ephemeral)
    guard let url = URL(string: address) else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    let (data, _) = try await client.data(for: request)
    session = try JSONDecoder().decode(Opening.self, from: data).session
  }

  /// Sends an action with its number.
  func send(
    _ body: String, number: Int, _ headers: [String: String] = [:]
  ) async throws -> Answer {
    guard let url = URL(string: "\(address)/_causeway/action") else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data(body.utf8)
    let own = [
      "Content-Type": "application/json", "Causeway-Session": session,
      "Causeway-Sequence": "\(number)",
    ]
    for (name, value) in own.merging(headers, uniquingKeysWith: { _, new in new }) {
      request.setValue(value, forHTTPHeaderField: name)
    }
    let (data, response) = try await client.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    return Answer(status: status, text: String(decoding: data, as: UTF8.self))
  }
}
