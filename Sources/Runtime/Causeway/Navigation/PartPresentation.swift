/// A sheet or a screen of a view, which shows an optional part of the view state.
///
/// SwiftUI may report the end of a presentation late, when the feature already shows the next part.
/// Such a report must not close the next part.
@MainActor
struct PartPresentation<ViewState, Action: Sendable, Part, PartAction: Sendable> {
  /// The part in the view state when the view was drawn.
  let shown: ShownPart<Part, PartAction>?
  private let model: ViewModel<ViewState, Action>
  private let part: KeyPath<ViewState, Part?>
  private let embed: @MainActor (PartAction) -> Action
  private let dismissal: Action

  init(
    _ model: ViewModel<ViewState, Action>, _ part: KeyPath<ViewState, Part?>,
    _ embed: @escaping @MainActor (PartAction) -> Action, dismissal: Action
  ) {
    self.model = model
    self.part = part
    self.embed = embed
    self.dismissal = dismissal
    shown = ShownPart(model, part, embed)
  }

  /// The part in the view state now.
  var current: ShownPart<Part, PartAction>? { ShownPart(model, part, embed) }

  /// Sends the action that closes the part.
  ///
  /// Does nothing if the part that the view shows is gone already.
  func end(_ transaction: UpdateTransaction) {
    if shown?.isOver == false { model.send(dismissal, transaction) }
  }
}

/// A part with its view model, identified by its life.
@MainActor
struct ShownPart<Part, PartAction: Sendable> {
  let model: ViewModel<Part, PartAction>
  nonisolated let life: ObjectIdentifier

  init?<ViewState, Action>(
    _ model: ViewModel<ViewState, Action>, _ part: KeyPath<ViewState, Part?>,
    _ embed: @escaping @MainActor (PartAction) -> Action
  ) {
    guard let child = model.scope(state: part, action: { embed($0) }) else { return nil }
    self.model = child
    life = child.source.place.life.map { ObjectIdentifier($0) } ?? ObjectIdentifier(child)
  }

  /// Whether the part was removed or replaced.
  var isOver: Bool { model.source.place.life?.isOver == true }
}

extension ShownPart: nonisolated Identifiable, nonisolated Hashable {
  nonisolated var id: ObjectIdentifier { life }

  nonisolated static func == (left: Self, right: Self) -> Bool { left.life == right.life }

  nonisolated func hash(into hasher: inout Hasher) { hasher.combine(life) }
}
