#if canImport(CMailCurl)
  import HarborMail
  import Foundation
  import TestSupport
  import Testing

  /// The mails at a mail server that is not our own.
  @Suite(
    .enabled(if: OtherMailServer.isInstalled, "This needs Debian's python3-aiosmtpd."),
    .timeLimit(.minutes(5)))
  struct `Mail to another server` {
    @Test func `arrives as its parser reads it`() async throws {
      let port = try ReservedPort()
      let server = try OtherMailServer(port: port.number)
      try server.waitUntilOpen()
      let service = MailService(
        server: try MailServer("smtp://127.0.0.1:\(port.number)"),
        sender: try MailAddress("board@example.org"), timeout: .seconds(240))
      let text =
        "Um sieben.\n.\nBring eine Schüssel 🚣 mit.\n" + String(repeating: "lang ", count: 300)
      try await service.send(
        MailMessage(
          to: try MailAddress("ana@example.org"), subject: "Übermorgen\r\nBcc: eve@example.org",
          text: text, unsubscribe: URL(string: "https://board.example/mail/end/1"), id: "one-2"))
      let mail = try server.received()
      #expect(mail.from == "board@example.org" && mail.recipients == ["ana@example.org"])
      #expect(mail.subject == "Übermorgen  Bcc: eve@example.org")
      #expect(mail.text.replacing("\r\n", with: "\n") == text)
      #expect(mail.unsubscribe == "<https://board.example/mail/end/1>")
      #expect(mail.post == "List-Unsubscribe=One-Click" && mail.id == "<one-2@example.org>")
      #expect(mail.defects == 0 && mail.bcc == nil)
    }
  }

  /// A mail server in Python, which takes one mail.
  private struct OtherMailServer {
    struct Mail: Decodable {
      var from, subject, text, unsubscribe, post, id: String
      var recipients: [String]
      var bcc: String?
      var defects: Int
    }

    static let isInstalled: Bool = {
      guard FileManager.default.isExecutableFile(atPath: python.path) else { return false }
      let check = try? SpawnedProcess(python, ["-c", "import aiosmtpd.controller"], errors: nil)
      return check?.waitForExit() == .code(0)
    }()

    private static let python = URL(filePath: "/usr/bin/python3")
    private let output = Pipe()
    private let process: SpawnedProcess

    init(port: UInt16) throws {
      process = try SpawnedProcess(
        Self.python, ["-c", Self.program, "\(port)"], output: output.fileHandleForWriting)
      // Otherwise the end of the program does not end the output.
      try output.fileHandleForWriting.close()
    }

    /// Waits for the first byte that the program prints.
    func waitUntilOpen() throws { _ = try output.fileHandleForReading.read(upToCount: 1) }

    func received() throws -> Mail {
      let data = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitForExit()
      return try JSONDecoder().decode(Mail.self, from: data)
    }

    private static let program = """
      import email, email.policy, json, sys, threading
      from aiosmtpd.controller import Controller
      done = threading.Event()
      class Handler:
        async def handle_DATA(self, server, session, envelope):
          self.mail = envelope
          done.set()
          return "250 ok"
      handler = Handler()
      controller = Controller(handler, hostname="127.0.0.1", port=int(sys.argv[1]))
      controller.start()
      print(" ", end="", flush=True)
      done.wait(240)
      controller.stop()
      mail = email.message_from_bytes(handler.mail.content, policy=email.policy.default)
      print(json.dumps({
        "from": handler.mail.mail_from, "recipients": handler.mail.rcpt_tos,
        "subject": mail["Subject"], "text": mail.get_content(), "bcc": mail["Bcc"],
        "unsubscribe": mail["List-Unsubscribe"], "post": mail["List-Unsubscribe-Post"],
        "id": mail["Message-ID"], "defects": len(mail.defects)}))
      """
  }
#endif
