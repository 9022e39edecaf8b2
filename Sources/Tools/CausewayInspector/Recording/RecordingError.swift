/// The reason why a file cannot be read as a recording or as a ring.
package enum RecordingError: Error, Sendable, Equatable, CustomStringConvertible {
  case empty
  case noHeader
  case otherVersion(Int)
  case badLine(number: Int, reason: String)
  case tooLarge(bytes: Int)
  case noRing

  /// A sentence that names the problem.
  package var description: String {
    switch self {
    case .empty: "The file is empty."
    case .noHeader:
      "The first line is not the header of a recording, such as {\"causeway-recording\":1,…}."
    case .otherVersion(let version):
      "The recording has version \(version); this program reads version "
        + "\(RecordingHeader.version)."
    case .badLine(let number, let reason): "Line \(number) is no event: \(reason)."
    case .tooLarge(let bytes):
      "The file has \(bytes) bytes; a recording has at most \(Recording.largestFile)."
    case .noRing: "The file is no ring: it does not begin with \"causeway-ring 1\"."
    }
  }
}
