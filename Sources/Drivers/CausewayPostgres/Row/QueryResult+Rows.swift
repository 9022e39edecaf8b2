import CausewayDatabase

extension QueryResult {
  /// Decodes the rows: a single value from the first column, other types by column name.
  func rows<T: Decodable>(
    as type: T.Type, sql: String, limit: Int = .max
  ) throws(PersistenceError) -> [T] {
    let row = ResultRow(self)
    let decoder = RowDecoder(row)
    let isStored = RowDecoder.isStored(type)
    let count = min(Int(rowCount), limit)
    var rows: [T] = []
    rows.reserveCapacity(count)
    for index in 0..<count {
      row.index = Int32(index)
      do {
        rows.append(try decoder.decode(type, isStored: isStored))
      } catch let error as PersistenceError {
        throw error.adding(sql: sql)
      } catch {
        throw PersistenceError(undecodable: type, error, sql: sql)
      }
    }
    return rows
  }
}
