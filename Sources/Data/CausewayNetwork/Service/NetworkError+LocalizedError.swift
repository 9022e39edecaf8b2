public import Foundation

extension NetworkError: LocalizedError {
  /// A sentence for people, without an address, a status or a part of a body.
  ///
  /// If the body is an object with problem details (RFC 9457) of at most 512 characters, the
  /// sentence is its `detail`, which the server wrote for people.
  public var errorDescription: String? {
    serverText ?? text
  }

  private var serverText: String? {
    guard kind == .status, let bodyExcerpt else { return nil }
    let details = try? JSONDecoder().decode(ProblemDetails.self, from: Data(bodyExcerpt.utf8))
    return details.flatMap { $0.detail.isEmpty ? nil : $0.detail }
  }

  private struct ProblemDetails: Decodable {
    var detail: String
  }

  private var text: String {
    switch kind {
    case .notConnected, .cannotConnect, .connectionLost:
      "The server is out of reach. Try again when you are connected."
    case .timedOut: "The server did not answer in time. Try again."
    case .insecure:
      "There is no secure connection to the server. Check the network and the date of this device."
    case .status: statusText
    case .tooLarge: "The answer of the server is too large."
    case .redirect, .contentType, .malformed, .decoding, .eventStream:
      "The answer of the server cannot be read. Check the network, or update the app."
    case .notSignedIn: "Sign in again."
    case .tokenUnavailable: "Your session could not be renewed. Try again."
    case .invalidRequest, .encoding: "This cannot be sent. Update the app."
    case .file: "A file cannot be read or written. Check the free space of this device."
    case .closed: "The app is closing. Try again after its next start."
    case .other: "The request failed. Try again."
    }
  }

  private var statusText: String {
    switch status ?? 0 {
    case 401: "Sign in again."
    case 403: "You may not do this."
    case 404, 410: "This does not exist any more."
    case 409, 412: "This was changed by somebody else. Load it again."
    case 413: "This is too large for the server."
    case 429: "There were too many requests. Wait a moment and try again."
    case 500...: "The server has a problem. Try again later."
    default: "The server refused this."
    }
  }
}
