public import Foundation

extension Timeline where State: Codable, Action: Codable {
  /// Returns the timeline as JSON.
  ///
  /// The keys are sorted, for comparison as text.
  ///
  /// - Throws: The errors of the state's and the actions' `encode(to:)`.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(self)
  }

  /// Reads a timeline from JSON.
  ///
  /// - Throws: `DecodingError` if the data is not a timeline of these states and actions.
  public init(json: Data) throws {
    self = try JSONDecoder().decode(Timeline.self, from: json)
  }
}
