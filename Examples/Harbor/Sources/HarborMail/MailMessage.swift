public import Foundation

/// The address of a person's mailbox, such as `ana@example.org`.
public struct MailAddress: Sendable, Hashable, CustomStringConvertible {
  /// The address as text.
  public let description: String

  /// Checks a text: ASCII, without names, quotes, comments or control characters (the dot-atoms of
  /// RFC 5321).
  ///
  /// - Throws: ``MailError/badAddress(_:)``.
  public init(_ text: String) throws(MailError) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= 254, (1...64).contains(parts[0].utf8.count),
      parts.allSatisfy({ Self.isDotted($0) }),
      parts[0].unicodeScalars.allSatisfy({ Self.isHost($0) || Self.marks.contains($0) }),
      parts[1].unicodeScalars.allSatisfy(Self.isHost), !parts[1].hasPrefix("-")
    else { throw .badAddress(text) }
    description = text
  }

  private static func isDotted(_ text: Substring) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
  }

  private static func isHost(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
      || scalar == "-" || scalar == "."
  }

  private static let marks = "!#$%&'*+/=?^_`{|}~".unicodeScalars
}

/// A mail of plain text to one person.
public struct MailMessage: Sendable, Equatable {
  /// The person who receives it.
  package var recipient: MailAddress
  /// The subject.
  ///
  /// Line breaks and other control characters in it are sent as spaces.
  public var subject: String
  /// The text.
  public var text: String
  /// The page with which the person ends mails of this kind; nil for a mail that they asked for.
  ///
  /// With HTTPS, a mail program may end these mails itself: it sends a POST request without a
  /// sign-in (RFC 8058). A GET request must end nothing, because programs open the links of a mail.
  public var unsubscribe: URL?
  /// The id; nil for a random one.
  ///
  /// Letters, digits and hyphens. With the id, a mail server can recognise a mail that is sent
  /// again.
  var id: String?

  /// Makes a mail from its parts.
  public init(
    to recipient: MailAddress, subject: String, text: String, unsubscribe: URL? = nil,
    id: String? = nil
  ) {
    self.id = id
    self.recipient = recipient
    self.subject = subject
    self.text = text
    self.unsubscribe = unsubscribe
  }

  /// The mail as bytes (RFC 5322).
  ///
  /// The subject and the text are encoded, so they can neither add a header field nor end the mail.
  func encoded(from sender: MailAddress, id random: String, at date: Date) -> [UInt8] {
    // The id is part of a header field.
    let given = (id ?? "").filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    let id = given.isEmpty ? random : given
    let host = sender.description.split(separator: "@").last ?? "localhost"
    var lines = [
      "From: <\(sender)>", "To: <\(recipient)>", "Subject: \(Self.encoded(subject))",
      "Date: \(Self.field(date))", "Message-ID: <\(id)@\(host)>", "MIME-Version: 1.0",
      "Auto-Submitted: auto-generated", "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: base64",
    ]
    // The text of an address contains no white space and no control characters.
    if let unsubscribe {
      lines.append("List-Unsubscribe: <\(unsubscribe.absoluteString)>")
      if unsubscribe.scheme == "https" {
        lines.append("List-Unsubscribe-Post: List-Unsubscribe=One-Click")
      }
    }
    lines.append("")
    let text = text.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n")
    lines.append(
      Data(text.utf8).base64EncodedString(options: [
        .lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
      ]))
    return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
  }

  /// A text in encoded words of at most 75 characters (RFC 2047).
  private static func encoded(_ text: String) -> String {
    var (words, word): ([String], String) = ([], "")
    func close() {
      if !word.isEmpty { words.append("=?utf-8?B?\(Data(word.utf8).base64EncodedString())?=") }
      word = ""
    }
    for scalar in text.unicodeScalars {
      let shown = scalar.properties.generalCategory == .control ? " " : String(scalar)
      // A line of the field, with the field's name, has at most 76 characters.
      if word.utf8.count + shown.utf8.count > 39 { close() }
      word += shown
    }
    close()
    return words.joined(separator: "\r\n ")
  }

  private static func field(_ date: Date) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = .gmt
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss '+0000'"
    return format.string(from: date)
  }
}
