import CausewayWeb

/// An example of the JSON that a type reads when it is decoded, with all optional members.
///
/// ``PageBindings`` compares the bindings of a page with it before the first view state exists. A member
/// named ``anyName`` stands for further members, and null stands for an unknown value.
final class StateSample {
  static let anyName = "*"

  private var members: [String: StateSample] = [:]
  private var elements: StateSample?
  private var value: JSONValue?
  private var isOpen = false

  /// An example for a type, or null if nothing is known.
  static func json(of type: any Decodable.Type) -> JSONValue {
    let sample = StateSample()
    do {
      _ = try TemplateDecoder(node: .anything(sample), path: [], log: TemplateLog())
        .decode(type)
    } catch {
      sample.open()
    }
    return sample.json
  }

  func member(_ name: String) -> StateSample {
    let member = members[name] ?? StateSample()
    members[name] = member
    return member
  }

  func element() -> StateSample {
    let element = elements ?? StateSample()
    elements = element
    return element
  }

  func leaf(_ value: JSONValue) { self.value = value }

  /// Notes that further members may exist.
  func open() { isOpen = true }

  private var json: JSONValue {
    if let elements { return .array([elements.json]) }
    guard !members.isEmpty else { return value ?? .null }
    var json = members.mapValues(\.json)
    if isOpen { json[Self.anyName] = .null }
    return .object(json)
  }
}

extension JSONValue {
  /// The result of following a path in a view state or an example of it.
  enum Member {
    case found(JSONValue)
    /// There is no such member. The names are the names of the members that exist.
    case missing(names: [String])
    /// Nothing is known about the value.
    case unknown
  }

  /// Follows a path as the page script does.
  ///
  /// Complexity: O(n) in the length of the path.
  func member(at steps: some Sequence<String>) -> Member {
    var current = self
    for step in steps {
      switch current {
      case .null: return .unknown
      case .object(let members):
        if let next = members[step] {
          current = next
        } else if members[StateSample.anyName] != nil {
          return .unknown
        } else {
          return .missing(names: Array(members.keys))
        }
      case .array(let elements):
        if step == "length" {
          current = .integer(Int64(elements.count))
        } else if let index = Self.index(step) {
          // The array may be longer later.
          guard elements.indices.contains(index) else { return .unknown }
          current = elements[index]
        } else {
          return .missing(names: ["length"])
        }
      case .string(let text) where step == "length":
        current = .integer(Int64(text.utf16.count))
      case .string: return .missing(names: ["length"])
      case .bool, .integer, .number: return .missing(names: [])
      }
    }
    return .found(current)
  }
}
