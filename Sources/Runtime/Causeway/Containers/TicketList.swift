/// Tickets in order of arrival, with removal in constant time.
///
/// A key usually has one ticket, and sometimes a hundred thousand. A short list is searched; a long
/// list is indexed.
struct TicketList<Ticket: Hashable> {
  private static var searchLimit: Int { 16 }

  private var slots: [Ticket?] = []
  private var first = 0
  private var positions: [Ticket: Int]?
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Complexity: O(1) amortised.
  mutating func append(_ ticket: Ticket) {
    if slots.count >= Self.searchLimit, slots.count > 2 * count { compact() }
    if slots.count == Self.searchLimit, positions == nil { index() }
    positions?[ticket] = slots.count
    slots.append(ticket)
    count += 1
  }

  /// Removes a ticket.
  ///
  /// Returns false if the list does not contain it.
  ///
  /// Complexity: O(1).
  @discardableResult
  mutating func remove(_ ticket: Ticket) -> Bool {
    guard !isEmpty else { return false }
    let position =
      positions == nil ? slots.firstIndex(of: ticket) : positions?.removeValue(forKey: ticket)
    guard let position else { return false }
    vacate(position)
    return true
  }

  /// Removes the oldest ticket.
  ///
  /// Complexity: O(1) amortised.
  mutating func popFirst() -> Ticket? {
    while first < slots.count {
      if let ticket = slots[first] {
        positions?[ticket] = nil
        vacate(first)
        return ticket
      }
      first += 1
    }
    return nil
  }

  /// Removes all tickets in order.
  ///
  /// Keeps the memory of a short list.
  ///
  /// Complexity: O(*n*).
  mutating func removeAll(_ body: (Ticket) -> Void) {
    for case let ticket? in slots { body(ticket) }
    slots.removeAll(keepingCapacity: slots.count <= Self.searchLimit)
    positions = nil
    first = 0
    count = 0
  }

  private mutating func vacate(_ position: Int) {
    slots[position] = nil
    count -= 1
    if isEmpty { self = TicketList() }
  }

  private mutating func compact() {
    slots = slots.filter { $0 != nil }
    first = 0
    positions = nil
    if slots.count > Self.searchLimit { index() }
  }

  private mutating func index() {
    var positions: [Ticket: Int] = [:]
    for (position, ticket) in slots.enumerated() {
      if let ticket { positions[ticket] = position }
    }
    self.positions = positions
  }
}
