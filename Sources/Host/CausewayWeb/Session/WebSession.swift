public import Foundation
import Synchronization

/// The session of one browser tab, for making its view model.
public struct WebSession: Sendable {
  private let signedIn = SignedIn()
  /// The secret name of the session.
  let token = SessionToken.make()
  /// The path of the request for the page, still percent-encoded.
  public let path: String
  /// The decoded values of the page pattern's `:name` components.
  public let parameters: [String: String]
  /// An identifier of the browser, the same for all its tabs and for more than a year of visits.
  ///
  /// It is a hash of the browser's secret, so it may be stored and logged. It changes when the user
  /// deletes the cookies. A second port, a private window and another browser have their own
  /// identifiers.
  public let browser: String
  /// The secret of the browser.
  let browserCookie: String
  private let request: Request

  /// The network of the client that requested the page, as ``Request/remoteNetwork``.
  ///
  /// It is for limits, such as a ``RateLimiter`` of the attempts to sign in. A device can change
  /// its network while its page is open, so the network does not identify a person.
  public var remoteNetwork: String { request.remoteNetwork }

  /// The account that uses the page, if the app has accounts.
  ///
  /// It is the result of ``WebServerConfiguration/account`` when the page was opened. The app can
  /// set another one, for example when it makes the view model.
  /// ``WebServer/endSessions(ofAccount:except:)`` ends the sessions of an account. Reads and writes
  /// are atomic, from any isolation.
  public var account: String? {
    get { signedIn.account.withLock { $0 } }
    nonmutating set { signedIn.account.withLock { $0 = newValue } }
  }

  /// The part of the account's data that the page shows, for example one of several groups.
  ///
  /// When its session is replaced, the page keeps typed text and unsent actions. It drops them if
  /// the new session has another browser identity, ``account`` or scope. The app sets ``account``
  /// and the scope when it makes the view model. A later change affects only the next session.
  /// Reads and writes are atomic, from any isolation.
  public var scope: String? {
    get { signedIn.scope.withLock { $0 } }
    nonmutating set { signedIn.scope.withLock { $0 = newValue } }
  }

  /// A hash of the browser identity and the account, a dot, and a hash of the identity, the account
  /// and the scope.
  ///
  /// The first hash names the person. The hashes do not reveal the values.
  var owner: String {
    // With the lengths, different values never give the same text.
    let parts = [browser, account, scope].map { part in
      part.map { "\($0.utf8.count) \($0)" } ?? "-"
    }
    return [parts.dropLast(), parts[...]].map { parts in
      EntityTag.bare(of: Array(parts.joined(separator: " ").utf8))
    }.joined(separator: ".")
  }

  init(_ request: Request, cookie: String) throws {
    self.init(request, browser: try BrowserCookies.identity(of: cookie), cookie: cookie)
  }

  /// A session for a test without a server, or of a server.
  package init(_ request: Request, browser: String, cookie: String) {
    self.browser = browser
    browserCookie = cookie
    path = request.path
    parameters = request.parameters
    var request = request
    // The server retains the closures that make pages, so a session must not retain the server.
    request.receiver = nil
    self.request = request
  }

  /// The first decoded value of a query item of the page's address.
  ///
  /// Complexity: O(n) in the number of items.
  public func query(_ name: String) -> String? { request.query(name) }

  /// The time zone of the viewer, for texts with dates.
  ///
  /// The page script reports it if the page's `html` element has the attribute `data-zone`. It is
  /// nil for the first state of a new browser. The script then asks for a state with the right
  /// zone.
  public var timeZone: TimeZone? { zoneName.flatMap(TimeZone.init(identifier:)) }

  /// The name that the page script has reported.
  ///
  /// It can differ from the identifier of ``timeZone``, and can be unknown to `TimeZone`.
  var zoneName: String? {
    guard let name = request.cookie("causeway-zone"), name.utf8.count <= 64,
      name.utf8.allSatisfy({ Self.isZoneCharacter($0) })
    else { return nil }
    return name
  }

  /// Whether a zone name may contain the character.
  ///
  /// A dot is not allowed, because a zone name can become a part of a file path.
  private static func isZoneCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122: true
    case UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"): true
    default: false
    }
  }

  /// The program that requested the page, as it describes itself; nil without a description.
  ///
  /// It can be any text of at most ``WebServerLimits/headerFieldBytes``.
  public var userAgent: String? { request.headers["User-Agent"] }

  /// The value of a cookie that came with the request for the page.
  ///
  /// Complexity: O(n) in the length of the cookie header.
  public func cookie(_ name: String) -> String? { request.cookie(name) }
}

/// The account and the scope of a session, which can change while the session lives.
private final class SignedIn: Sendable {
  let account = Mutex<String?>(nil)
  let scope = Mutex<String?>(nil)
}
