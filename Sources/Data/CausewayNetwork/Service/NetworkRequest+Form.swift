import Foundation

extension NetworkRequest.Body {
  /// Makes the body of a form (`multipart/form-data`, RFC 7578): its fields in order, then its files.
  ///
  /// ```swift
  /// let request = NetworkRequest(
  ///   .post, "/photos",
  ///   body: .form(
  ///     ["caption": "Low tide"],
  ///     files: [(name: "photo", fileName: "tide.jpg", type: "image/jpeg", bytes: bytes)]))
  /// ```
  ///
  /// The body is in memory. Send a large file by itself, with ``file(_:type:)``.
  ///
  /// - Parameters:
  ///   - fields: The names and texts of the fields.
  ///   - files: The field name, the file name, the media type and the content of each file.
  /// - Complexity: O(size of the parts).
  public static func form(
    _ fields: KeyValuePairs<String, String>,
    files: [(name: String, fileName: String, type: String, bytes: [UInt8])] = []
  ) -> Self {
    // A random text of this length does not occur in the content.
    let boundary = "causeway-\(UUID().uuidString)"
    var body: [UInt8] = []
    func add(_ head: String, _ bytes: some Sequence<UInt8>) {
      body += "--\(boundary)\r\nContent-Disposition: form-data; \(head)\r\n\r\n".utf8
      body += bytes
      body += "\r\n".utf8
    }
    for (name, text) in fields { add("name=\"\(escaped(name))\"", text.utf8) }
    for file in files {
      // A line break in a type would begin another header field.
      let type = file.type.filter { !$0.isNewline }
      add(
        "name=\"\(escaped(file.name))\"; filename=\"\(escaped(file.fileName))\"\r\nContent-Type: \(type)",
        file.bytes)
    }
    body += "--\(boundary)--\r\n".utf8
    return .bytes(body, type: "multipart/form-data; boundary=\(boundary)")
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
