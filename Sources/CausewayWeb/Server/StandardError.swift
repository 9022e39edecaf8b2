import Foundation

/// Where errors go that nobody else asked for.
enum StandardError {
  static func print(_ error: any Error) {
    FileHandle.standardError.write(Data("causeway: \(error)\n".utf8))
  }
}
