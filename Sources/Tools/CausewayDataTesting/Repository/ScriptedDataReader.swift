public import CausewayData
public import CausewayDatabase
public import CausewayNetwork
public import CausewayStores
import Synchronization

/// A reader without a network or a database: returns scripted values and records the reads.
///
/// ```swift
/// let reader = ScriptedDataReader()
/// reader.on(.get, "/activities", .success([activity]), .failure(.notStored))
/// let repository = ActivityRepository(reader: reader)
/// ```
///
/// The results of a route are used in order, and the last result is repeated. A read without a
/// route fails with ``UnscriptedOperation``. A read whose type of value does not match the result
/// fails with the same error.
public final class ScriptedDataReader: DataReaderProtocol {
  /// A recorded read.
  public struct Read: Sendable {
    /// The request of the operation.
    public let request: NetworkRequest
    /// The policy of the read.
    public let policy: ReadPolicy
  }

  private let script = Script<Result<any Sendable, DataError>>()
  private let log = Mutex<[Read]>([])

  /// Makes a reader without routes.
  public init() {}

  /// The reads so far, in order.
  public var reads: [Read] { log.withLock(\.self) }

  /// Sets the results of a route; replaces earlier results for the same method and path.
  ///
  /// - Parameters:
  ///   - method: The method of the operation's endpoint.
  ///   - path: The path of the operation's endpoint. The query is not compared.
  ///   - results: The results in order. The last result is repeated.
  public func on<Value: Sendable>(
    _ method: HTTPMethod, _ path: NetworkPath, _ results: Result<Value, DataError>...
  ) {
    script.set(method, path, results.map { $0.map { $0 as any Sendable } })
  }

  /// Returns the scripted result of the operation's route.
  public func read<Response, Value>(
    _ operation: ReadOperation<Response, Value>, policy: ReadPolicy
  ) async -> Result<Value, DataError> {
    let request = operation.endpoint.request
    log.withLock { $0.append(Read(request: request, policy: policy)) }
    let missing = UnscriptedOperation(request.method, request.path, Value.self)
    guard let result = script.next(request.method, request.path) else {
      return .failure(.other(missing))
    }
    return result.flatMap { value in
      (value as? Value).map { .success($0) } ?? .failure(.other(missing))
    }
  }
}

/// A writer without a network or a database: returns scripted responses and records the writes.
///
/// The responses of a route are used in order, and the last response is repeated. A write whose
/// response is ignored needs no route. The closure that stores a response is not called.
public final class ScriptedDataWriter: DataWriterProtocol {
  /// A recorded write.
  public struct Write: Sendable {
    /// The method of the operation.
    public let method: HTTPMethod
    /// The path of the operation.
    public let path: NetworkPath
    /// The body; `nil` without one.
    public let body: (any Encodable & Sendable)?
    /// The tags that the write makes out of date.
    public let invalidates: Set<DataTag>
    /// The key of the operation, the same for each attempt.
    public let idempotencyKey: IdempotencyKey
  }

  private let script = Script<Result<any Sendable, DataError>>()
  private let log = Mutex<[Write]>([])

  /// Makes a writer without routes.
  public init() {}

  /// The writes so far, in order.
  public var writes: [Write] { log.withLock(\.self) }

  /// Sets the results of a route; replaces earlier results for the same method and path.
  ///
  /// - Parameters:
  ///   - method: The method of the operation.
  ///   - path: The path of the operation. The query is not compared.
  ///   - results: The results in order. The last result is repeated.
  public func on<Response: Sendable>(
    _ method: HTTPMethod, _ path: NetworkPath,
    _ results: Result<Response, DataError>...
  ) {
    script.set(method, path, results.map { $0.map { $0 as any Sendable } })
  }

  /// Returns the scripted result of the operation's route.
  public func write<Body, Response: Decodable & Sendable>(
    _ operation: WriteOperation<Body>, returning type: Response.Type,
    store: @escaping @Sendable (Response, any WriteTransaction) throws -> Void
  ) async -> Result<Response, DataError> {
    log.withLock { log in
      log.append(
        Write(
          method: operation.method, path: operation.endpoint, body: operation.body,
          invalidates: operation.invalidates, idempotencyKey: operation.idempotencyKey))
    }
    guard let result = script.next(operation.method, operation.endpoint) else {
      if let empty = NoContent() as? Response { return .success(empty) }
      return .failure(
        .other(UnscriptedOperation(operation.method, operation.endpoint, Response.self)))
    }
    return result.flatMap { value in
      // A write that ignores its response accepts a scripted response of any type.
      if let response = value as? Response ?? NoContent() as? Response {
        return .success(response)
      }
      return .failure(
        .other(UnscriptedOperation(operation.method, operation.endpoint, Response.self)))
    }
  }
}

/// The error of a scripted reader or writer: it has no result of the right type for an operation.
public struct UnscriptedOperation: Error, Sendable, Hashable, CustomStringConvertible {
  /// The missing result, and how to add it.
  public let description: String

  init(_ method: HTTPMethod, _ path: NetworkPath, _ type: Any.Type) {
    description = """
      The script has no \(type) for \(method.rawValue) \(path). Add one with \
      on(.\(method.rawValue.lowercased()), "\(path)", …).
      """
  }
}

/// Results in order, by method and path.
private final class Script<Answer: Sendable>: Sendable {
  private let routes = Mutex<[String: [Answer]]>([:])

  func set(_ method: HTTPMethod, _ path: NetworkPath, _ answers: [Answer]) {
    _ = routes.withLock { $0.updateValue(answers, forKey: "\(method.rawValue) \(path)") }
  }

  /// The next result; the last one is repeated.
  func next(_ method: HTTPMethod, _ path: NetworkPath) -> Answer? {
    let key = "\(method.rawValue) \(path)"
    return routes.withLock { routes in
      guard let answers = routes[key], let first = answers.first else { return nil }
      if answers.count > 1 { routes[key]?.removeFirst() }
      return first
    }
  }
}
