import Foundation

/// The address that a server listens on, and the requests that it allows.
public struct WebServerConfiguration: Sendable {
  /// The numeric address to listen on, or `localhost`.
  ///
  /// With an address other than a loopback address, other machines can reach the server.
  public var host: String
  /// The port; 0 lets the system choose a free one.
  public var port: UInt16
  /// The limits for each client and for the whole server.
  public var limits: WebServerLimits
  /// Host names that requests may use, for example the public name of a proxy.
  ///
  /// The listening address and the loopback names are always allowed. The server refuses all
  /// other names, because another site could rebind its own name to this machine.
  public var allowedHosts: Set<String> = []
  /// Other origins that may send changes, such as `https://board.example`.
  ///
  /// The server's own origin is always allowed.
  public var allowedOrigins: Set<String> = []
  /// Addresses of the reverse proxies whose `X-Forwarded-For` fields the server trusts.
  ///
  /// List all proxies between the clients and this server. Each proxy must append the address
  /// that it sees to the field. The server ignores the field of any other client.
  public var trustedProxies: Set<String> = []
  /// Whether all clients reach this server through a proxy that terminates TLS.
  ///
  /// The cookie of a browser is then `Secure`, and its name starts with `__Host-`. Plain
  /// connections and other hosts of the domain cannot read or replace it.
  public var isBehindTLS = false
  /// The secret that signs the cookies of browsers: at least 16 random bytes.
  ///
  /// The server does not start with a shorter key.
  ///
  /// The server accepts only cookies that it has signed. Without a key, it makes one at each
  /// start, and every browser gets a new ``WebSession/browser`` after a restart. If the data
  /// contains identities of browsers, store a key with it. A person who knows the key can choose
  /// identities.
  public var cookieKey: [UInt8]?
  /// The port in the name of the cookie; nil for the port on which the server listens.
  var cookiePort: UInt16?
  /// Returns the account with which a browser has signed in; nil without one.
  ///
  /// It receives an identity, as ``WebSession/browser``. Called off the main actor when a page is
  /// opened, before its view model is made, and by ``Request/account``. If it throws a
  /// ``Problem``, that is the response. Any other error gives a 500.
  public var account: @Sendable (_ browser: String) async throws -> String? = { _ in nil }
  /// Addresses without limits for each address, such as the addresses of reverse proxies.
  ///
  /// All clients behind a proxy have the same address. The limits are
  /// ``WebServerLimits/connectionsPerAddress``, ``WebServerLimits/sessionsPerAddress`` and
  /// ``WebServerLimits/pageLoadsPerSecond``. The default is the addresses of this machine, where a proxy
  /// usually runs.
  public var uncountedAddresses: Set<String> = ["127.0.0.1", "::1"]
  /// The sources that pages may load from.
  public var contentSecurityPolicy = ContentSecurityPolicy()
  /// Keeps the last state of pages in the browser, for a reload without a connection; nil keeps
  /// nothing.
  ///
  /// See <doc:Offline>. Without it, the worker of earlier visits removes itself and what it has kept.
  public var offline: OfflinePages?
  /// The time without events after which the server sends a comment on a stream.
  ///
  /// Responses announce it in the field `Heartbeat-Interval`, in seconds.
  public var heartbeat: Duration = .seconds(8)
  /// Receives errors that a client must not see: errors of routes, and errors of encoding a
  /// state.
  ///
  /// Called on any thread. The descriptions of errors can contain texts of clients, of any length
  /// and with any characters. A ``ServerLog`` prints them safely.
  public var reportError: @Sendable (any Error) -> Void

  /// Checks the hosted pages, and gives their mistakes to ``reportError``; nil checks nothing.
  ///
  /// For a server that is started for development: `CausewayWebTesting` has the check of the bindings,
  /// `.bindings`. The server checks the files of its pages when it starts, and the first view states of
  /// each page. It starts nevertheless. See <doc:Bindings>.
  public var pageCheck: PageCheck?

  /// Receives each request after its response has ended.
  ///
  /// Called on the polling thread or by the end of ``WebServer/respond(to:readingBody:)``, so it
  /// must be fast.
  public var logAccess: (@Sendable (AccessRecord) -> Void)?
  /// Runs around the work of each request, for example in the span of a tracer.
  ///
  /// It receives the request with its header fields and ``Request/route``, calls the closure once,
  /// and returns the closure's response. The task-local values that it sets apply to the work: the
  /// route, the action, or the making of the page. It is not called for refused requests, assets,
  /// event streams of pages and the page script. With it, each action takes one more task.
  ///
  /// Called off the main actor.
  public var aroundRequest:
    (@concurrent @Sendable (Request, @escaping @Sendable () async -> Response) async -> Response)?
  /// Returns the current time for all limits, except for the time that an answer waits for
  /// effects.
  ///
  /// A test of limits can return a fixed time. Called from any isolation, often.
  public var now: @Sendable () -> ContinuousClock.Instant = { .now }

  /// A configuration that listens on this machine only, and prints errors with a ``ServerLog``.
  public init(
    host: String = "127.0.0.1", port: UInt16 = 8080, limits: WebServerLimits = WebServerLimits(),
    reportError: (@Sendable (any Error) -> Void)? = nil
  ) {
    self.host = host
    self.port = port
    self.limits = limits
    self.reportError = reportError ?? ServerLog.standard.error
  }

