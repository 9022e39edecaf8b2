import CausewayBasics

extension OutboxEntry {
  /// The entry's change for observers of the data layer, without its payload.
  func signal(_ stage: DataSignal.MutationStage, details: String? = nil) -> DataSignal {
    .mutation(
      stage, collection: collection, kind: kind, sequence: sequence, details: details)
  }
}

extension DeadLetter {
  /// The removal of the dead letter, for observers of the data layer.
  func signal(because reason: String) -> DataSignal {
    .mutation(
      .removed, collection: collection, kind: kind, sequence: sequence, details: reason)
  }
}

extension OutboxChange {
  var stage: DataSignal.MutationStage {
    switch self {
    case .stored: .stored
    case .acknowledged: .acknowledged
    case .saved: .settled
    case .failed: .postponed
    case .rejected: .refused
    case .removed: .removed
    }
  }

  /// Why a request failed; the message of a server may contain values, so it is left out.
  var reason: String? {
    switch self {
    case .failed(let failure), .rejected(let failure): failure.kind.rawValue
    case .stored, .acknowledged, .saved, .removed: nil
    }
  }
}
