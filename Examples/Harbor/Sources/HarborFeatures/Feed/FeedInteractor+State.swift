public import Foundation
public import HarborDomain

extension FeedInteractor {
  /// The state of one person's feed.
  public struct State: Sendable, Equatable {
    /// The current time for the page.
    ///
    /// It follows the clock.
    public internal(set) var now: Date
    /// The activities of the board; `nil` before the first read.
    public internal(set) var activities: Activities?
    /// The reason why the feed cannot follow the board at the moment.
    public internal(set) var boardProblem: String?
    /// The person's name after they have set it.
    public internal(set) var person: PersonName?
    /// The field for the name.
    public internal(set) var naming = Naming()
    /// The form for a new activity.
    public internal(set) var composer: Composer
    /// The open forms in the places of activities.
    public internal(set) var editors: [Activity.ID: Editor] = [:]
    /// The number of forms that were opened in place of activities.
    public internal(set) var editorCount = 0
    /// The activities with a running write that takes long.
    public internal(set) var busy: Set<Activity.ID> = []
    /// The problem of the last failed write without a form.
    public internal(set) var problem: String?
    /// The last announcement.
    public internal(set) var announcement: Announcement?
    /// The part of the board that the page shows itself; `nil` if the feed follows the whole board.
    var part: PersonalBoard.Part?

    /// The state of a new page, with the last known board and name.
    @MainActor init(environment: FeedEnvironment) {
      let now = environment.now()
      self.init(
        now: now, form: environment.wording.emptyForm(at: now),
        beginning: environment.beginning())
    }

    init(now: Date, form: ActivityForm, beginning: FeedEnvironment.Beginning) {
      self.now = now
      activities = beginning.activities
      person = beginning.person
      composer = Composer(sheet: Sheet(form: form))
    }

    /// Announces a successful change.
    ///
    /// The new id distinguishes it from an announcement of the same text.
    mutating func announce(_ text: String, at address: String = "") {
      announcement = Announcement(
        id: (announcement?.id ?? 0) + 1, text: text, address: address)
    }

    /// The part of the board that belongs to the person and the open forms.
    var wantedPart: PersonalBoard.Part { editors.isEmpty ? .person(person) : .whole }

    /// The activities whose cards look different for the person who uses the page.
    ///
    /// A long write and an open form also change the card.
    func own(in window: BoardWindow?) -> BoardOrder.Rows {
      BoardOrder(activities ?? [], at: now).own(
        of: person, in: window, keeping: busy.union(editors.keys))
    }

    /// Removes the activities that only the shared board shows.
    ///
    /// Otherwise each page retains the version of the whole board that it received last. The
    /// feature reads the newest board before each action.
    ///
    /// - Parameter window: The activities that the page may show; `nil` for all.
    mutating func keepShownPart(in window: BoardWindow?) {
      guard case .person? = part, activities != nil else { return }
      let own = own(in: window)
      activities = Activities(own.over + own.ahead)
    }

    /// The activity with this id, or `nil`.
    func activity(_ id: Activity.ID) -> Activity? { activities?[id: id] }
  }

  /// A message about a successful change.
  public struct Announcement: Encodable, Sendable, Equatable {
    /// The id, which differs for each announcement of a feed.
    public let id: Int
    /// A short sentence, and the address of a new activity, which the page may not show, or empty.
    public let text, address: String
  }

  /// The field for the person's own name.
  public struct Naming: Sendable, Equatable {
    /// Whether the field is open although the person has a name.
    public internal(set) var isOpen = false
    /// The action that waits for a name.
    public internal(set) var waiting: Action?
    /// The text that was refused.
    public internal(set) var typed = ""
    /// The reason for the refusal.
    public internal(set) var problem: String?
  }

  /// The content of an open form.
  ///
  /// The page keeps the typed text. The state has the text only after the page has sent it.
  public struct Sheet: Sendable, Equatable {
    /// The texts that the page shows in fields that were not edited.
    public internal(set) var form: ActivityForm
    /// The problems of single fields.
    public internal(set) var problems: ActivityProblems?
    /// The problem of the whole form, such as a store that fails.
    public internal(set) var problem: String?
    /// Whether a write of the form is running.
    public internal(set) var isSaving = false

    init(form: ActivityForm) {
      self.form = form
    }

    mutating func begin() {
      problems = nil
      problem = nil
      isSaving = true
    }

    /// - Parameter isSaving: whether another write of the form is running.
    mutating func fail(_ error: any Error, isSaving: Bool = false) {
      self.isSaving = isSaving
      if let problems = error as? ActivityProblems {
        self.problems = problems
      } else {
        problem = Sentence.of(error)
      }
    }
  }

  /// The form for a new activity.
  public struct Composer: Sendable, Equatable {
    /// Whether the form is open on small pages; large pages always show it.
    public internal(set) var isOpen = false
    /// The number of activities that the form has sent or that were returned to it.
    ///
    /// It identifies the content of the form. The feature ignores a second press of the button,
    /// which sends an old number with the same form. The number also distinguishes two presses: one
    /// before a refusal, and one for the refused activity that the form now shows.
    public internal(set) var attempt = 0
    /// The form that was sent last.
    public internal(set) var sent: ActivityForm?
    /// The number of sent activities that the board has not stored or refused yet.
    public internal(set) var pending = 0 {
      didSet { sheet.isSaving = pending > 0 }
    }
    /// The content of the form.
    public internal(set) var sheet: Sheet
    /// Refused activities that the form shows later, because it shows another refused activity now.
    public internal(set) var refused: [Sheet] = []

    private var showsProblem: Bool { sheet.problem != nil || sheet.problems != nil }

    /// Shows a refused activity in the form, or later if the form shows another refused activity.
    mutating func giveBack(_ form: ActivityForm, _ error: any Error) {
      var returned = Sheet(form: form)
      returned.fail(error)
      if showsProblem { refused.append(returned) } else { show(returned) }
      // The user may have closed the form meanwhile. Saving another activity also closes it.
      isOpen = true
    }

    /// Shows an empty form, or the next activity that was refused.
    ///
    /// Does nothing while the form shows a refused activity, which must not disappear because
    /// another activity was saved.
    mutating func startOver(_ form: ActivityForm) {
      if showsProblem { return }
      isOpen = !refused.isEmpty
      if refused.isEmpty { sheet = Sheet(form: form) } else { show(refused.removeFirst()) }
    }

    /// Stores a refused activity for later if the page has sent another activity before it showed
    /// this one.
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
    /// The number of the opened form.
    ///
    /// It prevents a save that ends late from changing a newer form.
    public internal(set) var number = 1
    /// The activity when the form was opened.
    ///
    /// Its card stays even if other people change the activity.
    public internal(set) var original: Activity
    /// The revision that a save is based on.
    public internal(set) var revision: Int
    /// Whether the form has shown that the activity was deleted.
    ///
    /// Saving then puts the activity back on the board.
    public internal(set) var isGone = false
    /// The content of the form.
    public internal(set) var sheet: Sheet
  }
}
