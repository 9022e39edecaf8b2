/// A mail server on this machine that speaks SMTP (RFC 5321), without TLS.
public final class MailServerDouble: Sendable {
  /// A mail that it has accepted.
  public struct Received: Sendable, Equatable {
    /// The lines with the sender and the recipient, and the mail.
    public var sender, recipient, content: String
  }

  /// The mails that it has accepted.
  public let mails = Log<Received>()
  private let server: RawServer

  /// The address for `MailServer`.
  public var address: String { "smtp://127.0.0.1:\(server.port)" }

  /// - Parameters:
  ///   - silent: Whether it never answers.
  ///   - command: The command that it refuses; `HELO` for the connection, `.` for the content.
  ///   - refuse: Returns the answer to the command; `nil` accepts it.
  public init(
    silent: Bool = false, at command: String = "RCPT",
    refuse: @escaping @Sendable (Int) -> String? = { _ in nil }
  ) throws {
    let mails = mails
    server = try RawServer.serving { number, connection in
      if silent { return connection.waitForClose() }
      Self.serve(Lines(connection), connection, (command, refuse(number))) { mails.append($0) }
    }
  }

  private static func serve(
    _ lines: Lines, _ connection: RawConnection, _ refusal: (command: String, answer: String?),
    _ accept: (Received) -> Void
  ) {
    var mail = Received(sender: "", recipient: "", content: "")
    func answer(to command: String, _ usual: String) -> String {
      command == refusal.command ? refusal.answer ?? usual : usual
    }
    _ = connection.send("\(answer(to: "HELO", "220 test"))\r\n")
    while let line = lines.next() {
      let reply: String
      switch line.prefix(4) {
      case "EHLO": reply = "250 test"
      case "MAIL":
        mail.sender = line
        reply = answer(to: "MAIL", "250 ok")
      case "RCPT":
        mail.recipient = line
        reply = answer(to: "RCPT", "250 ok")
      case "DATA":
        _ = connection.send("354 go on\r\n")
        while let part = lines.next(), part != "." {
          // A dot at the beginning of a line is doubled on the way.
          mail.content += (part.hasPrefix(".") ? String(part.dropFirst()) : part) + "\n"
        }
        reply = answer(to: ".", "250 accepted")
        if reply.hasPrefix("2") { accept(mail) }
      case "QUIT":
        _ = connection.send("221 bye\r\n")
        return
      default: reply = "502 unknown"
      }
      _ = connection.send("\(reply)\r\n")
    }
  }

  /// The lines of a client; each ends with CR and LF.
  private final class Lines {
    private let connection: RawConnection
    private var bytes: [UInt8] = []

    init(_ connection: RawConnection) { self.connection = connection }

    func next() -> String? {
      while true {
        if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
          let line = bytes[..<end]
          bytes.removeSubrange(...end)
          guard line.last == UInt8(ascii: "\r") else { return "a bare line feed" }
          return String(decoding: line.dropLast(), as: UTF8.self)
        }
        let more = connection.receive()
        if more.isEmpty { return nil }
        bytes += more
      }
    }
  }
}
