import Foundation

/// A part of the body of a form (`multipart/form-data`, RFC 7578).
public struct FormPart: Sendable, Hashable {
  /// The name of the field.
  public var name: String
  /// The name of the file; `nil` for a field that is not a file.
  public var fileName: String?
  /// The media type; `nil` for plain text.
  public var type: String?
  /// The content.
  public var bytes: [UInt8]

  /// Makes a field with a text.
  public init(_ name: String, _ text: String) {
    self.name = name
    bytes = Array(text.utf8)
  }

  /// Makes a field with a file.
  public init(_ name: String, fileName: String, type: String, bytes: [UInt8]) {
    self.name = name
    self.fileName = fileName
    self.type = type
    self.bytes = bytes
  }

  /// The header fields of the part, up to the empty line.
  fileprivate var head: String {
    var head = "Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
    if let fileName { head += "; filename=\"\(Self.escaped(fileName))\"" }
    // A line break in a type would begin another header field.
    if let type { head += "\r\nContent-Type: \(type.filter { !$0.isNewline })" }
    return head + "\r\n\r\n"
  }

  /// The name as browsers send it.
  private static func escaped(_ name: String) -> String {
    name.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\r": text += "%0D"
      case "\n": text += "%0A"
      case "\"": text += "%22"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension NetworkRequest.Body {
  /// Makes the body of a form, with its parts in order.
  ///
  /// ```swift
  /// let request = NetworkRequest(
  ///   .post, "/photos",
  ///   body: .form([
  ///     FormPart("caption", "Low tide"),
  ///     FormPart("photo", fileName: "tide.jpg", type: "image/jpeg", bytes: bytes),
  ///   ]))
  /// ```
  ///
  /// The body is in memory. Send a large file by itself, with ``file(_:type:)``.
  ///
  /// - Complexity: O(size of the parts).
  public static func form(_ parts: [FormPart]) -> Self {
    // No content has a random text of this length.
    let boundary = "causeway-\(UUID().uuidString)"
    var body: [UInt8] = []
    for part in parts {
      body += "--\(boundary)\r\n\(part.head)".utf8
      body += part.bytes
      body += "\r\n".utf8
    }
    body += "--\(boundary)--\r\n".utf8
    return .bytes(body, type: "multipart/form-data; boundary=\(boundary)")
  }
}
