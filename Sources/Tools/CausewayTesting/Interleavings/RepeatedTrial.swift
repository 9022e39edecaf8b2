import CausewaySystem

/// A trial of an exploration, as text that repeats it.
///
/// The text begins with the text of the order, such as `4.1-9.2`. If the script was shortened, the
/// numbers of the steps that are left out follow, from 0 on: `4.1-9.2/0,3`.
struct RepeatedTrial: Hashable {
  let order: TrialOrder
  /// The numbers of the script's steps that are left out, in order.
  let removed: [Int]
}

extension RepeatedTrial: LosslessStringConvertible {
  init?(_ description: String) {
    let parts = description.split(separator: "/", omittingEmptySubsequences: false)
    guard let order = parts.first.flatMap({ TrialOrder(String($0)) }), parts.count <= 2 else {
      return nil
    }
    var removed: [Int] = []
    for list in parts.dropFirst() {
      for text in list.split(separator: ",", omittingEmptySubsequences: false) {
        guard let number = Int(text), number > removed.last ?? -1 else { return nil }
        removed.append(number)
      }
    }
    self.init(order: order, removed: removed)
  }

  var description: String {
    removed.isEmpty
      ? "\(order)" : "\(order)/\(removed.map(String.init).joined(separator: ","))"
  }
}
