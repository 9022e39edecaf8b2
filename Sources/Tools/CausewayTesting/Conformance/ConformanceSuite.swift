/// Requirements of a protocol, as one test suite for all its implementations.
///
/// ```swift
/// let suite = ConformanceSuite<any Store>([
///   .init("a stored value can be read") { store in
///     await store.put(1, for: "a")
///     #expect(await store.get("a") == 1)
///   }
/// ])
///
/// @Test(arguments: suite.cases(of: [
///   .init("in memory") { MemoryStore() },
///   .init("on disk") { try DiskStore(temporary: true) },
/// ]))
/// func `a store keeps its promises`(_ promise: ConformanceSuite<any Store>.Case) async throws {
///   try await promise.verify()
/// }
/// ```
public struct ConformanceSuite<Subject: Sendable>: Sendable {
  /// One requirement of the protocol.
  public struct Requirement: Sendable {
    /// The requirement, as a sentence.
    public let name: String
    let check: @Sendable (Subject) async throws -> Void

    /// Makes a requirement.
    ///
    /// - Parameters:
    ///   - name: The requirement, as a sentence.
    ///   - check: Tests a fresh subject. It fails by an assertion or by throwing.
    public init(_ name: String, _ check: @escaping @Sendable (Subject) async throws -> Void) {
      self.name = name
      self.check = check
    }
  }

  /// One implementation of the protocol.
  public struct Implementation: Sendable {
    /// The implementation's name in test reports.
    public let name: String
    let make: @Sendable () async throws -> Subject
    let discard: @Sendable (Subject) async throws -> Void

    /// Makes an entry for an implementation.
    ///
    /// - Parameters:
    ///   - name: Its name in test reports.
    ///   - make: Makes a fresh subject for each requirement.
    ///   - discard: Removes the resources of the subject.
    public init(
      _ name: String,
      make: @escaping @Sendable () async throws -> Subject,
      discard: @escaping @Sendable (Subject) async throws -> Void = { _ in }
    ) {
      self.name = name
      self.make = make
      self.discard = discard
    }
  }

  /// One requirement of one implementation.
  public struct Case: Sendable, CustomStringConvertible {
    let requirement: Requirement
    let implementation: Implementation

    /// The names of the implementation and the requirement.
    public var description: String { "\(implementation.name): \(requirement.name)" }

    /// Tests a fresh subject, and discards it whether or not the test throws.
    ///
    /// - Parameter limit: The longest time of the test, which is then cancelled. A test that waits
    ///   without an answer to the cancellation goes on waiting.
    /// - Throws: The errors of making, testing and discarding the subject, and an error that names
    ///   the requirement after the limit.
    public func verify(within limit: Duration = .seconds(300)) async throws {
      let subject = try await implementation.make()
      do {
        try await check(subject, within: limit)
      } catch {
        try await implementation.discard(subject)
        throw error
      }
      try await implementation.discard(subject)
    }

    private func check(_ subject: Subject, within limit: Duration) async throws {
      try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
          try await requirement.check(subject)
          return true
        }
        group.addTask {
          try await Task.sleep(for: limit)
          return false
        }
        let hasEnded = try await group.next()
        group.cancelAll()
        guard hasEnded == true else { throw StandsStill(name: description, limit: limit) }
      }
    }
  }

  private struct StandsStill: Error, CustomStringConvertible {
    let name: String
    let limit: Duration

    var description: String { "\(name): the test has not ended within \(limit)." }
  }

  /// The requirements.
  public let requirements: [Requirement]

  /// Makes a suite.
  public init(_ requirements: [Requirement]) {
    self.requirements = requirements
  }

  /// Every requirement of every implementation, as arguments of a test.
  public func cases(of implementations: [Implementation]) -> [Case] {
    implementations.flatMap { implementation in
      requirements.map { Case(requirement: $0, implementation: implementation) }
    }
  }
}
