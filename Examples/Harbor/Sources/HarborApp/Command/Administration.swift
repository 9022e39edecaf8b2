import CausewayWeb
import Foundation
import HarborBackend

/// The commands for the database of a backend; they can also be used while the backend runs.
public enum Administration: Sendable, Equatable {
  /// Lists the accounts.
  case listAccounts
  /// Makes a code for a new passphrase of an account.
  case resetAccount(String)
  /// Removes an account.
  case deleteAccount(String)
  /// Prints the feedback that has arrived.
  case readFeedback(asJSON: Bool)

  /// - Parameter flags: The given flags that only these commands have.
  init(_ verb: String, _ operands: [String], _ flags: Set<String>) throws(UsageError) {
    let name = operands.count > 1 ? operands[1] : nil
    switch (verb, operands.first, name) {
    case ("feedback", _, _): self = .readFeedback(asJSON: flags.contains("--json"))
    case (_, "list", nil): self = .listAccounts
    case (_, "reset", let name?): self = .resetAccount(name)
    case (_, "delete", let name?):
      guard flags.contains("--yes") else { throw .unconfirmed(name) }
      self = .deleteAccount(name)
    case (_, "reset", nil), (_, "delete", nil):
      throw .missingValue(option: "account \(operands[0])")
    case (_, nil, _): throw .missingValue(option: verb)
    default: throw .unexpected(name ?? operands[0])
    }
    let allowed: String? =
      switch self {
      case .deleteAccount: "--yes"
      case .readFeedback: "--json"
      case .listAccounts, .resetAccount: nil
      }
    if let flag = flags.first(where: { $0 != allowed }) { throw .unexpected(flag) }
  }
}

extension DataTask {
  /// Runs a command, and returns the text to print.
  func perform(_ administration: Administration) async throws -> String {
    try checkDatabase()
    return try await withStore { store in
      let accounts = AccountDirectory(store, at: Date())
      switch administration {
      case .listAccounts: return try await accounts.entries().map(Self.line).joined()
      case .resetAccount(let name):
        let (code, expiry) = try await accounts.reset(name)
        return """
          Until \(expiry.formatted(.iso8601)), this link sets a new passphrase, once:
          \(link(to: "/reset/\(code)"))

          """
      case .deleteAccount(let name):
        let problem = try await accounts.delete(name)
        return "The account is removed.\n"
          + (problem.map { "Its remains are erased at the next start: \($0)\n" } ?? "")
      case .readFeedback(let asJSON):
        let feedback = try await ReceivedFeedback.read(store)
        return try asJSON ? Self.json(feedback) : feedback.map(Self.text).joined(separator: "\n")
      }
    }
  }

  private static func line(_ account: AccountDirectory.Entry) -> String {
    let day = Date.ISO8601FormatStyle().year().month().day()
    let fields = [
      shown(account.name), "since \(account.created.formatted(day))",
      account.used.map { "used \($0.formatted(day))" } ?? "not signed in",
      "groups \(account.groups)", "browsers \(account.browsers)", "devices \(account.devices)",
    ]
    return fields.joined(separator: "\t") + "\n"
  }

  private static func text(_ feedback: ReceivedFeedback) -> String {
    let text = ServerLog.escaped(feedback.text, keepsLines: true)
    return
      "\(feedback.created.formatted(.iso8601)) \(shown(feedback.name ?? "(removed account)"))\n"
      + text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)\n" }.joined()
  }

  private static func shown(_ name: String) -> String {
    name.isEmpty ? "(this machine)" : ServerLog.escaped(name)
  }
}
