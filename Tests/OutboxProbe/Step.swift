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
  /// A step that the server must have after the step with the same identifier in another scope.
  case follow(Step)
  /// A value that the server rejects.
  case forbid(Step)

  var step: Step {
    switch self {
    case .take(let step), .follow(let step), .forbid(let step): step
    }
  }

  var recordID: String { step.id }

  var kind: String {
    switch self {
    case .take, .follow: "take"
    case .forbid: "forbid"
    }
  }

  var dependencies: [MutationDependency] {
    switch self {
    case .follow(let step): [.record(step.id, in: steps)]
    case .take, .forbid: []
    }
  }

  func apply(to record: inout Step?) { record = step }
}

let steps = SyncedTable<Step>("step")
let scopes: [SyncScope] = ["red", "green", "blue"]

/// A request and its response are one line of JSON each.
enum Question: Codable {
  /// Mutations of one scope in order, with their keys.
  case apply([StepMutation], scope: SyncScope, keys: [IdempotencyKey])
  case changes(scope: SyncScope, since: SyncVersion)
  /// A sign-in; the server never ends a lasting session.
  case signIn(account: String, isLasting: Bool)
  case refresh(token: String)
  /// A question of a session, with its access token.
  indirect case authorized(access: String, Question)
}

enum Answer: Codable {
  /// The versions of the applied mutations; `nil` for a refused one.
  case applied([SyncVersion?])
  case changes([Step], SyncVersion)
  case token(access: String, refresh: String)
  /// The server does not accept the token.
  case refused
}
