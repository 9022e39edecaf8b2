public import Foundation

/// Where below a service's address a request goes, with each interpolated value as one segment.
///
/// ```swift
/// let path: NetworkPath = "/activities/\(id)/guests"
/// ```
///
/// A value never becomes more than its segment: slashes, question marks and the like in it are
/// percent-encoded. A value that would change the path all the same, an empty one or dots that
/// stand for another folder, makes the request fail with an error of kind `invalidRequest`.
public struct NetworkPath: Sendable, Hashable, CustomStringConvertible {
  /// The path as it is sent, percent-encoded, beginning with a slash.
  public private(set) var encoded: String

  /// What is wrong with the path, if anything.
  package private(set) var problem: String?

  /// The path as it is sent.
  public var description: String { encoded }

  private init(parts: String, problem: String?) {
    encoded = parts.hasPrefix("/") ? parts : "/" + parts
    self.problem = problem
    if problem == nil, encoded.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) {
      self.problem = "the path \(encoded) has dots that stand for another folder"
    }
  }
}

extension NetworkPath: ExpressibleByStringInterpolation {
  /// Makes a path from text in the source code, whose slashes divide segments.
  public init(stringLiteral value: String) {
    var interpolation = StringInterpolation(
      literalCapacity: value.utf8.count, interpolationCount: 0)
    interpolation.appendLiteral(value)
    self.init(stringInterpolation: interpolation)
  }

  /// Makes a path from text in the source code and values between.
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

    /// Appends text from the source code, whose slashes divide segments.
    public mutating func appendLiteral(_ literal: String) {
      if literal.contains("?") || literal.contains("#") {
        problem = "the path has a query or a fragment: give the query as `query:`"
      }
      text += PercentEncoding.encode(literal, keeping: "/%")
    }

    /// Appends a value as one segment, or as a part of one.
    public mutating func appendInterpolation(_ value: some LosslessStringConvertible) {
      append(segment: value.description)
    }

    /// Appends an identifier as one segment.
    public mutating func appendInterpolation(_ value: UUID) {
      append(segment: value.uuidString)
    }

    /// Appends the raw value of, for example, an enum as one segment.
    public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
    where Value.RawValue: LosslessStringConvertible {
      append(segment: value.rawValue.description)
    }

    private mutating func append(segment: String) {
      if segment.isEmpty {
        problem = "a value in the path after \(text) is empty"
      } else if segment.allSatisfy({ $0 == "." }) {
        // Servers and proxies read encoded dots as dots.
        problem = "a value in the path after \(text) is \"\(segment)\", another folder"
      }
      text += PercentEncoding.encode(segment)
    }
  }
}

/// The only code that encodes text for an address.
package enum PercentEncoding {
  /// The text with all characters encoded except letters, digits, `-._~` and the kept ones.
  package static func encode(_ text: String, keeping kept: String = "") -> String {
    var encoded: [UInt8] = []
    let keptBytes = Array(kept.utf8)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        encoded.append(byte)
      case _ where keptBytes.contains(byte):
        encoded.append(byte)
      default:
        encoded.append(UInt8(ascii: "%"))
        encoded.append(digits[Int(byte >> 4)])
        encoded.append(digits[Int(byte & 15)])
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)
}
