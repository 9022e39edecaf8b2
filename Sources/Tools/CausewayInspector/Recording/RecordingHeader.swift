/// The first line of a recording.
package struct RecordingHeader: Codable, Sendable, Equatable {
  /// The version of the form.
  package static let version = 1

  package var recording: Int
  /// The name of the program.
  package var program: String
  /// The time of the first event, as seconds since 1970.
  package var began: Double

  private enum CodingKeys: String, CodingKey {
    case recording = "causeway-recording"
    case program, began
  }

  package init(program: String, began: Double) {
    recording = Self.version
    self.program = program
    self.began = began
  }
}
