/// Requirements of a protocol, as one test suite for all its implementations.
///
/// ```swift
/// let suite = ConformanceSuite<any Store>([
///   "a stored value can be read": { store in
///     await store.put(1, for: "a")
///     #expect(await store.get("a") == 1)
///   }
/// ])
///
/// @Test(
///   arguments: suite.cases(of: "in memory") { MemoryStore() }
///     + suite.cases(of: "on disk") { try DiskStore(temporary: true) })
/// func `a store keeps its promises`(_ promise: ConformanceSuite<any Store>.Case) async throws {
///   try await promise.verify()
/// }
/// ```
public struct ConformanceSuite<Subject: Sendable>: Sendable {
  /// One requirement of the protocol.
  package struct Requirement: Sendable {
    /// The requirement, as a sentence.
    let name: String
    let check: @Sendable (Subject) async throws -> Void

    /// Makes a requirement.
    ///
    /// - Parameters:
    ///   - name: The requirement, as a sentence.
    ///   - check: Tests a fresh subject. It fails by an assertion or by throwing.
    package init(_ name: String, _ check: @escaping @Sendable (Subject) async throws -> Void) {
      self.name = name
      self.check = check
    }
  }

  /// One implementation of the protocol.
  fileprivate struct Implementation: Sendable {
    let name: String
    let make: @Sendable () async throws -> Subject
    let discard: @Sendable (Subject) async throws -> Void
  }

  /// One requirement of one implementation.
  public struct Case: Sendable, CustomStringConvertible {
    fileprivate let requirement: Requirement
    fileprivate let implementation: Implementation

    /// The names of the implementation and the requirement.
    public var description: String { "\(implementation.name): \(requirement.name)" }

    /// Tests a fresh subject, and discards it whether or not the test throws.
    ///
    /// - Parameter limit: The time after which the test is cancelled. A test that ignores the
    ///   cancellation continues to wait.
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

  private let requirements: [Requirement]

  /// Makes a suite.
  ///
  /// - Parameter requirements: A test for each requirement, which is a sentence. A test has a fresh
  ///   subject, and fails by an assertion or by throwing.
  public init(
    _ requirements: KeyValuePairs<String, @Sendable (Subject) async throws -> Void>
  ) {
    self.init(requirements.map { Requirement($0.key, $0.value) })
  }

  /// Makes a suite of values of the type ``Requirement``.
  package init(_ requirements: [Requirement]) {
    self.requirements = requirements
  }

  /// Returns every requirement of an implementation, as arguments of a test.
  ///
  /// - Parameters:
  ///   - name: The implementation's name in test reports.
  ///   - make: Makes a fresh subject for each requirement.
  ///   - discard: Removes the resources of the subject.
  public func cases(
    of name: String, make: @escaping @Sendable () async throws -> Subject,
    discard: @escaping @Sendable (Subject) async throws -> Void = { _ in }
  ) -> [Case] {
    let implementation = Implementation(name: name, make: make, discard: discard)
    return requirements.map { Case(requirement: $0, implementation: implementation) }
  }
}
