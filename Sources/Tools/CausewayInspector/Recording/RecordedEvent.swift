/// One event of an inspected program, as a recording stores it.
///
/// The article *Recordings* documents the form.
package struct RecordedEvent: Codable, Sendable, Equatable {
  /// The kind of an event.
  package enum Kind: String, Codable, Sendable {
    /// A model began. The value is its first state, the title the type of its feature.
    case model
    /// A step of a model.
    case action, update, failure
    /// The life of an effect: requested by a handler, begun in its task, and its end.
    case requested, began, ended, cancelled
    /// An error that the runtime has reported.
    case error
    /// An operation of the data layer.
    case query, mutation, cache, request, response
    /// The action that a model was handling when the file was written for the last time.
    case handling
    /// A text of the app, such as a request.
    case note
    /// Events that were dropped, because the program made them faster than they could be stored.
    case lost
  }

  /// A part of the state that a step has changed.
  package struct Change: Codable, Sendable, Equatable {
    package var path: String
    package var before: String?
    package var after: String?

    package init(path: String, before: String?, after: String?) {
      (self.path, self.before, self.after) = (path, before, after)
    }
  }

  /// The number of the event, from 1 on.
  package var n: Int
  /// Microseconds since the beginning of the recording.
  package var at: Int
  package var kind: Kind
  package var lane: InspectorLane
  /// The name of the model; `nil` for a note.
  package var model: String?
  /// The name of the action, the effect, the note or the operation of the data layer.
  package var title: String
  /// The action or the first state as a Swift expression, or the details of a note.
  package var value: String?
  /// The effect that caused a step, or that was requested, began or ended.
  package var effect: String?
  /// The number of the step in its model, or of the steps before the event.
  package var step: Int?
  /// The number of the step whose action from outside caused this step.
  package var origin: Int?
  package var changes: [Change]?
  /// The microseconds that a query or a request took.
  package var took: Int?

  /// Whether the event is a step of a model.
  package var isStep: Bool {
    switch kind {
    case .action, .update, .failure: true
    default: false
    }
  }

  /// Whether the data layer has made the event.
  var isSignal: Bool {
    switch kind {
    case .query, .mutation, .cache, .request, .response: true
    default: false
    }
  }
}

/// The lanes of an inspector's timeline.
public enum InspectorLane: String, Codable, Sendable, CaseIterable {
  /// Actions from outside and from handlers, and the beginning of a model.
  case actions
  /// Effects, and the steps that they send.
  case effects
  /// Queries of a database.
  case queries
  /// Stored changes on their way to a server.
  case outbox
  /// Requests of a server.
  case network
}
