public import Foundation

extension Response {
  /// Bytes that the browser stores as a file.
  ///
  /// The bytes wait in an unnamed file in the temporary directory, so a slow client does not keep
  /// them in memory. If the file does not fit there, the bytes wait in memory.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - type: The media type.
  ///   - name: The name of the file, without quotes and control characters.
  public static func download(_ bytes: Data, type: String, named name: String) -> Response {
    let unsafe = CharacterSet.controlCharacters.union(.newlines).union(["\"", "\\"])
    let name = String(String.UnicodeScalarView(name.unicodeScalars.filter { !unsafe.contains($0) }))
    let fields: HTTPHeaders = ["Content-Disposition": "attachment; filename=\"\(name)\""]
    guard !bytes.isEmpty, let file = unnamedFile(of: bytes) else {
      return Response(.ok, type: type, bytes: bytes, headers: fields)
    }
    var headers = fields
    headers["Content-Type"] = type
    return Response(.ok, headers: headers, body: .file(file, offset: 0, length: file.size))
  }

  /// A file that the system removes when it is closed, even by a crash; nil if it does not fit.
  private static func unnamedFile(of bytes: Data) -> OpenFile? {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    // Other users of the machine must not read the file while it still has a name.
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    unlink(path)
    return OpenFile(descriptor, writing: bytes)
  }
}
