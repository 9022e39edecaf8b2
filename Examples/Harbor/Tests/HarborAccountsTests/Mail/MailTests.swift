#if canImport(CMailCurl)
  import HarborMail
  import Foundation
  import TestSupport
  import Testing

  @Suite(.timeLimit(.minutes(5))) struct `Mail` {
    private static let now = Date(timeIntervalSince1970: 1_778_430_600)

    private func service(
      _ server: String, timeout: Duration = .seconds(120)
    ) throws -> MailService {
      MailService(
        server: try MailServer(server), sender: try MailAddress("board@example.org"),
        timeout: timeout, now: { Self.now })
    }

    private func message(
      _ subject: String = "Moved", _ text: String = "At seven."
    ) throws -> MailMessage {
      MailMessage(to: try MailAddress("ana@example.org"), subject: subject, text: text)
    }

    /// The header fields and the text of a mail.
    private func parts(of content: String) throws -> (fields: [String: String], text: String) {
      let end = try #require(content.range(of: "\n\n"))
      let head = content[..<end.lowerBound].replacing("\n ", with: " ")
      var fields: [String: String] = [:]
      for line in head.split(separator: "\n") {
        let colon = try #require(line.firstIndex(of: ":"))
        let isNew =
          fields.updateValue(
            line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces),
            forKey: String(line[..<colon])) == nil
        #expect(isNew, "\(line) exists twice")
      }
      let body = Data(
        base64Encoded: String(content[end.upperBound...]), options: .ignoreUnknownCharacters)
      return (fields, String(decoding: try #require(body), as: UTF8.self))
    }

    /// The text of a subject in encoded words.
    private func subject(_ field: String?) throws -> String {
      try (field ?? "").split(separator: " ").map { word in
        #expect(word.count <= 75 && word.hasPrefix("=?utf-8?B?") && word.hasSuffix("?="))
        let data = try #require(Data(base64Encoded: String(word.dropFirst(10).dropLast(2))))
        return String(decoding: data, as: UTF8.self)
      }.joined()
    }

    @Test func `arrives with its subject, its text and the way to end it`() async throws {
      let server = try MailServerDouble()
      var message = try message("Übermorgen: “Rudern” 🚣 " + String(repeating: "lang ", count: 30))
      message.text = "Um sieben.\n.\nBring eine Schüssel mit.\r\nfrom here\n"
      message.unsubscribe = URL(string: "https://board.example/mail/end?code=1")
      try await service(server.address).send(message)
      let mail = try #require(server.mails.all.first)
      #expect(mail.sender.hasPrefix("MAIL FROM:<board@example.org>"))
      #expect(mail.recipient.hasPrefix("RCPT TO:<ana@example.org>"))
      let (fields, text) = try parts(of: mail.content)
      #expect(try subject(fields["Subject"]) == message.subject)
      #expect(text.replacing("\r\n", with: "\n") == message.text.replacing("\r\n", with: "\n"))
      #expect(fields["Date"] == "Sun, 10 May 2026 16:30:00 +0000")
      #expect(fields["List-Unsubscribe"] == "<https://board.example/mail/end?code=1>")
      #expect(fields["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click")
      #expect(fields["From"] == "<board@example.org>" && fields["To"] == "<ana@example.org>")
      #expect(mail.content.split(separator: "\n").allSatisfy { $0.utf8.count <= 78 })
    }

    @Test func `has the id of an earlier attempt, and a way to end it only with HTTPS`()
      async throws
    {
      let server = try MailServerDouble()
      for id in ["17-a", "1\r\nBcc: <x@y.example>", "\r\n"] {
        try await service(server.address).send(
          MailMessage(
            to: try MailAddress("ana@example.org"), subject: "", text: "At seven.",
            unsubscribe: URL(string: "http://127.0.0.1/end"), id: id))
      }
      let fields = try server.mails.all.map { try parts(of: $0.content).fields }
      let ids = fields.map { $0["Message-ID"] ?? "" }
      #expect(ids.prefix(2) == ["<17-a@example.org>", "<1Bccxyexample@example.org>"])
      #expect(ids[2].count > 40 && fields.allSatisfy { $0["List-Unsubscribe-Post"] == nil })
    }

    @Test(arguments: [
      "Hi\r\nBcc: eve@example.org", "Hi\nX: y", "\r\n\r\nbody", "\u{0}\u{7F}", "a\r\n.\r\nQUIT",
    ])
    func `has no other header fields, whatever its texts contain`(text: String) async throws {
      let server = try MailServerDouble()
      try await service(server.address).send(message(text, text))
      let mail = try #require(server.mails.all.first)
      #expect(server.mails.all.count == 1)
      let fields = try parts(of: mail.content).fields
      #expect(
        fields.keys.sorted() == [
          "Auto-Submitted", "Content-Transfer-Encoding", "Content-Type", "Date", "From",
          "MIME-Version", "Message-ID", "Subject", "To",
        ])
      #expect(!(try subject(fields["Subject"])).contains(where: \.isNewline))
    }

    @Test(arguments: [
      "", "ana", "@example.org", "ana@", "a@b@c", "a na@example.org", "ana@exa mple.org",
      "ana@example.org\r\nRCPT TO:<eve@example.org>", "<ana@example.org>", "ana@-x", "a..b@c.d",
      ".a@b.c", "ana@b..c", "änä@example.org", "\"a b\"@example.org", "ana@example.org>",
      String(repeating: "a", count: 65) + "@example.org",
    ])
    func `is refused without a proper address`(text: String) {
      #expect(throws: MailError.badAddress(text)) { try MailAddress(text) }
    }

    @Test(arguments: [
      "", "mail.example", "http://mail.example", "smtp://", "smtp://mail.example/path",
      "smtp://mail.example:0", "smtp://a%0D%0Ab@mail.example", "smtp://ana:secret@mail.example",
    ])
    func `needs the address of a server`(text: String) {
      #expect(throws: MailError.badServer) { try MailServer(text) }
    }

    @Test func `needs TLS, except for a server on this machine`() throws {
      #expect(try MailServer("smtp://mail.example").requiresTLS)
      #expect(try MailServer("smtp://mail.example").port == 587)
      #expect(try MailServer("smtps://mail.example").port == 465)
      #expect(try !MailServer("smtp://127.0.0.1:2525").requiresTLS)
      var local = try MailServer("smtp://ana@[::1]")
      local.password = "secret"
      #expect(!local.requiresTLS && "\(local)" == "smtp://[::1]:587")
    }

    @Test func `fails with the reason of the server`() async throws {
      let strict = try MailServerDouble { $0 == 0 ? "550 no such person" : "451 later" }
      await #expect(throws: MailError.refused(code: 550)) {
        try await service(strict.address).send(message())
      }
      await #expect(throws: MailError.later(code: 451)) {
        try await service(strict.address).send(message())
      }
      #expect(MailError.later(code: 451).isTemporary && !MailError.refused(code: 550).isTemporary)
      let port = try ReservedPort()
      let error = await #expect(throws: MailError.self) {
        try await service("smtp://127.0.0.1:\(port.number)").send(message())
      }
      #expect(error?.isTemporary == true && error?.description.contains("reached") == true)
    }

    @Test(arguments: [
      ("HELO", 554, true), ("MAIL", 550, true), ("MAIL", 530, true), ("RCPT", 554, true),
      ("RCPT", 530, true), ("RCPT", 550, false), (".", 554, false),
    ])
    func `is tried again after a refusal of the sender`(
      command: String, code: Int, isTemporary: Bool
    ) async throws {
      let server = try MailServerDouble(at: command) { _ in "\(code) no" }
      let error = await #expect(throws: MailError.self) {
        try await service(server.address).send(message())
      }
      #expect(error == (isTemporary ? .later(code: code) : .refused(code: code)))
      #expect(error?.isTemporary == isTemporary && server.mails.all.isEmpty)
    }

    @Test func `ends after its time, and when its task is cancelled`() async throws {
      let silent = try MailServerDouble(silent: true)
      await #expect(throws: MailError.timedOut) {
        try await service(silent.address, timeout: .milliseconds(50)).send(message())
      }
      let (mail, late) = (try service(silent.address), try message())
      let sending = Task { try await mail.send(late) }
      sending.cancel()
      await #expect(throws: MailError.cancelled) { try await sending.value }
    }
  }
#endif
