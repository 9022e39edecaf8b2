import CausewayData

/// One step of a scope's count, created by the client and stored by the server.
struct Step: Codable, Equatable, Sendable, Identifiable {
  /// The run of the client, and the number within the run and the scope.
  var id: String
  var run: Int
  var number: Int
}

enum StepMutation: Mutation {
  case take(Step)
  /// A value that the server rejects.
  case forbid(Step)

  var step: Step {
    switch self {
    case .take(let step), .forbid(let step): step
    }
  }

  var recordID: String { step.id }

  var kind: String {
    switch self {
    case .take: "take"
    case .forbid: "forbid"
    }
  }

  func apply(to record: inout Step?) { record = step }
}

let steps = SyncedTable<Step>("step")
let scopes: [SyncScope] = ["red", "green", "blue"]

/// A request and its response are one line of JSON each.
enum Question: Codable {
  case apply(StepMutation, scope: SyncScope, key: IdempotencyKey)
  case changes(scope: SyncScope, since: SyncVersion)
}

enum Answer: Codable {
  case applied(SyncVersion)
  case refused
  case changes([Step], SyncVersion)
}
