import Testing

@testable import CausewayWeb

@Suite struct SHA256CodeTests {
  // The example of FIPS 180-2, appendix B.1.
  @Test func `a hash has the value that the standard gives`() throws {
    #expect(
      try SHA256Code.hash(of: "abc")
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  // Test case 2 of RFC 4231.
  @Test func `an authentication code is that of the standard`() throws {
    #expect(
      try SHA256Code.authentication(of: "what do ya want for nothing?", key: "Jefe")
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }
}