  /// Sets what a server behind a reverse proxy with TLS needs.
  ///
  /// The name of a browser's cookie then contains the port of the public name. So all servers behind a
  /// proxy use the same cookie, whatever their own ports.
  ///
  /// - Parameters:
  ///   - name: The name by which browsers reach the proxy, perhaps with a port.
  ///   - proxies: The numeric addresses of the proxies between the clients and a proxy on this
  ///     machine.
  public mutating func publish(as name: String, through proxies: Set<String> = []) {
    allowedHosts = [name]
    allowedOrigins = ["https://\(name)"]
    trustedProxies = proxies.union(["127.0.0.1", "::1"])
    uncountedAddresses = trustedProxies
    isBehindTLS = true
    let port = URLComponents(string: "https://\(name)")?.port
    cookiePort = port.flatMap { UInt16(exactly: $0) } ?? 443
  }
}

/// The limits of resources.
///
/// The server refuses requests that exceed them.
public struct WebServerLimits: Sendable {
  /// Bytes of a request's body, unless the route sets its own limit; above it, the answer is 413.
  public var bodyBytes = 1 << 20
  /// Bytes of all request bodies at the same time; above the limit, the answer is 503.
  ///
  /// The bodies of one address or session may use an eighth of these bytes; above that, the answer
  /// is 429. See ``WebServerConfiguration/uncountedAddresses``. A body that its route allows may
  /// exceed the limit if the server holds no other body. It may exceed the eighth if its address
  /// and its session have no other body.
  public var bufferedBodyBytes = 64 << 20
  /// Bytes of a request's header fields; above the limit, the answer is 431.
  public var headerBytes = 16 << 10
  /// Bytes of the name and the value of one header field; above the limit, the answer is 431.
  public var headerFieldBytes = 8 << 10
  /// Bytes of one text in an action, as JSON writes it; above the limit, the answer is 413.
  ///
  /// It protects features from a single huge text. A file in an action is one text too.
  public var actionTextBytes = 512 << 10
  /// Pages per second that an address or a browser may load on average; above it, the answer is
  /// 429.
  ///
  /// Each page makes a view model. See ``WebServerConfiguration/uncountedAddresses``.
  public var pageLoadsPerSecond = 5.0
  /// Pages that an address or a browser may load in one burst after a pause.
  ///
  /// In the first minute after a restart, pages of the last run get new sessions in addition to
  /// this burst, as many as ``sessionsPerAddress`` for each address. This needs
  /// ``WebServerConfiguration/cookieKey``.
  public var pageLoadBurst = 100
  /// Sessions at the same time; above the limit, the answer is 503.
  public var sessions = 1000
  /// Sessions of one browser at the same time; above the limit, the answer is 429.
  ///
  /// Each session has at most two connections for event streams: the current one, and the one
  /// that it replaces. Older ones are closed.
  public var sessionsPerBrowser = 50
  /// Sessions of one address at the same time; above the limit, the answer is 429.
  ///
  /// This and the other limits for each address count the IPv6 addresses of a /64 network
  /// together, because a provider assigns such a network to each customer.
  /// See ``WebServerConfiguration/uncountedAddresses``.
  public var sessionsPerAddress = 250
  /// Connections at the same time; above the limit, the answer is 503.
  ///
  /// The server first closes the connection that has waited longest for a request. Each connection
  /// takes a file descriptor. The server raises the process's limit of open files if necessary. If
  /// the system does not allow enough of them, the server reports an error and accepts fewer
  /// connections.
  public var connections = 4000
  /// Connections of one address at the same time; above the limit, the answer is 429.
  ///
  /// See ``WebServerConfiguration/uncountedAddresses``.
  public var connectionsPerAddress = 500
  /// Actions per second that a session may send on average; above it, the answer is 429.
  ///
  /// An action counts once more for each 16 KiB of its body.
  public var actionsPerSecond = 50.0
  /// Actions that a session may send in one burst after a pause.
  public var actionBurst = 100
  /// The time that an answer waits for effects; see ``ActionAnswer/afterEffects``.
  public var effectTime: Duration = .seconds(10)
  /// The lifetime of a session without an action.
  ///
  /// A visible page then starts a new session.
  public var idleTime: Duration = .seconds(3600)
  /// The lifetime of a session without an open stream and without an action.
  ///
  /// A hidden page closes its stream. When the server is full, a new session replaces a session
  /// that has had no stream for 30 seconds.
  public var streamGrace: Duration = .seconds(900)
  /// The time that the header fields of a request may take to arrive.
  ///
  /// It starts when the connection opens or the previous answer was sent. The body may then take
  /// the same time again, and one more second for each 16 KiB. The client may take the same time to
  /// read a response, unless the response is a stream. After these times, the server closes the
  /// connection.
  public var requestTimeout: Duration = .seconds(20)
  /// The time that a client may take between two bytes of a request or a response.
  ///
  /// Rounded up to whole seconds.
  public var transferTimeout: Duration = .seconds(30)

  /// The default limits, for a server that a few hundred people use.
  public init() {}

  /// Sets the limits of open pages; each may have a stream and a request at a time.
  ///
  /// - Parameters:
  ///   - sessions: The number for all clients; nil changes nothing.
  ///   - perAddress: The number for an address; nil changes nothing.
  public mutating func allow(sessions: Int? = nil, perAddress: Int? = nil) {
    if let sessions {
      self.sessions = sessions
      connections = max(connections, 2 * sessions)
    }
    if let perAddress {
      sessionsPerAddress = perAddress
      connectionsPerAddress = max(connectionsPerAddress, 2 * perAddress)
    }
  }
}
