extension Emission {
  /// Does all of the given emissions; their effects run concurrently.
  ///
  /// Complexity: O(*n*) in the number of emissions.
  @inlinable
  public static func merge(_ emissions: Emission...) -> Emission {
    merge(emissions)
  }

  /// Does all of the given emissions; their effects run concurrently.
  ///
  /// Complexity: O(*n*) in the number of emissions.
  @inlinable
  public static func merge(_ emissions: [Emission]) -> Emission {
    let nodes = emissions.compactMap { $0.node }
    return nodes.count > 1 ? Emission(.merge(nodes)) : Emission(nodes.first)
  }

  /// Does the given emissions one after the other.
  ///
  /// Each begins when the one before and everything that it started have ended: its effects, the
  /// actions that they sent, what those started, and so on. The sequence ends early when a part is
  /// cancelled, for whatever reason, when a policy drops it, and when it fails without a `catch:`.
  /// There is one exception: a part that ends because a child went away, while the sequence is the
  /// parent's, lets the next part begin.
  ///
  /// Complexity: O(*n*) in the number of emissions.
  public static func sequence(_ emissions: Emission...) -> Emission {
    sequence(emissions)
  }

  /// Does the given emissions one after the other, as the variadic function does.
  ///
  /// Complexity: O(*n*) in the number of emissions.
  public static func sequence(_ emissions: [Emission]) -> Emission {
    let nodes = emissions.compactMap { $0.node }
    return nodes.count > 1 ? Emission(.sequence(nodes)) : Emission(nodes.first)
  }
}

extension Emission {
  /// Does all of the given emissions as one effect, which has an id and a policy.
  ///
  /// ``cancel(_:)`` with the id cancels all of them and everything that they started. A merge that
  /// replaces this one under ``EffectPolicy/latest`` does the same.
  ///
  /// - Parameters:
  ///   - policy: What happens when an effect with the same id runs already. Default: both run.
  ///   - id: Names the whole.
  ///   - fileID: The place of the call; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - emissions: Done together when the policy starts the whole.
  public static func merge(
    _ policy: EffectPolicy = .parallel, id: any Hashable & Sendable, fileID: StaticString = #fileID,
    line: UInt = #line, column: UInt = #column, _ emissions: Emission...
  ) -> Emission {
    merge(emissions).grouped(policy, id: EffectID(id), EffectPlace(fileID, line, column))
  }

  /// Does the given emissions one after the other as one effect, which has an id and a policy.
  ///
  /// ```swift
  /// .sequence(.latest, id: "save", .perform { … }, .action(.saved))
  /// ```
  ///
  /// ``cancel(_:)`` with the id cancels the part that runs, everything that it started and the
  /// parts to come. A sequence that replaces this one under ``EffectPolicy/latest`` does the same.
  ///
  /// - Parameters:
  ///   - policy: What happens when an effect with the same id runs already. Default: both run.
  ///   - id: Names the whole.
  ///   - fileID: The place of the call; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - emissions: Done one after the other when the policy starts the whole.
  public static func sequence(
    _ policy: EffectPolicy = .parallel, id: any Hashable & Sendable, fileID: StaticString = #fileID,
    line: UInt = #line, column: UInt = #column, _ emissions: Emission...
  ) -> Emission {
    sequence(emissions).grouped(policy, id: EffectID(id), EffectPlace(fileID, line, column))
  }

  private func grouped(_ policy: EffectPolicy, id: EffectID, _ place: EffectPlace) -> Emission {
    // An empty group still has its policy's effect on those with the same id.
    Emission(.group(GroupRequest(policy, id: id, place, node ?? .merge([]))))
  }
}

extension Emission {
  /// Merges two emissions; costs nothing where one of them does nothing.
  @inlinable
  static func both(_ first: Emission, _ second: Emission) -> Emission {
    guard let firstNode = first.node else { return second }
    guard let secondNode = second.node else { return first }
    return Emission(.merge([firstNode, secondNode]))
  }
}
