import CausewayData
import Foundation

/// Something in the pantry.
struct Item: Codable, Equatable, Identifiable, Sendable {
  var id = UUID().uuidString
  var title: String
  /// Whether it is on the shopping list.
  var isMissing = false
}

/// What a person wants to change.
enum ItemMutation: Mutation {
  case add(Item)
  case mark(id: String, isMissing: Bool)

  var recordID: String {
    switch self {
    case .add(let item): item.id
    case .mark(let id, _): id
    }
  }

  func apply(to item: inout Item?) {
    switch self {
    case .add(let added): item = added
    case .mark(_, let isMissing): item?.isMissing = isMissing
    }
  }
}
