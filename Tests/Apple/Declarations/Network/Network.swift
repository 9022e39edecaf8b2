// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents these declarations; this file repeats their signatures.
public struct NWPath: Sendable {
  public enum Status: Sendable {
    case satisfied, unsatisfied, requiresConnection
  }

  public var status: Status { .satisfied }
}

public final class NWPathMonitor: AsyncSequence, Sendable {
  public typealias Element = NWPath
  public typealias Failure = Never

  public init() {}

  public func makeAsyncIterator() -> AsyncStream<NWPath>.Iterator {
    AsyncStream { $0.finish() }.makeAsyncIterator()
  }
}
