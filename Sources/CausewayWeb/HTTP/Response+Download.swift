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
    let name = name.filter { $0 != "\"" && $0 != "\\" && !$0.isNewline }
    let fields: HTTPHeaders = ["Content-Disposition": "attachment; filename=\"\(name)\""]
    guard !bytes.isEmpty, let file = unnamedFile(of: bytes) else {
      return Response(.ok, type: type, bytes: bytes, headers: fields)
    }
    var headers = fields
    headers["Content-Type"] = type
    return Response(.ok, headers: headers, body: .file(file, offset: 0, length: file.size))
  }

  /// A file that ends when it is released, also after a crash.
  private static func unnamedFile(of bytes: Data) -> OpenFile? {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    // Others of the machine must not read it while it has a name.
    let isStored = FileManager.default.createFile(
      atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600])
    guard isStored, let file = OpenFile(path: path), file.size == UInt64(bytes.count) else {
      return nil
    }
    return file
  }
}
