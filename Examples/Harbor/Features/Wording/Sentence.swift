import CausewayData
import Foundation

/// The sentences that people see for errors of requests.
package enum Sentence {
  /// The server's own sentence if it sent one; otherwise a sentence for the kind of error.
  package static func of(_ error: any Error) -> String {
    guard let error = error as? NetworkError else { return "\(error)" }
    if let excerpt = error.bodyExcerpt,
      let problem = try? JSONDecoder().decode(ServerProblem.self, from: Data(excerpt.utf8))
    {
      return problem.detail
    }
    switch error.status {
    case 403: return "There is no account with this name and passphrase. Check both."
    case 409: return "There is an account of this name. Sign in, or choose another name."
    case 429: return "There were too many attempts. Wait some minutes and try again."
    case .some(500...): return "The server has a problem. Try again later."
    case .some: return "The server refused this."
    case nil: return "The server is out of reach. Try again when you are connected."
    }
  }

  private struct ServerProblem: Decodable {
    var detail: String
  }
}
