public import Foundation
public import HarborDomain

extension FeedInteractor {
  /// The state of one person's feed.
  public struct State: Sendable, Equatable {
    /// The time that the page reckons with; moves on with the clock.
    public internal(set) var now: Date
    /// The board, earliest first, or `nil` before it was read for the first time.
    public internal(set) var activities: [Activity]?
    /// Why the board cannot be followed at the moment.
    public internal(set) var boardProblem: String?
    /// Who the person is, once they have said so.
    public internal(set) var person: PersonName?
    /// The field for the name.
    public internal(set) var naming = Naming()
    /// The form for a new activity.
    public internal(set) var composer: Composer
    /// The open form in an activity's place.
    public internal(set) var editor: Editor?
    /// How many forms were opened in an activity's place.
    public internal(set) var editorCount = 0
    /// How many writes of an activity are under way or wait, without entries for none.
    public internal(set) var writes: [Activity.ID: Int] = [:]
    /// The problem of the last write that has no form of its own.
    public internal(set) var problem: String?
    /// The last announcement.
    public internal(set) var announcement: Announcement?

    init(now: Date, form: ActivityForm, beginning: FeedEnvironment.Beginning) {
      self.now = now
      activities = beginning.activities
      person = beginning.person
      composer = Composer(sheet: Sheet(form: form))
    }

    /// Announces a successful change with a new number, because its words may be the same.
    mutating func announce(_ text: String) {
      announcement = Announcement(id: (announcement?.id ?? 0) + 1, text: text)
    }

    mutating func beginWrite(_ id: Activity.ID) {
      writes[id, default: 0] += 1
    }

    mutating func endWrite(_ id: Activity.ID) {
      let rest = (writes[id] ?? 1) - 1
      writes[id] = rest > 0 ? rest : nil
    }

    /// The activity of that id, or `nil`.
    ///
    /// Complexity: O(*n*) in the number of activities.
    func activity(_ id: Activity.ID) -> Activity? { activities?.first { $0.id == id } }
  }

  /// Something that went well.
  public struct Announcement: Encodable, Sendable, Equatable {
    /// Different for each announcement of a feed.
    public let id: Int
    /// A short sentence.
    public let text: String
  }

  /// The field for the person's own name.
  public struct Naming: Sendable, Equatable {
    /// Whether the field is open although there is a name.
    public internal(set) var isOpen = false
    /// The action that waits until there is a name.
    public internal(set) var waiting: Action?
    /// The text that was refused.
    public internal(set) var typed = ""
    /// Why it was refused.
    public internal(set) var problem: String?
  }

  /// The content of an open form.
  ///
  /// The page keeps the typed text. The state has it only after the page has sent it.
  public struct Sheet: Sendable, Equatable {
    /// The texts that the page shows in fields that were not edited.
    public internal(set) var form: ActivityForm
    /// The problems of single fields.
    public internal(set) var problems: ActivityProblems?
    /// The problem of the whole form, such as a store that fails.
    public internal(set) var problem: String?
    /// Whether a write of it is under way.
    public internal(set) var isSaving = false

    init(form: ActivityForm) {
      self.form = form
    }

    mutating func begin() {
      problems = nil
      problem = nil
      isSaving = true
    }

    /// - Parameter isSaving: whether another write of it is under way.
    mutating func fail(_ error: any Error, isSaving: Bool = false) {
      self.isSaving = isSaving
      if let problems = error as? ActivityProblems {
        self.problems = problems
      } else {
        problem = "\(error)"
      }
    }
  }

  /// The form for a new activity.
  public struct Composer: Sendable, Equatable {
    /// Whether it is open where there is no room to show it always.
    public internal(set) var isOpen = false
    /// Counts the activities that were sent from it and given back to it, so that a second press
    /// of the button is not taken for a second activity, nor one from before for what is shown.
    public internal(set) var attempt = 0
    /// The form that was sent last.
    public internal(set) var sent: ActivityForm?
    /// How many activities that were sent are neither on the board nor refused yet.
    public internal(set) var pending = 0 {
      didSet { sheet.isSaving = pending > 0 }
    }
    /// Its content.
    public internal(set) var sheet: Sheet
    /// Activities that were refused while the form showed another one that was.
    public internal(set) var refused: [Sheet] = []

    private var showsProblem: Bool { sheet.problem != nil || sheet.problems != nil }

    /// Returns a refused activity to the form, now or when the form is free.
    mutating func giveBack(_ form: ActivityForm, _ error: any Error) {
      var returned = Sheet(form: form)
      returned.fail(error)
      if showsProblem { refused.append(returned) } else { show(returned) }
      // It may have been closed meanwhile, by the person or by another activity that arrived.
      isOpen = true
    }

    /// Shows an empty form, or the next activity that was refused.
    ///
    /// Not while one is shown: it must not vanish because another activity has arrived.
    mutating func startOver(_ form: ActivityForm) {
      if showsProblem { return }
      isOpen = !refused.isEmpty
      if refused.isEmpty { sheet = Sheet(form: form) } else { show(refused.removeFirst()) }
    }

    /// Keeps a refused activity for later if another one was sent before the page showed it.
    mutating func makeRoom(for attempt: Int) {
      if attempt != self.attempt, showsProblem { refused.append(sheet) }
    }

    private mutating func show(_ returned: Sheet) {
      sheet = returned
      attempt += 1
    }
  }

  /// The form in an activity's place.
  public struct Editor: Sendable, Equatable {
    /// Different for each form that was opened, so that a save that ends late leaves a new one alone.
    public internal(set) var number = 1
    /// The activity as it was when the form was opened: its card stays, whatever others do.
    public internal(set) var original: Activity
    /// The revision that a save is based on.
    public internal(set) var revision: Int
    /// Whether the person was told that the activity is off the board; saving puts it back.
    public internal(set) var isGone = false
    /// Its content.
    public internal(set) var sheet: Sheet
  }
}
