import CausewayTesting
import Foundation
import HarborDomain
import TestSupport
import Testing

@testable import HarborFeatures

/// Every step of the feed, asserted exhaustively.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct `A feed, step by step` {
  private typealias Announcement = FeedInteractor.Announcement

  @Test func `adds an activity and shows an empty form again`() async {
    let world = FeedWorld([])
    let model = world.model()
    await model.send(.create(form: world.form("Swim"), attempt: 0)) {
      $0.composer.pending = 1
      $0.composer.attempt = 1
      $0.composer.sent = world.form("Swim")
    }
    await model.expect {
      $0.composer.pending = 0
      $0.announcement = Announcement(
        id: 1, text: "“Swim” is on the board.", address: "/activity/new-1")
    }
    await model.finish()
    #expect(world.board.list.map(\.details) == [FeedWorld.details("Swim")])
  }

  @Test func `asks for a name before it adds, and continues when the name is given`() async {
    let world = FeedWorld([], person: nil)
    let model = world.model()
    let create = FeedInteractor.Action.create(form: world.form("Swim"), attempt: 0)
    await model.send(create) {
      $0.composer.sheet.form = world.form("Swim")
      $0.naming.isOpen = true
      $0.naming.waiting = create
      $0.naming.problem = "\(PersonNameProblem.missing)"
    }
    await model.send(.setName(name: "Ben")) {
      $0.person = FeedWorld.ben
      $0.naming = FeedInteractor.Naming()
    }
    await model.receive(create) {
      $0.composer.pending = 1
      $0.composer.attempt = 1
      $0.composer.sent = world.form("Swim")
    }
    await model.expect {
      $0.composer.sheet = FeedInteractor.Sheet(form: world.wording.emptyForm(at: $0.now))
      $0.composer.pending = 0
      $0.announcement = Announcement(
        id: 1, text: "“Swim” is on the board.", address: "/activity/new-1")
    }
    await model.finish()
    #expect(world.board.name == FeedWorld.ben)
    #expect(world.board.list.map(\.host) == [FeedWorld.ben])
  }

  @Test func `edits an activity`() async {
    let world = FeedWorld()
    let model = world.model()
    await model.send(.edit(id: "row")) {
      $0.editorCount = 1
      $0.editors["row"] = FeedInteractor.Editor(
        original: FeedWorld.row, revision: 1,
        sheet: FeedInteractor.Sheet(form: world.form("Row")))
    }
    await model.send(.edit(id: "row"))
    await model.send(.save(id: "row", form: world.form("Row fast"))) {
      $0.editors["row"]?.sheet.isSaving = true
    }
    await model.receive(.saved(id: "row", editor: 1, title: "Row fast")) {
      $0.editors["row"] = nil
      $0.announcement = Announcement(id: 1, text: "“Row fast” is saved.", address: "")
    }
    await model.finish()
    #expect(world.board.list.first?.details.title == "Row fast")
  }

  @Test func `joins, leaves and deletes activities without a mark of a quick write`() async {
    let world = FeedWorld()
    let model = world.model()
    await model.send(.join(id: "row"))
    await model.settle()
    #expect(world.board.list.first?.participants == [FeedWorld.ana, FeedWorld.ben])
    await model.send(.leave(id: "row"))
    await model.settle()
    #expect(world.board.list.first?.participants == [FeedWorld.ana])
    await model.send(.delete(id: "row"))
    await model.expect {
      $0.announcement = Announcement(id: 1, text: "“Row” is off the board.", address: "")
    }
    await model.finish()
    #expect(world.board.list.isEmpty)
  }

  @Test(arguments: [
    FeedInteractor.Action.join(id: "row"), .leave(id: "row"), .delete(id: "row"),
  ])
  func `shows a failed write until the message is closed or another write starts`(
    action: FeedInteractor.Action
  ) async {
    let world = FeedWorld()
    let model = world.model()
    world.board.refuse("row")
    await model.send(action)
    await model.expect {
      $0.problem = "“Row”: This could not be saved, and nothing was changed. Disk full."
    }
    await model.send(.dismissProblem) { $0.problem = nil }
    await model.finish()
    #expect(world.board.list == [FeedWorld.row])
  }

  @Test func `marks an activity during a slow write, also during one that fails`() async {
    let world = FeedWorld()
    let model = world.model()
    for isRefused in [false, true] {
      let gate = Gate()
      world.board.hold(at: gate)
      if isRefused { world.board.refuse("row") }
      await model.send(.join(id: "row"))
      await world.clock.advance(by: .milliseconds(149))
      await world.clock.advance(by: .milliseconds(1))
      await model.expect { $0.busy = ["row"] }
      gate.open()
      await model.expect {
        $0.busy = []
        guard isRefused else { return }
        $0.problem = "“Row”: This could not be saved, and nothing was changed. Disk full."
      }
    }
    await model.finish()
  }

  @Test func `returns an activity that could not be added to the form`() async {
    let world = FeedWorld([])
    let model = world.model()
    world.board.refuse("Swim")
    await model.send(.create(form: world.form("Swim"), attempt: 0)) {
      $0.composer.pending = 1
      $0.composer.attempt = 1
      $0.composer.sent = world.form("Swim")
    }
    await model.expect {
      $0.composer.pending = 0
      $0.composer.attempt = 2
      $0.composer.isOpen = true
      $0.composer.sheet.form = world.form("Swim")
      $0.composer.sheet.problem = "This could not be saved, and nothing was changed. Disk full."
    }
    await model.finish()
  }

  @Test func `runs two writes to one activity in order`() async {
    let world = FeedWorld()
    let model = world.model()
    let gates = [Gate(), Gate()]
    world.board.hold(at: gates[0])
    await model.send(.join(id: "row"))
    await model.settle()
    world.board.hold(at: gates[1])
    await model.send(.leave(id: "row"))
    #expect(model.runningEffects.count == 2)
    #expect(model.runningEffects.last?.description.contains("waits for its turn") == true)
    gates[0].open()
    await model.settle()
    #expect(world.board.list.first?.participants == [FeedWorld.ana, FeedWorld.ben])
    gates[1].open()
    await model.settle()
    #expect(world.board.list.first?.participants == [FeedWorld.ana])
    await model.finish()
  }

  @Test func `runs writes to two activities concurrently`() async {
    let world = FeedWorld([FeedWorld.row, FeedWorld.sail])
    let model = world.model()
    let gate = Gate()
    world.board.hold(at: gate)
    await model.send(.join(id: "row"))
    await model.settle()
    world.board.hold(at: nil)
    await model.send(.join(id: "sail"))
    await model.settle()
    #expect(
      world.board.list.map(\.participants)
        == [[FeedWorld.ana], [FeedWorld.ana, FeedWorld.ben]])
    gate.open()
    await model.settle()
    #expect(world.board.list.allSatisfy { $0.includes(FeedWorld.ben) })
    await model.finish()
  }

  @Test func `shows changes by others while a form is open, and keeps the form`() async {
    let world = FeedWorld()
    let model = world.model()
    await appear(model)
    await model.send(.edit(id: "row")) {
      $0.editorCount = 1
      $0.editors["row"] = FeedInteractor.Editor(
        original: FeedWorld.row, revision: 1,
        sheet: FeedInteractor.Sheet(form: world.form("Row")))
    }
    var theirs = FeedWorld.row
    theirs.details = FeedWorld.details("Row slowly")
    theirs.revision = 2
    world.board.change { $0 = [theirs] }
    await model.expect { $0.activities = [theirs] }

    await model.send(.save(id: "row", form: world.form("Row fast"))) {
      $0.editors["row"]?.sheet.isSaving = true
    }
    await model.expect {
      $0.editors["row"]?.revision = 2
      $0.editors["row"]?.sheet.isSaving = false
      $0.editors["row"]?.sheet.problem = "\(ActivityError.changedMeanwhile(current: theirs))"
    }
    let answers = Gate()
    world.board.holdAnswers(at: answers)
    await model.send(.save(id: "row", form: world.form("Row fast"))) {
      $0.editors["row"]?.sheet.isSaving = true
      $0.editors["row"]?.sheet.problem = nil
    }
    var saved = theirs
    saved.details = FeedWorld.details("Row fast")
    saved.revision = 3
    await model.expect { $0.activities = [saved] }
    answers.open()
    await model.receive(.saved(id: "row", editor: 1, title: "Row fast")) {
      $0.editors["row"] = nil
      $0.announcement = Announcement(id: 1, text: "“Row fast” is saved.", address: "")
    }
    await model.cancelEffects()
    await model.finish()
  }

  @Test func `can restore an activity that was deleted while its form was open`() async {
    let world = FeedWorld()
    let model = world.model()
    await appear(model)
    await model.send(.edit(id: "row")) {
      $0.editorCount = 1
      $0.editors["row"] = FeedInteractor.Editor(
        original: FeedWorld.row, revision: 1,
        sheet: FeedInteractor.Sheet(form: world.form("Row")))
    }
    world.board.change { $0 = [] }
    await model.expect { $0.activities = [] }
    await model.send(.save(id: "row", form: world.form("Row fast"))) {
      $0.editors["row"]?.sheet.isSaving = true
    }
    await model.expect {
      $0.editors["row"]?.isGone = true
      $0.editors["row"]?.sheet.isSaving = false
      $0.editors["row"]?.sheet.problem = world.wording.goneWhileEditing
    }
    let answers = Gate()
    world.board.holdAnswers(at: answers)
    await model.send(.save(id: "row", form: world.form("Row fast"))) {
      $0.editors["row"]?.sheet.isSaving = true
      $0.editors["row"]?.sheet.problem = nil
    }
    await model.expect { [board = world.board] in $0.activities = Activities(board.list) }
    answers.open()
    await model.receive(.saved(id: "row", editor: 1, title: "Row fast")) {
      $0.editors["row"] = nil
      $0.announcement = Announcement(id: 1, text: "“Row fast” is saved.", address: "")
    }
    #expect(world.board.list.map(\.details) == [FeedWorld.details("Row fast")])
    await model.cancelEffects()
    await model.finish()
  }

  @Test func `keeps a newly opened form when an earlier save ends late`() async {
    let world = FeedWorld()
    let model = world.model()
    let gate = Gate()
    let editor = FeedInteractor.Editor(
      original: FeedWorld.row, revision: 1, sheet: FeedInteractor.Sheet(form: world.form("Row")))
    await model.send(.edit(id: "row")) {
      $0.editorCount = 1
      $0.editors["row"] = editor
    }
    world.board.hold(at: gate)
    await model.send(.save(id: "row", form: world.form("Row fast"))) {
      $0.editors["row"]?.sheet.isSaving = true
    }
    await model.send(.cancelEditing(id: "row")) { $0.editors["row"] = nil }
    await model.send(.edit(id: "row")) {
      $0.editorCount = 2
      $0.editors["row"] = editor
      $0.editors["row"]?.number = 2
    }
    gate.open()
    await model.receive(.saved(id: "row", editor: 1, title: "Row fast")) {
      $0.announcement = Announcement(id: 1, text: "“Row fast” is saved.", address: "")
    }
    await model.finish()
  }

  @Test func `updates with the clock and follows the board again after a failure`() async {
    let world = FeedWorld()
    let model = world.model()
    await appear(model)
    await world.clock.advance(by: .seconds(60))
    await model.expect { $0.now = Board.now.addingTimeInterval(60) }
    world.board.fail(.notRead(reason: "Damaged."))
    await model.expect { $0.boardProblem = "The board could not be read. Damaged." }
    await model.send(.appear) { $0.boardProblem = nil }
    await model.expect()  // the list
    await model.expect()  // the name
    await model.cancelEffects()
    await model.finish()
  }

  /// Makes the feed follow a loaded board, for a person with a name.
  private func appear(
    _ model: TestModel<FeedInteractor.State, FeedInteractor.Action>
  ) async {
    await model.send(.appear)
    await model.expect()  // the list
    await model.expect()  // the name
  }
}
