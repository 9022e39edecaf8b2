import CausewayDatabase
import Foundation

/// A form in which other programs store UUIDs; a bound UUID never equals a value in this form.
enum UUIDForm {
  case bytes
  case lowerCase

  /// Returns `nil` for other values, and for the form that this library stores.
  init?(_ value: SQLValue) {
    switch value {
    case .blob(let bytes) where bytes.count == 16: self = .bytes
    case .text(let text) where text.utf8.count == 36 && text != text.uppercased():
      guard UUID(uuidString: text) != nil else { return nil }
      self = .lowerCase
    default: return nil
    }
  }

  func value(of uuid: UUID) -> SQLValue {
    switch self {
    case .bytes: .blob(withUnsafeBytes(of: uuid.uuid, Array.init))
    case .lowerCase: .text(uuid.uuidString.lowercased())
    }
  }

  var description: String {
    switch self {
    case .bytes: "as 16 bytes; bind these as Data"
    case .lowerCase: "in lower case; bind uuidString.lowercased()"
    }
  }
}
