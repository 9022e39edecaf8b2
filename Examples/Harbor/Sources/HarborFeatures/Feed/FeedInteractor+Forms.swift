import Causeway
import Foundation
import HarborDomain

/// The two forms: for a new activity, and in an activity's place.
extension FeedInteractor {
  func open(_ state: inout State) -> FeedEmission {
    state.composer.isOpen = true
    return .state
  }

  func close(_ state: inout State) -> FeedEmission {
    state.composer.isOpen = false
    return .state
  }

  /// - Parameter attempt: the attempt number that the page showed when the user pressed the button.
  func create(_ form: ActivityForm, attempt: Int, _ state: inout State) -> FeedEmission {
    let composer = state.composer
    guard attempt == composer.attempt || form != composer.sent else { return .state }
    state.composer.makeRoom(for: attempt)
    state.composer.sheet.begin()
    let details: ActivityDetails
    do {
      details = try draft(form).validated(at: surroundings.now())
    } catch {
      state.composer.sheet.fail(error, isSaving: composer.pending > 0)
      return .state
    }
    guard let host = state.person else {
      state.composer.sheet.isSaving = composer.pending > 0
      // The page resets the form when the name is sent, so the state keeps the text.
      state.composer.sheet.form = form
      return ask(for: .create(form: form, attempt: attempt), &state)
    }
    state.composer.attempt += 1
    state.composer.sent = form
    state.composer.pending += 1
    return .perform { [activities, wording] send in
      let activity = try await activities.create(details, host: host)
      await send { state in
        state.composer.startOver(wording.emptyForm(at: state.now))
        state.composer.pending -= 1
        state.announce(
          wording.added(activity.details.title), at: BoardWindow(.activity(activity.id)).address)
      }
    } catch: { state, error in
      state.composer.giveBack(form, error)
      state.composer.pending -= 1
    }
  }

  /// - Parameter revision: the revision of a form that was open in an earlier session of the page.
  ///   If another person has changed the activity since then, saving reports it.
  func edit(_ id: Activity.ID, revision: Int?, _ state: inout State) -> FeedEmission {
    guard let activity = state.activity(id) else {
      state.problem = "\(ActivityError.deleted)"
      return .state
    }
    // Opening the open form again must not discard the text in it.
    guard state.editors[id] == nil else { return .state }
    state.editorCount += 1
    state.editors[id] = Editor(
      number: state.editorCount, original: activity,
      revision: min(revision ?? activity.revision, activity.revision),
      sheet: Sheet(form: wording.form(activity.details)))
    return .state
  }

  func cancelEditing(_ id: Activity.ID, _ state: inout State) -> FeedEmission {
    state.editors[id] = nil
    return .state
  }

  func save(
    _ id: Activity.ID, _ form: ActivityForm, _ state: inout State
  ) -> FeedEmission {
    guard let editor = state.editors[id], !editor.sheet.isSaving else { return .state }
    let number = editor.number
    let host = editor.original.host
    state.editors[id]?.sheet.begin()
    do {
      let details = try draft(form, keeping: editor.original.details)
        .validated(at: surroundings.now(), keeping: editor.original.details.start)
      return .perform { [activities] send in
        let saved =
          if editor.isGone {
            try await activities.create(details, host: host)
          } else {
            try await activities.update(id, to: details, basedOn: editor.revision)
          }
        // This sends an action, because the page shows another part of the board without an open
        // form.
        await send(.saved(id: id, editor: number, title: saved.details.title))
      } catch: { state, error in
        guard state.editors[id]?.number == number else { return }
        state.editors[id]?.sheet.fail(error)
        switch error as? ActivityError {
        case .changedMeanwhile(let current): state.editors[id]?.revision = current.revision
        case .deleted:
          state.editors[id]?.isGone = true
          state.editors[id]?.sheet.problem = wording.goneWhileEditing
        default: break
        }
      }
    } catch {
      state.editors[id]?.sheet.fail(error)
      return .state
    }
  }

  /// Closes the form of a finished save, unless the user has opened the form again since then.
  func finishSave(
    of id: Activity.ID, editor: Int, title: String, _ state: inout State
  ) -> FeedEmission {
    if state.editors[id]?.number == editor { state.editors[id] = nil }
    state.announce(wording.saved(title))
    return .state
  }

  /// The draft of a form.
  ///
  /// If a date field still shows the minute of a date of `kept`, the draft gets exactly this date.
  private func draft(_ form: ActivityForm, keeping kept: ActivityDetails? = nil) -> ActivityDraft {
    func date(_ text: String, _ kept: Date?) -> Date? {
      kept.map { wording.fieldValue($0) == text } == true ? kept : wording.date(fromField: text)
    }
    // A text that is not a date is refused; only an empty text means an activity without an end.
    let end = form.end.flatMap { $0.isEmpty ? nil : date($0, kept?.end) ?? .distantPast }
    return ActivityDraft(
      title: form.title, place: form.place, notes: form.notes,
      start: date(form.start, kept?.start), end: form.end == nil ? kept?.end : end)
  }
}
