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
    var state: PageContent
  }

  /// The server's answer instead of a page.
  struct Refused: Error {
    var status: Int?
    var text: String
  }

  /// The content of the page when it was opened.
  let content: PageContent

  let address: String
  let session: String
  let cookie: String
  private let client: URLSession

  /// Opens the page as a separate browser.
  init(_ harbor: any RunningHarbor) async throws {
    address = harbor.url
    // On Linux, the sessions of a process share their cookies. This page is a separate browser, so
    // it must not use the shared cookies.
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    client = URLSession(configuration: configuration)
    guard let url = URL(string: address) else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    let (data, response) = try await client.data(for: request)
    let answer = response as? HTTPURLResponse
    guard let field = answer?.value(forHTTPHeaderField: "Set-Cookie"), answer?.statusCode == 200
    else {
      throw Refused(status: answer?.statusCode, text: String(decoding: data, as: UTF8.self))
    }
    cookie = String(field.prefix { $0 != ";" })
    let opening = try JSONDecoder().decode(Opening.self, from: data)
    (session, content) = (opening.session, opening.state)
  }

  /// Opens the page repeatedly until its content meets a condition.
  static func open(
    _ harbor: any RunningHarbor, until condition: (PageContent) -> Bool
  ) async throws -> PageClient {
    while true {
      try Task.checkCancellation()
      do {
        let page = try await PageClient(harbor)
        if condition(page.content) { return page }
      } catch let refused as Refused where refused.status == 503 {
        // The sessions ended while the page was being made, so the page is requested again.
      }
    }
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
      "Content-Type": "application/json", "Causeway-Session": session, "Cookie": cookie,
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

/// The parts of a page's content that tests read.
struct PageContent: Decodable, Sendable {
  struct Board: Decodable, Sendable { var days: [Day] }
  struct Day: Decodable, Sendable { var cards: [Card] }
  struct Card: Decodable, Sendable {
    var id: String
    var title: String
    var notes: String
    var names: String
    var isPending: Bool
  }
  struct Groups: Decodable, Sendable { var isEmpty: Bool }

  var isSignedIn: Bool
  var groups: Groups
  var board: Board

  var cards: [Card] { board.days.flatMap(\.cards) }
  func id(of title: String) -> String { cards.first { $0.title == title }?.id ?? "" }
}
