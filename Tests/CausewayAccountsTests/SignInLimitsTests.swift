import CausewayAccounts
import Foundation
import Testing

@Suite struct `Limits of sign-ins` {
  @Test func `lock no name after failed attempts, but make further ones slow`() throws {
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
}
