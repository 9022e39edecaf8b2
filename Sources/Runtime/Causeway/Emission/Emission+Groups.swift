extension Emission {
  /// Merges emissions.
  ///
  /// Their effects run concurrently.
  ///
  /// Complexity: O(*n*) in the number of emissions.
  @inlinable
  public static func merge(_ emissions: Emission...) -> Emission {
    merge(emissions)
  }

  /// Merges emissions.
  ///
  /// Their effects run concurrently.
  ///
  /// Complexity: O(*n*) in the number of emissions.
  @inlinable
  public static func merge(_ emissions: [Emission]) -> Emission {
    let nodes = emissions.compactMap { $0.node }
    return nodes.count > 1 ? Emission(.merge(nodes)) : Emission(nodes.first)
  }

  /// Carries out emissions in sequence.
  ///
  /// Each emission begins after the previous emission has ended. This includes everything that the
  /// previous emission started: its effects, the actions that they sent, the effects of those
  /// actions, and so on. The sequence ends early when a part is cancelled, when a policy drops a
  /// part, and when a part fails without a `catch:`. There is one exception: the next part begins
  /// when a part ended because a child was removed and the sequence belongs to the parent.
  ///
  /// Complexity: O(*n*) in the number of emissions.
  public static func sequence(_ emissions: Emission...) -> Emission {
    sequence(emissions)
  }

  /// Carries out emissions in sequence, as the variadic function does.
  ///
  /// Complexity: O(*n*) in the number of emissions.
  public static func sequence(_ emissions: [Emission]) -> Emission {
    let nodes = emissions.compactMap { $0.node }
    return nodes.count > 1 ? Emission(.sequence(nodes)) : Emission(nodes.first)
  }
}

extension Emission {
  /// Merges emissions into one effect with an id and a policy.
  ///
  /// ``cancel(_:)`` with the id cancels the emissions and everything that they started. A merge
  /// that replaces this one under ``EffectPolicy/latest`` does the same.
  ///
  /// - Parameters:
  ///   - policy: The rule for an effect whose id is in use already. Default: both effects run.
  ///   - id: The id of the merge.
  ///   - fileID: The place of the call; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - emissions: The emissions to start when the policy starts the merge.
  public static func merge(
    _ policy: EffectPolicy = .parallel, id: any Hashable & Sendable, fileID: StaticString = #fileID,
    line: UInt = #line, column: UInt = #column, _ emissions: Emission...
  ) -> Emission {
    merge(emissions).grouped(policy, id: EffectID(id), EffectPlace(fileID, line, column))
  }

  /// Carries out emissions in sequence as one effect with an id and a policy.
  ///
  /// ```swift
  /// .sequence(.latest, id: "save", .perform { … }, .action(.saved))
  /// ```
  ///
  /// ``cancel(_:)`` with the id cancels the running part, everything that it started and the later
  /// parts. A sequence that replaces this one under ``EffectPolicy/latest`` does the same.
  ///
  /// An effect that the sequence starts under the same id is not a part of it. Under
  /// ``EffectPolicy/latest`` it replaces the sequence, and under ``EffectPolicy/serial`` it starts
  /// after the sequence.
  ///
  /// - Parameters:
  ///   - policy: The rule for an effect whose id is in use already. Default: both effects run.
  ///   - id: The id of the sequence.
  ///   - fileID: The place of the call; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - emissions: The emissions to carry out in order when the policy starts the sequence.
  public static func sequence(
    _ policy: EffectPolicy = .parallel, id: any Hashable & Sendable, fileID: StaticString = #fileID,
    line: UInt = #line, column: UInt = #column, _ emissions: Emission...
  ) -> Emission {
    sequence(emissions).grouped(policy, id: EffectID(id), EffectPlace(fileID, line, column))
  }

  private func grouped(_ policy: EffectPolicy, id: EffectID, _ place: EffectPlace) -> Emission {
    // The policy of an empty group still applies to effects with the same id.
    Emission(.group(GroupRequest(policy, id: id, place, node ?? .merge([]))))
  }
}

extension Emission {
  /// Merges two emissions.
  ///
  /// It costs nothing if either of them is empty.
  @inlinable
  static func both(_ first: Emission, _ second: Emission) -> Emission {
    guard let firstNode = first.node else { return second }
    guard let secondNode = second.node else { return first }
    return Emission(.merge([firstNode, secondNode]))
  }
}
