public import CausewayDatabase
public import CausewayNetwork

/// Reads data, as ``DataReader`` does.
///
/// A repository depends on this protocol. Its tests can then pass the `ScriptedDataReader` of
/// `CausewayDataTesting`.
public protocol DataReaderProtocol: Sendable {
  /// Reads data as defined by a policy.
  ///
  /// - Parameters:
  ///   - operation: The data to read.
  ///   - policy: Whether to use the database, the network, or both.
  func read<Response, Value>(
    _ operation: ReadOperation<Response, Value>, policy: ReadPolicy
  ) async -> Result<Value, DataError>
}

extension DataReaderProtocol {
  /// Reads stored data that is up to date, or uses the network.
  ///
  /// - Parameter operation: The data to read.
  public func read<Response, Value>(
    _ operation: ReadOperation<Response, Value>
  ) async -> Result<Value, DataError> {
    await read(operation, policy: .cacheFirst)
  }
}

extension DataReader: DataReaderProtocol {}

/// Sends changes, as ``DataWriter`` does.
///
/// A repository depends on this protocol. Its tests can then pass the `ScriptedDataWriter` of
/// `CausewayDataTesting`.
public protocol DataWriterProtocol: Sendable {
  /// Sends a change and stores the response.
  ///
  /// - Parameters:
  ///   - operation: The change.
  ///   - type: The type of the response.
  ///   - store: Stores the response.
  /// - Returns: The response, or the error. The same operation can be sent again after an error.
  func write<Body, Response: Decodable & Sendable>(
    _ operation: WriteOperation<Body>, returning type: Response.Type,
    store: @escaping @Sendable (Response, any WriteTransaction) throws -> Void
  ) async -> Result<Response, DataError>
}

extension DataWriterProtocol {
  /// Sends a change and ignores the content of the response.
  ///
  /// - Returns: Success, or the error. The same operation can be sent again after an error.
  public func write<Body>(_ operation: WriteOperation<Body>) async -> Result<Void, DataError> {
    await write(operation, returning: NoContent.self) { _, _ in }.map { _ in }
  }
}

extension DataWriter: DataWriterProtocol {}
