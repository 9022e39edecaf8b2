/// Collects the columns and values of records.
///
/// One instance is used for many records of a type.
///
/// Records of a type usually have the same columns in the same order. The columns of the previous
/// record are kept and compared, so the text of the statement is built once.
package final class RecordColumns {
  // These properties are accessed for each value of each record. No code that runs during an access
  // calls back into this class, so the check for overlapping accesses is not needed.
  @exclusivity(unchecked) package private(set) var names: [String] = []
  @exclusivity(unchecked) package private(set) var values: [SQLValue] = []
  /// Increased when the columns differ from the columns of the previous record.
  package private(set) var generation = 0
  @exclusivity(unchecked) private var next = 0

  package init() {}

  package func encode(_ record: some Encodable) throws(PersistenceError) {
    next = 0
    values.removeAll(keepingCapacity: true)
    do {
      try record.encode(to: RecordEncoder(columns: self))
    } catch let error as PersistenceError {
      throw error
    } catch {
      throw PersistenceError(.encoding, message: "\(type(of: record)): \(error)")
    }
    guard next > 0 else {
      throw PersistenceError(.encoding, message: "\(type(of: record)) has no columns")
    }
    if next < names.count {
      names.removeLast(names.count - next)
      generation += 1
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
