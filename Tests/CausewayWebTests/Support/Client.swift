import CausewayWeb
import Foundation
import FoundationNetworking
import Synchronization

@testable import CausewayWeb

/// An HTTP client for one server.
///
/// The tests keep the cookies.
final class Client: Sendable {
  struct Answer: Sendable {
    let status: Int
    let headers: [String: String]
    let body: Data

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONValue? { try? JSONValue(parsing: body) }
    var code: String? {
      guard case .string(let code) = json?.value(at: "code") else { return nil }
      return code
    }
  }

  let address: ServerAddress
  private let session: URLSession

  init(_ address: ServerAddress) {
    self.address = address
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpMaximumConnectionsPerHost = 64
    configuration.urlCache = nil
    configuration.timeoutIntervalForRequest = Self.patience
    session = URLSession(configuration: configuration)
  }

  /// The time without data after which a request fails, in seconds; sanitizers and a busy machine
  /// delay answers.
  private static let patience: TimeInterval = 600

  deinit { session.invalidateAndCancel() }

  func request(
    _ method: String, _ path: String, _ headers: [String: String] = [:], body: Data? = nil
  ) throws -> URLRequest {
    guard let url = URL(string: address.url + path) else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    // Without it, the request has its own limit of a minute.
    request.timeoutInterval = Self.patience
    request.httpMethod = method
    request.httpBody = body
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }

  func send(
    _ method: String, _ path: String, _ headers: [String: String] = [:], body: String? = nil
  ) async throws -> Answer {
    let request = try request(method, path, headers, body: body.map { Data($0.utf8) })
    let (data, response) = try await session.data(for: request)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    let fields = response.allHeaderFields.map { (String(describing: $0), String(describing: $1)) }
    return Answer(
      status: response.statusCode,
      headers: Dictionary(fields.map { ($0.0.lowercased(), $0.1) }) { first, _ in first },
      body: data)
  }

  func get(_ path: String, _ headers: [String: String] = [:]) async throws -> Answer {
    try await send("GET", path, headers)
  }
}
