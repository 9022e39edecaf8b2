import CausewayData
import Foundation
import Testing

/// Rule 6: the error of a network service decides whether the outbox retries.
@Suite struct RemoteFailureTests {
  /// Whether the standard table retries a mutation even after a million failures.
  private func isRetriedWithoutEnd(_ error: any Error) -> Bool {
    let verdict = RetryTable.standard.verdict(
      on: RemoteFailure(error), attempts: 1_000_000, random: 0.5)
    return verdict != .reject
  }

  private func isRetriedAtFirst(_ error: any Error) -> Bool {
    RetryTable.standard.verdict(on: RemoteFailure(error), attempts: 1, random: 0.5) != .reject
  }

  @Test(
    arguments: [
      (.notConnectedToInternet, .unreachable), (.dataNotAllowed, .unreachable),
      (.internationalRoamingOff, .unreachable), (.callIsActive, .unreachable),
      (.cannotFindHost, .unreachable), (.cannotConnectToHost, .unreachable),
      (.dnsLookupFailed, .unreachable), (.secureConnectionFailed, .unreachable),
      (.networkConnectionLost, .timedOut), (.timedOut, .timedOut), (.cancelled, .timedOut),
      (.userAuthenticationRequired, .unauthorized),
    ] as [(URLError.Code, RemoteFailure.Kind)])
  func `a mutation of a source over URLSession is not lost while there is no network`(
    _ code: URLError.Code, _ kind: RemoteFailure.Kind
  ) {
    for error in [URLError(code), NSError(domain: NSURLErrorDomain, code: code.rawValue)]
      as [any Error]
    {
      #expect(RemoteFailure(error).kind == kind)
      #expect(isRetriedWithoutEnd(error))
    }
    #expect(RemoteFailure(URLError(code)).message.contains("\(code.rawValue)"))
  }

  @Test(
    arguments: [
      (.badServerResponse, .garbled), (.cannotParseResponse, .garbled), (.unknown, .garbled),
      (.unsupportedURL, .garbled), (.cannotDecodeContentData, .garbled),
      (.httpTooManyRedirects, .garbled), (.dataLengthExceedsMaximum, .garbled),
      (.fileDoesNotExist, .unknown), (.resourceUnavailable, .unknown),
    ] as [(URLError.Code, RemoteFailure.Kind)])
  func `a mutation that always fails in URLSession does not block others forever`(
    _ code: URLError.Code, _ kind: RemoteFailure.Kind
  ) {
    #expect(RemoteFailure(URLError(code)).kind == kind)
    #expect(isRetriedAtFirst(URLError(code)))
    #expect(!isRetriedWithoutEnd(URLError(code)))
  }

  @Test func `a mutation without an address is not sent again`() {
    #expect(RemoteFailure(URLError(.badURL)).kind == .unsendable)
  }

  @Test func `an error number of another domain is unknown`() {
    let error = NSError(
      domain: NSCocoaErrorDomain, code: URLError.Code.notConnectedToInternet.rawValue)
    #expect(RemoteFailure(error).kind == .unknown)
  }

  @Test(
    arguments: [
      (.notConnected, true), (.cannotConnect, true), (.insecure, true), (.connectionLost, true),
      (.timedOut, true), (.closed, true), (.notSignedIn, true), (.redirect, true),
      (.tooLarge, false), (.contentType, true), (.decoding, false), (.eventStream, false),
      (.file, false), (.other, false), (.invalidRequest, false), (.encoding, false),
      (.status, false),
    ] as [(NetworkError.Kind, Bool)])
  func `a failure of the network or of the service does not lose a mutation`(
    _ kind: NetworkError.Kind, _ isRetriedWithoutEnd: Bool
  ) {
    let error = NetworkError(kind, message: "")
    #expect(self.isRetriedWithoutEnd(error) == isRetriedWithoutEnd)
  }
}
