package import Causeway
package import Foundation

/// A view model without its types, as the server uses it.
package struct HostedModel: Sendable {
  /// Applies a decoded action on the main actor.
  ///
  /// It returns the completion that the answer waits for, or nil if the action is answered at once.
  package typealias Delivery = @MainActor @Sendable () -> Completion?

  /// The effects of an action that its answer waits for.
  package struct Completion: Sendable {
    /// Calls a function when the effects have ended; at once if they have.
    let whenEnded: @MainActor @Sendable (_ body: @escaping @MainActor () -> Void) -> Void
    /// The effects that have not ended.
    let effects: @MainActor @Sendable () -> [RunningEffect]
    private let name: @Sendable () -> String

    /// - Parameter action: Evaluated only for a report, because reflection is slow. The completion
    ///   keeps the action until the effects have ended.
    init(
      action name: @autoclosure @escaping @Sendable () -> String,
      whenEnded: @escaping @MainActor @Sendable (@escaping @MainActor () -> Void) -> Void,
      effects: @escaping @MainActor @Sendable () -> [RunningEffect]
    ) {
      (self.whenEnded, self.effects, self.name) = (whenEnded, effects, name)
    }

    /// The name of the action, without its values.
    var action: String { name() }
  }

  /// Encodes a view state that was read on the main actor; called on any thread.
  package typealias Snapshot = @Sendable () throws -> JSONValue

  let prepare: @Sendable (Data) throws(Problem) -> Delivery
  let snapshot: @MainActor @Sendable () -> Snapshot
  let observe: @Sendable (_ publish: @Sendable (JSONValue) -> Void) async throws -> Void

  /// The state that this model's page shares with others.
  package var shared: SharedState?

  /// - Parameters:
  ///   - prepare: Decodes an action off the main actor and returns a closure that applies it.
  ///   - snapshot: Reads the current view state.
  ///   - observe: Publishes the view state at once and after each change, until it is cancelled.
  package init(
    prepare: @escaping @Sendable (Data) throws(Problem) -> Delivery,
    snapshot: @escaping @MainActor @Sendable () -> Snapshot,
    observe: @escaping @Sendable (_ publish: @Sendable (JSONValue) -> Void) async throws -> Void
  ) {
    self.prepare = prepare
    self.snapshot = snapshot
    self.observe = observe
  }

  /// Decodes an action from JSON.
  ///
  /// Throws a problem that names the wrong member.
  package static func decode<Action: Decodable>(
    _ type: Action.Type, from body: Data
  ) throws(Problem) -> Action {
    do {
      return try WireFormat.decoder().decode(type, from: body)
    } catch {
      throw Problem(
        .badRequest, code: "bad-action",
        detail: DecodingExplanation.text(for: error, decoding: type, from: body))
    }
  }
}

extension HostedModel {
  /// Hosts a view model and encodes its state off the main actor.
  ///
  /// - Parameter receiving: The type of the page's actions.
  package init<ViewState: Encodable & Sendable, Action: Sendable, Received: Decodable & Sendable>(
    _ model: ViewModel<ViewState, Action>, firstStates: FirstStates, receiving: Received.Type,
    answering: @escaping @Sendable (Received) -> ActionAnswer,
    as convert: @escaping @Sendable (Received) -> Action
  ) {
    self.init(
      prepare: { body throws(Problem) in
        let received = try HostedModel.decode(Received.self, from: body)
        let action = convert(received)
        switch answering(received) {
        case .atOnce:
          return {
            model.send(action)
            return nil
          }
        case .afterEffects:
          return {
            let task = model.send(action)
            guard task.isAwaited else { return nil }
            return Completion(
              action: CaseNames.of(received),
              whenEnded: { task.whenEndedExceptObservations($0) },
              effects: { task.awaitedEffects.map { RunningEffect(name: $0, place: $1) } })
          }
        }
      },
      snapshot: {
        let state = model.viewState
        return { try firstStates.encode(state) }
      },
      observe: { publish in
        let states = await StateReading(model)
        // The first state is usually known already, and the states of idle pages never change.
        var encoder: StateEncoder?
        while let encode = await states.next() {
          publish(try encode(encoder, firstStates))
          encoder = encoder ?? StateEncoder()
        }
      })
  }
}

/// Waits for the view states of a model.
///
/// The task of an idle page waits here all the time. Its frames contain no view state, which can
/// take more memory than everything else in them.
@MainActor private final class StateReading<ViewState: Encodable & Sendable, Action: Sendable> {
  /// Encodes a view state off the main actor.
  typealias Encode = @Sendable (StateEncoder?, FirstStates) throws -> JSONValue

  private let model: ViewModel<ViewState, Action>
  private let changes: ViewStates<Void>.Iterator

  init(_ model: ViewModel<ViewState, Action>) {
    self.model = model
    let part = model.scope(state: \.change) { (action: Action) in action }
    changes = part.states.makeAsyncIterator()
  }

  /// Waits for a view state that was not read yet; returns nil at the end and after a cancellation.
  func next() async -> Encode? {
    var changes = changes
    guard await changes.next(isolation: #isolation) != nil else { return nil }
    return read()
  }

  /// Reads the view state.
  ///
  /// Not inlined: in an asynchronous function, the copy would be in the memory of the task, which
  /// keeps that memory until it ends.
  @inline(never)
  private func read() -> Encode {
    let state = model.viewState
    return { encoder, first in try encoder?.encode(state) ?? first.encode(state) }
  }
}

extension Encodable {
  /// A part without content.
  ///
  /// Each of its view states only means that the whole state may have changed.
  fileprivate var change: Void { () }
}
