import CausewayBasics
public import Foundation

/// A path below a service's address.
///
/// Each interpolated value is one segment.
///
/// ```swift
/// let path: NetworkPath = "/activities/\(id)/guests"
/// ```
///
/// Slashes, question marks and similar characters in a value are percent-encoded, so a value never
/// becomes more than one segment. An empty value, or a value of dots only, could still change the
/// path. With such a value, the request fails with an error of kind `invalidRequest`.
public struct NetworkPath: Sendable, Hashable, CustomStringConvertible {
  /// The percent-encoded path, which begins with a slash.
  public private(set) var encoded: String

  /// The reason why the path is invalid; `nil` if it is valid.
  package private(set) var problem: String?

  /// The percent-encoded path.
  public var description: String { encoded }

  private init(parts: String, problem: String?) {
    encoded = parts.hasPrefix("/") ? parts : "/" + parts
    self.problem = problem
    if problem == nil, encoded.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) {
      self.problem = "the path \(encoded) contains dots, which lead to another folder"
    }
  }
}

extension NetworkPath: ExpressibleByStringInterpolation {
  /// Makes a path from a literal, whose slashes separate segments.
  public init(stringLiteral value: String) {
    var interpolation = StringInterpolation(
      literalCapacity: value.utf8.count, interpolationCount: 0)
    interpolation.appendLiteral(value)
    self.init(stringInterpolation: interpolation)
  }

  /// Makes a path from a literal with interpolated values.
  public init(stringInterpolation: StringInterpolation) {
    self.init(parts: stringInterpolation.text, problem: stringInterpolation.problem)
  }

  /// Collects the segments of a path.
  public struct StringInterpolation: StringInterpolationProtocol {
    var text = ""
    var problem: String?

    /// Makes an empty path.
    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 8)
    }

    /// Appends a part of the literal, whose slashes separate segments.
    public mutating func appendLiteral(_ literal: String) {
      if literal.contains("?") || literal.contains("#") {
        problem = "the path has a query or a fragment: give the query as `query:`"
      }
      text += PercentEncoding.encode(literal, keeping: "/%")
    }

    /// Appends a value as one segment or as a part of a segment.
    public mutating func appendInterpolation(_ value: some LosslessStringConvertible) {
      append(segment: value.description)
    }

    /// Appends a UUID as one segment.
    public mutating func appendInterpolation(_ value: UUID) {
      append(segment: value.uuidString)
    }

    /// Appends a raw value as one segment, for example the raw value of an enumeration.
    public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
    where Value.RawValue: LosslessStringConvertible {
      append(segment: value.rawValue.description)
    }

    private mutating func append(segment: String) {
      if segment.isEmpty {
        problem = "a value in the path after \(text) is empty"
      } else if segment.allSatisfy({ $0 == "." }) {
        // Servers and proxies treat encoded dots as dots.
        problem = "a value in the path after \(text) is \"\(segment)\", which leads elsewhere"
      }
      text += PercentEncoding.encode(segment)
    }
  }
}
