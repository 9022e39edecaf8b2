import Foundation

/// The body of a response in pieces.
struct ResponseChunks: AsyncSequence, Sendable {
  /// Some bytes of the body.
  typealias Element = [UInt8]

  let body: Response.Body

  /// Starts to read the body.
  func makeAsyncIterator() -> Iterator { Iterator(body) }

  /// Reads the body; releasing it ends a stream.
  struct Iterator: AsyncIteratorProtocol {
    private enum Rest {
      case none
      case bytes([UInt8])
      case file(OpenFile, Range<UInt64>)
      case stream(StreamReading, AsyncStream<StreamReading.Signal>.Iterator)
    }

    private static let pieceSize: UInt64 = 64 << 10
    private static let heartbeat = Array(":\n\n".utf8)

    private var rest: Rest

    init(_ body: Response.Body) {
      switch body {
      case .empty: rest = .none
      case .bytes(let bytes): rest = bytes.isEmpty ? .none : .bytes(bytes)
      case .file(let file, let offset, let length): rest = .file(file, offset..<offset + length)
      case .stream(let source):
        let (signals, continuation) = AsyncStream.makeStream(
          of: StreamReading.Signal.self, bufferingPolicy: .bufferingNewest(1))
        let reading = StreamReading(source, continuation)
        rest = .stream(reading, signals.makeAsyncIterator())
      }
    }

    /// The next bytes, never empty; nil at the end of the body.
    ///
    /// - Throws: An error if a file has become shorter or cannot be read.
    mutating func next() async throws -> [UInt8]? { try await next(isolation: #isolation) }

    /// The next bytes, never empty; nil at the end of the body.
    ///
    /// - Throws: An error if a file has become shorter or cannot be read.
    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> [UInt8]? {
      switch rest {
      case .none: return nil
      case .bytes(let bytes):
        rest = .none
        return bytes
      case .file(let file, let range):
        guard !range.isEmpty else { return nil }
        let count = Swift.min(Self.pieceSize, range.upperBound - range.lowerBound)
        let bytes = try file.read(Int(count), at: range.lowerBound)
        rest = .file(file, range.lowerBound + UInt64(bytes.count)..<range.upperBound)
        return bytes
      case .stream(let reading, var signals):
        var isQuiet = false
        while true {
          switch reading.step() {
          case .bytes(let bytes): return bytes
          case .end:
            rest = .none
            return nil
          case .wait where isQuiet: return Self.heartbeat
          case .wait:
            let signal = await signals.next(isolation: actor)
            rest = .stream(reading, signals)
            guard let signal else {
              rest = .none
              return nil
            }
            isQuiet = signal == .heartbeat
          }
        }
      }
    }
  }
}

extension Response {
  /// The body in pieces, for another server or a test.
  ///
  /// A stream continues until its source ends or the task is cancelled. While it has no bytes, it
  /// sends heartbeats, which are comments of an event stream. No piece is empty. Each response of
  /// ``WebServer/respond(to:readingBody:)`` can be read once. The sequence throws an error if a file has
  /// become shorter or cannot be read. If its iterator is released, a stream ends.
  public var chunks: some AsyncSequence<[UInt8], any Error> & Sendable {
    ResponseChunks(body: body)
  }

  /// All bytes of the body; waits for the end of a stream.
  ///
  /// - Throws: An error if a file cannot be read.
  public var bytes: [UInt8] {
    get async throws {
      var bytes: [UInt8] = []
      for try await chunk in chunks { bytes += chunk }
      return bytes
    }
  }

  /// The length of the body in bytes; nil for a stream.
  public var contentLength: Int? {
    switch body {
    case .empty: 0
    case .bytes(let bytes): bytes.count
    case .file(_, _, let length): Int(clamping: length)
    case .stream: nil
    }
  }
}
