import Foundation

extension WebServer {
  /// Where a server listens, and what it allows.
  public struct Configuration: Sendable {
    /// The numeric address to listen on, or `localhost`.
    ///
    /// Anything but a loopback address makes the server reachable from other machines.
    public var host: String
    /// The port; 0 lets the system choose a free one.
    public var port: UInt16
    /// What a client may use up.
    public var limits: Limits
    /// Names that a `Host` field may carry besides the listening address and the loopback names,
    /// for example behind a proxy.
    ///
    /// A page of another site that rebinds its own name to this machine is refused by this check.
    public var allowedHosts: Set<String> = []
    /// Origins such as `https://board.example` that may send requests that change something,
    /// besides the server's own.
    public var allowedOrigins: Set<String> = []
    /// Addresses of reverse proxies whose `X-Forwarded-For` fields are believed.
    ///
    /// Name all proxies between the people and this server. A proxy must add the address that it
    /// sees to the field; a field from any other address is ignored.
    public var trustedProxies: Set<String> = []
    /// Whether people reach this server through a proxy that ends TLS, and in no other way.
    ///
    /// The cookie of a browser is then `Secure`, and its name starts with `__Host-`, so that neither
    /// a plain connection nor another host of the domain can read or replace it.
    public var isBehindTLS = false
    /// Addresses whose connections and sessions are not counted for
    /// ``Limits/connectionsPerAddress`` and ``Limits/sessionsPerAddress``: those of reverse proxies,
    /// behind which all people have the same address.
    ///
    /// By default the addresses of this machine, where a proxy usually runs.
    public var uncountedAddresses: Set<String> = ["127.0.0.1", "::1"]
    /// What pages may load.
    public var contentSecurityPolicy = ContentSecurityPolicy()
    /// How long a stream may be silent before a comment is sent.
    public var heartbeat: Duration = .seconds(15)
    /// Receives errors that a client must not see: those of routes, and of encoding a state.
    ///
    /// Called on any thread.
    public var reportError: @Sendable (any Error) -> Void

    /// A configuration that listens on this machine only, and prints errors to standard error.
    public init(
      host: String = "127.0.0.1", port: UInt16 = 8080, limits: Limits = Limits(),
      reportError: (@Sendable (any Error) -> Void)? = nil
    ) {
      self.host = host
      self.port = port
      self.limits = limits
      self.reportError = reportError ?? printError
    }
  }

  /// What a client may use up before it is refused.
  public struct Limits: Sendable {
    /// Bytes of a request's body, unless a route says otherwise; more is a 413.
    public var bodyBytes = 1 << 20
    /// Bytes of a request's header fields; more is a 431.
    public var headerBytes = 16 << 10
    /// Sessions at the same time; more is a 503.
    public var sessions = 1000
    /// Sessions of one browser at the same time; more is a 429.
    public var sessionsPerBrowser = 50
    /// Sessions of one address at the same time; more is a 429.
    ///
    /// See ``Configuration/uncountedAddresses``.
    public var sessionsPerAddress = 250
    /// Connections at the same time; more is a 503.
    ///
    /// A connection that has waited for a request for longest makes room for a new one.
    public var connections = 4000
    /// Connections of one address at the same time; more is a 429.
    ///
    /// See ``Configuration/uncountedAddresses``.
    public var connectionsPerAddress = 500
    /// Actions a second that a session may send for long; more is a 429.
    public var actionsPerSecond = 50.0
    /// Actions that a session may send at once after a pause.
    public var actionBurst = 100
    /// How long an answer waits for the effects of an action; see ``ActionAnswer/afterEffects``.
    public var effectTime: Duration = .seconds(10)
    /// How long a session lives without an action.
    ///
    /// A page that is visible makes a new one.
    public var idleTime: Duration = .seconds(3600)
    /// How long a session lives without an open stream and without an action.
    ///
    /// A page that is hidden closes its stream. When the server is full, a session without a stream
    /// makes room for a new one after 30 seconds.
    public var streamGrace: Duration = .seconds(900)
    /// How long the header fields of a request may take to arrive, from the moment when the
    /// connection is open or the answer before was sent.
    ///
    /// The body has the same time again, and one second more for each 16 KiB.
    public var requestTimeout: Duration = .seconds(20)
    /// How long a client may take between two bytes of a request or a response.
    ///
    /// Rounded up to whole seconds.
    public var transferTimeout: Duration = .seconds(30)

    /// The default limits, for a server that a few hundred people use.
    public init() {}
  }
}

private func printError(_ error: any Error) {
  FileHandle.standardError.write(Data("causeway: \(error)\n".utf8))
}
