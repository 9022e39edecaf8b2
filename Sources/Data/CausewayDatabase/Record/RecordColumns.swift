/// Collects the columns and values of records.
///
/// One instance is used for many records of a type.
///
/// Records of a type usually have the same columns in the same order. The columns of the previous
/// record are kept and compared, so the text of the statement is built once.
package final class RecordColumns {
  private let columns = ColumnValues()
  // The encoder retains the columns and not this object, because this object retains the encoder.
  private let encoder: RecordEncoder

  package var names: [String] { columns.names }
  package var values: [SQLValue] { columns.values }
  /// Increased when the columns differ from the columns of the previous record.
  package var generation: Int { columns.generation }

  package init() {
    encoder = RecordEncoder(columns)
  }

  package func encode(_ record: some Encodable) throws(PersistenceError) {
    columns.begin()
    do {
      try record.encode(to: encoder)
    } catch let error as PersistenceError {
      throw error
    } catch {
      throw PersistenceError(.encoding, message: "\(type(of: record)): \(error)")
    }
    guard columns.end() > 0 else {
      throw PersistenceError(.encoding, message: "\(type(of: record)) has no columns")
    }
  }

  /// Returns the values of some columns of the current record.
  package func values(of key: [String]) throws(PersistenceError) -> [SQLValue] {
    var found: [SQLValue] = []
    for name in key {
      guard let index = names.firstIndex(of: name) else {
        throw PersistenceError(.encoding, message: "The record has no column \"\(name)\" for a key")
      }
      found.append(values[index])
    }
    return found
  }
}

/// The columns of the current record, in the order in which it encodes them.
final class ColumnValues {
  // These properties are accessed for each value of each record. No code that runs during an access
  // calls back into this class, so the check for overlapping accesses is not needed.
  @exclusivity(unchecked) private(set) var names: [String] = []
  @exclusivity(unchecked) private(set) var values: [SQLValue] = []
  private(set) var generation = 0
  @exclusivity(unchecked) private var next = 0

  func begin() {
    next = 0
    values.removeAll(keepingCapacity: true)
  }

  /// Removes the columns that the record does not have, and returns the number of the others.
  func end() -> Int {
    if next > 0, next < names.count {
      names.removeLast(names.count - next)
      generation += 1
    }
    return next
  }

  func append(_ value: SQLValue, _ name: String) {
    if next < names.count {
      if names[next] != name {
        names[next] = name
        generation += 1
      }
    } else {
      names.append(name)
      generation += 1
    }
    values.append(value)
    next += 1
  }
}
