import CPostgres
import CausewayDatabase
import CausewaySystem
import Foundation

/// Sends rows with `COPY … FROM STDIN`, in its text format.
final class CopyWriter {
  private static let chunk = 64 * 1_024

  let names: [String]
  private let transaction: PostgresTransaction
  private let text: String
  private var buffer: [UInt8] = []
  private var isCopying = true
  /// For each column, whether a date is a time and not a number.
  private let areTimes: [Bool]
  /// For each column, the type of its elements if it stores arrays.
  private let elements: [UInt32?]

  /// Begins the statement.
  init(
    _ transaction: PostgresTransaction, table: BulkTable, names: [String]
  ) throws(PersistenceError) {
    self.transaction = transaction
    self.names = names
    areTimes = names.map(table.times.contains)
    elements = names.map { table.arrays[$0] }
    let list = names.map(SQL.quoted).joined(separator: ", ")
    text = "COPY \(SQL.quoted(table.name)) (\(list)) FROM STDIN"
    try transaction.begin()
    let text = text
    try transaction.failing { () throws(PersistenceError) in
      try transaction.connection.beginCopy(text)
    }
  }

  func add(_ values: [SQLValue]) throws(PersistenceError) {
    for (index, value) in values.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: "\t")) }
      try append(value, isTime: areTimes[index], element: elements[index])
    }
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= Self.chunk { try send() }
  }

  /// Sends the last rows and waits for the result.
  func finish() throws(PersistenceError) {
    try send()
    isCopying = false
    let text = text
    try transaction.failing { () throws(PersistenceError) in
      try transaction.connection.endCopy(text, error: nil)
    }
  }

  /// Ends the statement without its rows; the transaction fails.
  func abandon() {
    guard isCopying else { return }
    isCopying = false
    let text = text
    try? transaction.failing { () throws(PersistenceError) in
      try transaction.connection.endCopy(text, error: "a record could not be encoded")
    }
  }

  private func send() throws(PersistenceError) {
    let bytes = buffer
    buffer.removeAll(keepingCapacity: true)
    try transaction.failing { () throws(PersistenceError) in
      try transaction.connection.putCopy(bytes)
    }
  }

  private func append(
    _ value: SQLValue, isTime: Bool, element: UInt32?
  ) throws(PersistenceError) {
    if let reason = value.refusal { throw PersistenceError(.encoding, message: reason) }
    switch value {
    case .null: buffer.append(contentsOf: "\\N".utf8)
    case .boolean(let flag): buffer.append(UInt8(ascii: flag ? "1" : "0"))
    case .date(let date):
      buffer.append(contentsOf: try Parameters.text(of: date, isTime: isTime).utf8)
    case .uuid(let uuid): buffer.append(contentsOf: uuid.uuidString.utf8)
    case .integer(let integer): buffer.append(contentsOf: "\(integer)".utf8)
    case .real(let real): buffer.append(contentsOf: "\(real)".utf8)
    case .blob(let blob):
      buffer.append(contentsOf: "\\\\x".utf8)
      let digits = Array("0123456789abcdef".utf8)
      for byte in blob {
        buffer.append(digits[Int(byte >> 4)])
        buffer.append(digits[Int(byte & 15)])
      }
    case .text(var text):
      if let element {
        text = try ServerArray.literal(ofJSON: text, element: element) ?? text
      }
      for byte in try Parameters.terminated(text).dropLast() {
        switch byte {
        case UInt8(ascii: "\\"): buffer.append(contentsOf: "\\\\".utf8)
        case UInt8(ascii: "\t"): buffer.append(contentsOf: "\\t".utf8)
        case UInt8(ascii: "\n"): buffer.append(contentsOf: "\\n".utf8)
        case UInt8(ascii: "\r"): buffer.append(contentsOf: "\\r".utf8)
        default: buffer.append(byte)
        }
      }
    }
  }
}

extension Connection {
  /// Runs several statements without values, outside the pipeline mode.
  ///
  /// The pipeline mode permits only one statement in a text.
  ///
  /// - Throws: The first failure. The server does not run the statements after it.
  func runScript(_ text: String) throws(PersistenceError) -> [QueryResult] {
    try leavePipeline()
    try check(PQsendQuery(handle, text))
    let results = try simpleResults(of: text)
    try enterPipeline()
    return results
  }

  fileprivate func beginCopy(_ text: String) throws(PersistenceError) {
    try leavePipeline()
    try check(PQsendQuery(handle, text))
    try waitForResult()
    guard let result = PQgetResult(handle) else { throw lost() }
    if PQresultStatus(result) == PGRES_COPY_IN {
      PQclear(result)
      return
    }
    let error = PersistenceError.postgres(result, sql: text)
    PQclear(result)
    _ = try? simpleResults(of: text)
    try enterPipeline()
    throw error
  }

  fileprivate func putCopy(_ bytes: [UInt8]) throws(PersistenceError) {
    guard !bytes.isEmpty else { return }
    while true {
      let status = bytes.withUnsafeBytes { buffer in
        PQputCopyData(
          handle, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count))
      }
      if status == 1 { break }
      if status < 0 { throw lost() }
      try flushBlocking()
    }
    try flushBlocking()
  }

  fileprivate func endCopy(_ text: String, error: String?) throws(PersistenceError) {
    while true {
      let status = PQputCopyEnd(handle, error)
      if status == 1 { break }
      if status < 0 { throw lost() }
      try flushBlocking()
    }
    _ = try simpleResults(of: text)
    try enterPipeline()
  }

  private func simpleResults(of text: String) throws(PersistenceError) -> [QueryResult] {
    var results: [QueryResult] = []
    var failure: PersistenceError?
    while true {
      try waitForResult()
      guard let handle = PQgetResult(handle) else { break }
      let result = QueryResult(handle)
      switch PQresultStatus(handle) {
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: results.append(result)
      case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH: throw fail(.copyWithClient)
      default:
        if PQstatus(self.handle) != CONNECTION_OK { throw lost(after: result) }
        failure = failure ?? .postgres(handle, sql: text)
      }
    }
    guard PQstatus(handle) == CONNECTION_OK else { throw lost() }
    if let failure {
      try enterPipeline()
      throw failure
    }
    return results
  }

  private func waitForResult() throws(PersistenceError) {
    try flushBlocking()
    while PQisBusy(handle) == 1 {
      try block(Int16(POLLIN), isCancellable: true)
      if PQconsumeInput(handle) == 0 { throw lost() }
    }
  }

  private func flushBlocking() throws(PersistenceError) {
    while true {
      let status = PQflush(handle)
      if status < 0 { throw lost() }
      if status == 0 { return }
      try block(Int16(POLLIN | POLLOUT), isCancellable: true)
      // The server may stop reading and send an error.
      if PQconsumeInput(handle) == 0 { throw lost() }
    }
  }
}
