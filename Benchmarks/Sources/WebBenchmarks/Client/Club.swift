#if os(Linux)
  import Foundation

  /// The people of a host with accounts: each browser signs up for an account of its own.
  final class Club {
    private static let host = "board.example"
    /// The limit of a group is below the actions of this benchmark.
    static let options = ["--public", host, "--limit", "group-changes-per-minute=1000000"]

    private let invitation: String
    /// The time from each sign-up to the end of the page that sent it.
    private(set) var signUps: [Duration] = []

    /// Makes an invitation to a new group.
    ///
    /// - Parameters:
    ///   - program: The program of the example app.
    ///   - data: Its data directory.
    init(_ program: URL, data: URL) throws {
      let (process, output) = (Process(), Pipe())
      process.executableURL = program
      process.arguments = ["invite", "Club", "--data", data.path, "--public", Self.host]
      process.standardOutput = output
      try process.run()
      let link = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      guard let code = link.firstMatch(of: /join\/([0-9a-f]+)/)?.1 else {
        throw Unexpected(answer: link)
      }
      invitation = String(code)
    }

    /// Makes an account in a new browser, and opens its page.
    func join(as name: String, port: UInt16, pages: Socket) throws -> Tab {
      // The field of a proxy: the limits of attempts count the addresses of the clients.
      let client = "10.0.\(signUps.count / 250).\(signUps.count % 250 + 1)"
      let origin = "Host: \(Self.host)\r\nX-Forwarded-For: \(client)\r\n"
      let visitor = try Tab(port: port, cookie: nil, pages: pages, origin: origin)
      try visitor.open()
      let action =
        #"{"signUp":{"name":"\#(name)","passphrase":"correct horse battery","#
        + #""invitation":"\#(invitation)"}}"#
      let start = ContinuousClock.now
      let answer = try pages.exchange(visitor.request(action))
      guard answer.status == 200 else { throw Unexpected(answer: answer.head + answer.body) }
      try visitor.waitForEnd()
      signUps.append(ContinuousClock.now - start)
      return try Tab(
        port: port, cookie: visitor.cookie, pages: pages, origin: origin, after: visitor.session)
    }
  }
#endif
