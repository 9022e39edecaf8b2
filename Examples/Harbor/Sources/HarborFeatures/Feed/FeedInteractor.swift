public import Causeway
import HarborDomain

/// The feed of one person: the live board and the person's actions.
public struct FeedInteractor: Interactor {
  private let environment: FeedEnvironment

  /// Makes a feed with this environment.
  public init(environment: FeedEnvironment) {
    self.environment = environment
  }

  /// Handles each action.
  ///
  /// Slow work runs as an effect, off the main actor.
  public var body: some InteractorOf<Self> {
    Interact(initialValue: State(environment: environment)) { state, action in
      readNewestBoard(&state)
      let emission = showOtherPart(after: handle(action, &state), &state)
      state.keepShownPart(in: environment.window)
      return emission
    }
  }

  private func handle(_ action: Action, _ state: inout State) -> FeedEmission {
    switch action {
    case .appear: appear(&state)
    case .startNaming: startNaming(&state)
    case .cancelNaming: cancelNaming(&state)
    case .setName(let typed): setName(typed, &state)
    case .openComposer: open(&state)
    case .closeComposer: close(&state)
    case .create(let form, let attempt): create(form, attempt: attempt, &state)
    case .edit(let id, let revision): edit(id, revision: revision, &state)
    case .cancelEditing(let id): cancelEditing(id, &state)
    case .save(let id, let form): save(id, form, &state)
    case .saved(let id, let editor, let title):
      finishSave(of: id, editor: editor, title: title, &state)
    case .join(let id): join(id, &state)
    case .leave(let id): leave(id, &state)
    case .delete(let id): delete(id, &state)
    case .dismissProblem: dismissProblem(&state)
    }
  }

  var activities: any ActivityRepositoryProtocol { environment.activities }
  var names: any NameRepositoryProtocol { environment.names }
  var wording: BoardWording { environment.wording }
  var surroundings: FeedEnvironment { environment }
}

extension FeedInteractor {
  /// The actions of a person.
  public enum Action: Codable, Sendable, Equatable {
    /// Follows the board, the clock and the stored name. Also retries after a failure.
    case appear
    /// Opens the field for the person's own name.
    case startNaming
    /// Closes the field and keeps the name.
    case cancelNaming
    /// Sets the person's name and continues the action that waited for it.
    case setName(name: String)
    /// Opens the form for a new activity on pages that do not always show it.
    case openComposer
    /// Closes the form for a new activity.
    case closeComposer
    /// Puts a new activity on the board. The attempt is the number that the page shows.
    case create(form: ActivityForm, attempt: Int)
    /// Opens the form in place of an activity. The revision belongs to the text that the page has
    /// kept.
    case edit(id: String, revision: Int? = nil)
    /// Closes the form in place of an activity and changes nothing.
    case cancelEditing(id: String)
    /// Saves the form that is open in place of an activity.
    case save(id: String, form: ActivityForm)
    /// Closes the form of a save that has ended. The editor is the number of the form.
    case saved(id: String, editor: Int, title: String)
    /// Joins an activity.
    case join(id: String)
    /// Leaves an activity.
    case leave(id: String)
    /// Deletes an activity.
    case delete(id: String)
    /// Dismisses the problem at the top of the page.
    case dismissProblem
  }
}
