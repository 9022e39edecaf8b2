import CausewayTesting
import Foundation
import HarborDomain
import TestSupport
import Testing

@testable import HarborFeatures

/// The feed in hundreds of orders of requests, responses and live updates.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct `A feed, in any order of events` {
  @Test func `applies the last request to join or leave`() async {
    await exploreInterleavings(
      in: { FeedWorld() }, of: { $0.feed }, clock: { $0.clock }, trials: 300,
      options: .timePasses(upTo: .seconds(60))
    ) { model, _ in
      await model.send(.appear)
      await model.send(.join(id: "row"))
      await model.send(.leave(id: "row"))
    } check: { state, world in
      #expect(state.busy.isEmpty)
      #expect(world.board.list.first?.participants == [FeedWorld.ana])
      #expect(state.problem == nil)
      #expect(state.activities == Activities(world.board.list))
    }
  }

  @Test func `keeps the writes before and after a failed one`() async {
    await exploreInterleavings(
      in: { FeedWorld([FeedWorld.row, FeedWorld.sail]) }, of: { $0.feed }, clock: { $0.clock },
      trials: 300,
      options: .timePasses(upTo: .seconds(60))
    ) { model, world in
      await model.send(.appear)
      world.board.refuse("sail")
      await model.send(.join(id: "sail"))
      await model.send(.join(id: "row"))
      await model.send(.delete(id: "row"))
    } check: { state, world in
      #expect(world.board.list == [FeedWorld.sail])
      #expect(state.activities == [FeedWorld.sail])
      #expect(state.busy.isEmpty)
      #expect(state.announcement?.text == "“Row” is off the board.")
    }
  }

  @Test func `adds two activities at once`() async {
    await exploreInterleavings(
      in: { FeedWorld([]) }, of: { $0.feed }, clock: { $0.clock }, trials: 300,
      options: .timePasses(upTo: .seconds(60))
    ) { model, world in
      await model.send(.appear)
      await model.send(.create(form: world.form("Swim"), attempt: 0))
      await model.send(.create(form: world.form("Swim"), attempt: 0))  // a second press
      await model.send(.create(form: world.form("Sing"), attempt: 1))
    } check: { state, world in
      #expect(world.board.list.map(\.details.title).sorted() == ["Sing", "Swim"])
      #expect(state.activities == Activities(world.board.list))
      #expect(state.composer.pending == 0 && !state.composer.sheet.isSaving)
      #expect(state.composer.sheet.form == world.wording.emptyForm(at: Board.now))
    }
  }

  @Test func `returns an activity that could not be added, while others are added`() async {
    await exploreInterleavings(
      in: { FeedWorld([]) }, of: { $0.feed }, clock: { $0.clock }, trials: 300,
      options: .timePasses(upTo: .seconds(60))
    ) { model, world in
      world.board.refuse("Swim")
      await addTwo(model, world)
    } check: { state, world in
      #expect(world.board.list.map(\.details.title) == ["Sing"])
      #expect(state.composer.isOpen && state.composer.sheet.form == world.form("Swim"))
      #expect(state.composer.sheet.problem != nil)
      #expect(!state.composer.sheet.isSaving)
    }
  }

  @Test func `returns every one of several activities that could not be added`() async {
    await exploreInterleavings(
      in: { FeedWorld([]) }, of: { $0.feed }, clock: { $0.clock }, trials: 300,
      options: .timePasses(upTo: .seconds(60))
    ) { model, world in
      world.board.refuse("Swim")
      world.board.refuse("Sing")
      await addTwo(model, world)
      await model.settle()
      let shown = model.state.composer.sheet.form
      await model.send(.create(form: shown, attempt: model.state.composer.attempt))
    } check: { state, world in
      let added = world.board.list.map(\.details.title)
      #expect(added.count == 1)
      #expect(Set(added + [state.composer.sheet.form.title]) == ["Swim", "Sing"])
      #expect(state.composer.sheet.problem != nil && state.composer.isOpen)
      #expect(state.composer.refused.isEmpty)
    }
  }

  @Test func `saves an edit or keeps its form, for every change by others`() async {
    await exploreInterleavings(
      in: { FeedWorld() }, of: { $0.feed }, clock: { $0.clock }, trials: 500,
      options: .timePasses(upTo: .seconds(60))
    ) { model, world in
      await model.send(.appear)
      await model.send(.edit(id: "row"))
      await model.send(.save(id: "row", form: world.form("Row fast")))
      world.board.change {
        guard !$0.isEmpty else { return }
        $0[0].details = FeedWorld.details("Row slowly")
        $0[0].revision += 1
      }
      await model.send(.join(id: "row"))
      await model.settle()
      if model.state.editors["row"] != nil {
        await model.send(.save(id: "row", form: world.form("Row fast")))
      }
    } check: { state, world in
      #expect(state.editors["row"] == nil)
      #expect(state.activities == Activities(world.board.list))
      #expect(world.board.list.first?.participants == [FeedWorld.ana, FeedWorld.ben])
      #expect(state.announcement?.text == "“Row fast” is saved.")
    }
  }

  @Test func `never loses typed text when an edit and a delete happen at once`() async {
    await exploreInterleavings(
      in: { FeedWorld() }, of: { $0.feed }, clock: { $0.clock },
      script: [
        .appear, .edit(id: "row"), .save(id: "row", form: FeedWorld().form("Row fast")),
        .delete(id: "row"),
      ], trials: 500,
      options: .timePasses(upTo: .seconds(60))
    ) { state, world in
      #expect(state.busy.isEmpty)
      guard state.editors["row"] != nil, world.board.list.isEmpty else { return }
      #expect(state.editors["row"]?.isGone == true)
      #expect(
        state.editors["row"]?.sheet.problem != nil && state.editors["row"]?.sheet.isSaving == false)
    }
  }

  @Test func `keeps a given name even if the remembered name loads later`() async {
    await exploreInterleavings(
      in: {
        let world = FeedWorld(person: nil)
        return world
      }, of: { $0.feed }, clock: { $0.clock }, trials: 300,
      options: .timePasses(upTo: .seconds(60))
    ) { model, world in
      try await world.board.remember(FeedWorld.ana)
      await model.send(.appear)
      await model.send(.setName(name: "Ben"))
      await model.send(.join(id: "row"))
    } check: { state, world in
      #expect(state.person == FeedWorld.ben)
      #expect(world.board.name == FeedWorld.ben)
      #expect(world.board.list.first?.includes(FeedWorld.ben) == true)
    }
  }

  /// Sends a second activity before the first one is answered.
  ///
  /// After the first activity is refused, a new activity replaces it, which is intended. So the
  /// second activity must be sent before the first answer.
  private func addTwo(
    _ model: TrialModel<FeedInteractor.State, FeedInteractor.Action>, _ world: FeedWorld
  ) async {
    let gate = Gate()
    world.board.hold(at: gate)
    await model.send(.create(form: world.form("Swim"), attempt: 0))
    await model.send(.create(form: world.form("Sing"), attempt: 1))
    gate.open()
  }
}
