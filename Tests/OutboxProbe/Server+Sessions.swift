import CausewayData
import CausewaySQLite
import Foundation

/// The sessions of devices, which the server ends at random.
extension Server {
  private struct Session: Decodable, Sendable {
    var account: String
    var isLasting: Bool
  }

  func answer(toSession question: Question) async throws -> Answer {
    switch question {
    case .signIn(let account, let isLasting):
      return try await begin(account, isLasting: isLasting)
    case .refresh(let token):
      let found = try await store.write { transaction in
        let found = try transaction.row(
          "SELECT account, isLasting FROM session WHERE refresh = \(token)", as: Session.self)
        try transaction.execute("DELETE FROM session WHERE refresh = \(token)")
        return found
      }
      // Half of the expired tokens cannot be refreshed any more.
      guard let found, found.isLasting || Bool.random() else { return .refused }
      return try await begin(found.account, isLasting: found.isLasting)
    case .authorized(let access, let question):
      let found = try await store.read {
        try $0.row(
          "SELECT account, isLasting FROM session WHERE access = \(access)", as: Session.self)
      }
      guard let found else { return .refused }
      let isEnding = !found.isLasting && Int.random(in: 0..<6) == 0
      // The server has processed some of the requests that it refuses, for example because a
      // gateway has checked the token again.
      if !isEnding || Bool.random() {
        let answer = try await answer(to: question, of: found.account)
        if !isEnding { return answer }
      }
      // The access token ends. Its refresh token may still work.
      try await store.write {
        try $0.execute("UPDATE session SET access = refresh WHERE access = \(access)")
      }
      return .refused
    case .changes, .apply:
      return .refused
    }
  }

  private func begin(_ account: String, isLasting: Bool) async throws -> Answer {
    let (access, refresh) = (UUID().uuidString, UUID().uuidString)
    try await store.write {
      try $0.execute(
        "INSERT INTO session VALUES (\(access), \(refresh), \(account), \(isLasting))")
    }
    return .token(access: access, refresh: refresh)
  }
}
