// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents these declarations; this file repeats their signatures.

/// Ends the program, because this module has declarations only.
func declaredOnly(_ name: StaticString = #function) -> Never {
  fatalError("\(name): on this system, SwiftUI has declarations only, for compiling views.")
}

public struct Animation: Equatable, Sendable {
  public static let `default` = Animation()
}

/// Not `Sendable`, like Apple's type, because its keys can have any values.
public struct Transaction {
  public var animation: Animation?
  public var disablesAnimations = false

  public init(animation: Animation?) { self.animation = animation }
}

@available(*, unavailable)
extension Transaction: Sendable {}

public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result {
  try body()
}

public func withTransaction<Result>(
  _ transaction: Transaction, _ body: () throws -> Result
) rethrows -> Result {
  try body()
}
