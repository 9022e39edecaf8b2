extension LiveRows {
  /// A row after a commit.
  package struct Replacement: Sendable {
    let id: Int64
    let keys: [SQLValue]
    let row: Row

    package init(id: Int64, keys: [SQLValue], row: Row) {
      (self.id, self.keys, self.row) = (id, keys, row)
    }
  }

  struct Place {
    let part: Int
    let offset: Int
  }

  /// Finds rows by their identities.
  ///
  /// - Complexity: O(log *n*) for each if the rows are in the order of their identities, otherwise
  ///   O(*n*) for all.
  func places(of ids: Set<Int64>) -> [Int64: Place] {
    guard let order else { return [:] }
    var places: [Int64: Place] = [:]
    if order.keyCount == 0 {
      for id in ids {
        guard let part = lastPart(upTo: [], id, order) else { continue }
        let partIDs = parts[part].ids
        let index = partIDs.firstIndex { !order.precedes([], $0, [], id) }
        if let index, partIDs[index] == id {
          places[id] = Place(part: part, offset: index - partIDs.startIndex)
        }
      }
      return places
    }
    let few = ids.count <= 4 ? Array(ids) : nil
    for (number, part) in parts.enumerated() {
      part.ids.withUnsafeBufferPointer { partIDs in
        for (offset, id) in partIDs.enumerated() where few?.contains(id) ?? ids.contains(id) {
          places[id] = Place(part: number, offset: offset)
        }
      }
      if places.count == ids.count { break }
    }
    return places
  }

  /// The index of the last part that does not begin after the given keys and id; `nil` for none.
  private func lastPart(upTo keys: ArraySlice<SQLValue>, _ id: Int64, _ order: RowOrder) -> Int? {
    var (low, high) = (-1, parts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      let part = parts[middle]
      // No part is empty.
      let follows = order.precedes(keys, id, part.keys.prefix(order.keyCount), part.ids.first ?? 0)
      if follows { high = middle } else { low = middle }
    }
    return low < 0 ? nil : low
  }
}

extension LiveRows where Row: Equatable {
  /// Returns the rows after changes of the table, and whether any row that consumers see differs.
  ///
  /// The ``changedIDs`` of the result are the changes of this step.
  ///
  /// - Parameters:
  ///   - ids: The rows of the table that may have changed.
  ///   - new: The rows among `ids` that the query returns now.
  /// - Complexity: O(√*n* + changes × 256), and O(*n*) to find rows that are not in the order of
  ///   their identities.
  package func replacing(
    _ ids: Set<Int64>, by new: [Replacement]
  ) -> (rows: LiveRows, isDifferent: Bool) {
    guard let order else { return (self, false) }
    var removed = places(of: ids)
    var inserted: [Replacement] = []
    var changed = Set(removed.keys)
    var first = Int.max
    for replacement in new {
      changed.insert(replacement.id)
      if let place = removed[replacement.id] {
        let part = parts[place.part]
        let isEqual = part.rows[part.rows.startIndex + place.offset] == replacement.row
        if isEqual, order.areEqual(part.keys(at: place.offset, order), replacement.keys[...]) {
          removed[replacement.id] = nil
          changed.remove(replacement.id)
          continue
        }
      }
      inserted.append(replacement)
    }
    var result = self
    guard !changed.isEmpty else {
      result.changedIDs = []
      return (result, false)
    }
    for place in removed.values { first = Swift.min(first, start(of: place.part) + place.offset) }
    result = rebuilt(without: removed.values, with: inserted, order)
    result.changedIDs = changed
    if removed.count != inserted.count { return (result, true) }
    // A row can replace an equal row, so the positions are compared. Usually the first changed
    // position differs.
    for replacement in inserted {
      if let index = result.index(of: replacement.id) { first = Swift.min(first, index) }
    }
    let isDifferent = (first..<count).contains { self[$0] != result[$0] }
    return (result, isDifferent)
  }

  private func rebuilt(
    without removed: some Collection<Place>, with inserted: [Replacement], _ order: RowOrder
  ) -> LiveRows {
    var removals = Dictionary(grouping: removed, by: \.part).mapValues { Set($0.map(\.offset)) }
    let sorted = inserted.sorted { order.precedes($0.keys[...], $0.id, $1.keys[...], $1.id) }
    var insertions = Dictionary(grouping: sorted) { replacement in
      lastPart(upTo: replacement.keys[...], replacement.id, order) ?? 0
    }
    var built: [Part] = []
    built.reserveCapacity(parts.count + 1)
    for (number, part) in parts.enumerated() {
      let (out, into) = (
        removals.removeValue(forKey: number), insertions.removeValue(forKey: number)
      )
      guard out != nil || into != nil else {
        built.append(part)
        continue
      }
      built += part.rebuilt(without: out ?? [], with: into ?? [], order).split(order)
    }
    // No part exists, because the result was empty.
    for rest in insertions.values {
      built += Part(rows: []).rebuilt(without: [], with: rest, order).split(order)
    }
    let rows = LiveRows(built, order)
    // Deletions leave small parts behind.
    guard built.count > 16, built.count > 8 * (rows.count / Self.partSize + 1) else { return rows }
    let whole = Part(
      rows: Array(built.lazy.map(\.rows).joined())[...],
      ids: Array(built.lazy.map(\.ids).joined())[...],
      keys: Array(built.lazy.map(\.keys).joined())[...])
    return LiveRows(whole.split(order), order)
  }
}

extension LiveRows.Part {
  fileprivate func keys(at offset: Int, _ order: RowOrder) -> ArraySlice<SQLValue> {
    let start = keys.startIndex + offset * order.keyCount
    return keys[start..<start + order.keyCount]
  }

  /// Removes rows, and merges sorted new rows into the others.
  fileprivate func rebuilt(
    without removed: Set<Int>, with inserted: [LiveRows.Replacement], _ order: RowOrder
  ) -> LiveRows.Part {
    var (newRows, newIDs, newKeys) = ([Row](), [Int64](), [SQLValue]())
    newRows.reserveCapacity(rows.count + inserted.count)
    newIDs.reserveCapacity(rows.count + inserted.count)
    var rest = inserted[...]
    func insert(_ replacement: LiveRows.Replacement) {
      newRows.append(replacement.row)
      newIDs.append(replacement.id)
      newKeys += replacement.keys
    }
    for offset in 0..<rows.count where !removed.contains(offset) {
      let (id, keys) = (ids[ids.startIndex + offset], keys(at: offset, order))
      while let next = rest.first, order.precedes(next.keys[...], next.id, keys, id) {
        insert(rest.removeFirst())
      }
      newRows.append(rows[rows.startIndex + offset])
      newIDs.append(id)
      newKeys += keys
    }
    for replacement in rest { insert(replacement) }
    return LiveRows.Part(rows: newRows[...], ids: newIDs[...], keys: newKeys[...])
  }

  /// Splits a part that has become too large; returns an empty array for an empty part.
  fileprivate func split(_ order: RowOrder) -> [LiveRows.Part] {
    guard rows.count > 2 * LiveRows.partSize else { return rows.isEmpty ? [] : [self] }
    let width = order.keyCount
    return stride(from: 0, to: rows.count, by: LiveRows.partSize).map { start in
      let end = Swift.min(start + LiveRows.partSize, rows.count)
      return LiveRows.Part(
        rows: rows[rows.startIndex + start..<rows.startIndex + end],
        ids: ids[ids.startIndex + start..<ids.startIndex + end],
        keys: keys[keys.startIndex + start * width..<keys.startIndex + end * width])
    }
  }
}
