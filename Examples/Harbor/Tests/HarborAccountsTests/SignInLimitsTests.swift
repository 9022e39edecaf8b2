import CausewayWeb
import Foundation
import HarborAccounts
import Testing

@Suite struct `Limits of sign-ins` {
  @Test func `do not lock a name after failed attempts, but slow further attempts`() throws {
    let limits = SignInLimits(now: { Date(timeIntervalSince1970: 0) })
    for _ in 1...SignInLimits.fastAttempts {
      try limits.countSignIn(as: "ana", from: "1")
      #expect(limits.pause(beforeAttemptWith: "ana") == .zero)
    }
    #expect(throws: (any Error).self) { try limits.countSignIn(as: "ana", from: "1") }
    try limits.countSignIn(as: "ana", from: "2")
    #expect(limits.pause(beforeAttemptWith: "ana") == .seconds(3))
    limits.forget("ana")
    #expect(limits.pause(beforeAttemptWith: "ana") == .zero)
  }

  @Test func `count the networks of a wide network together, but not those of others`() throws {
    let limits = SignInLimits(now: { Date(timeIntervalSince1970: 0) })
    for number in 1...300 {
      try limits.countSignIn(as: "ana", from: "2001:db8:1:\(number)::/64")
    }
    #expect(throws: (any Error).self) {
      try limits.countSignUp(from: "2001:db8:1:ffff::/64")
    }
    try limits.countSignIn(as: "ana", from: "2001:db8:2:1::/64")
    for number in 1...400 { try limits.countSignIn(as: "ana", from: "10.0.0.\(number)") }
  }

  @Test func `refuse a passphrase while too many others wait`() async throws {
    let passphrases = Passphrases(cost: 1, longestQueue: 0)
    await #expect(throws: Problem.self) { try await passphrases.hash("correct horse") }
    await #expect(throws: Problem.self) { try await passphrases.matches("correct horse", nil) }
    let hash = try await Passphrases(cost: 1, longestQueue: 1).hash("correct horse")
    #expect(try await Passphrases(cost: 1, longestQueue: 1).matches("correct horse", hash))
  }
}
