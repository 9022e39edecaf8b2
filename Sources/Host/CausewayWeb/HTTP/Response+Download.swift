public import Foundation

extension Response {
  /// Bytes that the browser stores as a file.
  ///
  /// They wait in a file without a name in the temporary directory, so a slow client holds no memory
  /// of the size of the file. Without room there, they wait in memory.
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

  /// A file that ends when it is released, also after a crash; nil without room for it.
  private static func unnamedFile(of bytes: Data) -> OpenFile? {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    // Others of the machine must not read it in the moment in which it has a name.
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    unlink(path)
    return OpenFile(descriptor, writing: bytes)
  }
}
