import Synchronization

/// The values of the rows of a live query, each made once for each version of its row.
///
/// Converting a row, such as decoding JSON, can take longer than reading it. After a change, only the
/// changed rows are converted:
///
/// ```swift
/// let boats = ConvertedRows<StoredBoat, Boat> { Boat(json: $0.body) }
/// for try await rows in service.observe(query, as: StoredBoat.self).versions {
///   show(boats.update(rows))
/// }
/// ```
///
/// Rows are found by their ids, which must differ.
public final class ConvertedRows<Row: Identifiable & Equatable & Sendable, Value: Sendable>:
  Sendable
where Row.ID: Sendable {
  fileprivate struct State {
    var rows: LiveRows<Row>?
    /// The value of each row; `nil` if the row has none.
    var values: [Value?] = []
    /// The places of the rows in the order of their values; empty after other rows have arrived.
    var order: [Int] = []
  }

  private let precedes: (@Sendable (Value, Value) -> Bool)?
  private let convert: @Sendable (Row) -> Value?
  private let state = Mutex(State())

  /// Makes values for the versions of one query.
  ///
  /// - Parameters:
  ///   - precedes: The order of the values; `nil` for the order of the rows.
  ///   - convert: Makes the value of a row; `nil` leaves the row out.
  public init(
    sortedBy precedes: (@Sendable (Value, Value) -> Bool)? = nil,
    convert: @escaping @Sendable (Row) -> Value?
  ) {
    (self.precedes, self.convert) = (precedes, convert)
  }

  /// Returns the values of a version in their order, and converts the rows that have changed.
  ///
  /// Not for concurrent calls. Complexity: O(*n*), and O(*n* log *n*) if the order has changed.
  public func update(_ rows: LiveRows<Row>) -> [Value] {
    var known = state.withLock { state in
      defer { state = State() }
      return state
    }
    for index in known.takePlaces(of: rows) { known.values[index] = convert(rows[index]) }
    if let precedes { known.sort(by: precedes) }
    state.withLock { [known] in $0 = known }
    guard precedes != nil else { return known.values.compactMap(\.self) }
    return known.order.compactMap { known.values[$0] }
  }
}

extension ConvertedRows.State {
  /// The largest number of changed rows that are looked up one by one.
  private static var lookupLimit: Int { 16 }

  /// Replaces the rows, and returns the places whose values must be made.
  fileprivate mutating func takePlaces(of new: LiveRows<Row>) -> [Int] {
    defer { rows = new }
    guard let old = rows else {
      values = Array(repeating: nil, count: new.count)
      return Array(new.indices)
    }
    if let places = replacedPlaces(from: old, to: new) { return places }
    order = []
    let pairs = zip(old, values).lazy.map { ($0.id, (row: $0, value: $1)) }
    let known = Dictionary(pairs) { first, _ in first }
    values = new.map { known[$0.id]?.value }
    return zip(new.indices, new).filter { known[$1.id]?.row != $1 }.map(\.0)
  }

  /// The places of the changed rows if all rows have kept their places; `nil` if some have moved.
  private func replacedPlaces(from old: LiveRows<Row>, to new: LiveRows<Row>) -> [Int]? {
    guard old.count == new.count else { return nil }
    if let changed = new.changedIDs, changed.count <= Self.lookupLimit {
      let places = changed.compactMap { new.index(of: $0) }
      let haveStayed =
        places.count == changed.count && places.allSatisfy { old[$0].id == new[$0].id }
      return haveStayed ? places : nil
    }
    var places: [Int] = []
    for (index, (before, after)) in zip(old, new).enumerated() {
      guard before.id == after.id else { return nil }
      if before != after { places.append(index) }
    }
    return places
  }

  /// Orders the places of the rows by their values.
  ///
  /// Most changes keep the order.
  fileprivate mutating func sort(by precedes: (Value, Value) -> Bool) {
    func isBefore(_ left: Int, _ right: Int) -> Bool {
      guard let second = values[right] else { return values[left] != nil }
      return values[left].map { precedes($0, second) } ?? false
    }
    let isSorted =
      order.count == values.count
      && zip(order, order.dropFirst()).allSatisfy { !isBefore($1, $0) }
    if !isSorted { order = values.indices.sorted(by: isBefore) }
  }
}
