import CausewayData
import Foundation

// snippet
/// The accounts of a program that uses several at the same time.
@MainActor final class TripsAccounts {
  private var apps: [AccountID: Task<TripsApp, any Error>] = [:]
  private let environment: (_ directory: String) -> TripsApp.Environment
  private let directory: String

  init(directory: String, environment: @escaping (String) -> TripsApp.Environment) {
    self.directory = directory
    self.environment = environment
  }

  /// Returns the parts of an account, and opens them at the first call.
  func app(of account: AccountID) async throws -> TripsApp {
    if let opening = apps[account] { return try await opening.value }
    let opening = Task { try await TripsApp.open(environment(try folder(of: account))) }
    apps[account] = opening  // before the first await, so a second caller opens nothing
    do {
      return try await opening.value
    } catch {
      apps[account] = nil
      throw error
    }
  }

  /// Removes the data of one account; the other accounts stay signed in.
  func signOut(_ account: AccountID) async throws {
    guard let opening = apps[account] else { return }
    try await opening.value.signOut()
    apps[account] = nil
    _ = try await opening.value.close()
  }

  func close() async -> [ShutdownSequence.Failure] {
    var failures: [ShutdownSequence.Failure] = []
    for (_, opening) in apps { failures += await (try? opening.value.close()) ?? [] }
    apps = [:]
    return failures
  }

  /// Returns the folder of an account.
  ///
  /// Its name has only digits, because some disks ignore case.
  private func folder(of account: AccountID) throws -> String {
    let name = account.rawValue.utf8.map { String($0, radix: 16) }.joined(separator: "-")
    let folder = "\(directory)/\(name)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return folder
  }
}
// end
