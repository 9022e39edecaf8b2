public import Foundation

extension Timeline where State: Codable, Action: Codable {
  /// The timeline as JSON, with sorted keys, so that two of them can be compared as text.
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
