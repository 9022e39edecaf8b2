import CSQLite
import CausewayBasics

extension Connection {
  /// Replaces SQLite's functions `random` and `randomblob` by functions with the random numbers of
  /// a simulation.
  ///
  /// SQLite takes its own numbers from a generator of the process, which all databases share.
  static func useSimulatedRandom(_ database: OpaquePointer) {
    let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS
    sqlite3_create_function_v2(
      database, "random", 0, flags, nil,
      { context, _, _ in
        sqlite3_result_int64(context, Int64(bitPattern: SystemValues.randomWord()))
      }, nil, nil, nil)
    sqlite3_create_function_v2(
      database, "randomblob", 1, flags, nil,
      { context, _, arguments in
        // As in SQLite, a blob has at least one byte.
        let count = max(1, Int(sqlite3_value_int64(arguments?.pointee)))
        guard let bytes = sqlite3_malloc64(UInt64(count)) else {
          return sqlite3_result_error_nomem(context)
        }
        for offset in 0..<count {
          bytes.storeBytes(
            of: UInt8(truncatingIfNeeded: SystemValues.randomWord()), toByteOffset: offset,
            as: UInt8.self)
        }
        sqlite3_result_blob64(context, bytes, UInt64(count), sqlite3_free)
      }, nil, nil, nil)
  }
}
