import Foundation
import HarborDomain

/// Derives the texts of single activities for one person.
@MainActor
struct CardReducer {
  let wording: BoardWording
  let state: FeedInteractor.State

  /// The board with the edited activities.
  ///
  /// They stay even if another person has deleted them, because the text in their forms must not
  /// disappear.
  var order: BoardOrder {
    var activities = state.activities ?? []
    if state.activities != nil, !state.editors.isEmpty {
      activities.replace(
        [], by: state.editors.values.map(\.original).filter { state.activity($0.id) == nil })
    }
    return BoardOrder(activities, at: state.now)
  }

  /// The board without deleted activities whose forms are open; `nil` if no form is open.
  var stored: BoardOrder? {
    guard !state.editors.isEmpty else { return nil }
    return BoardOrder(state.activities ?? [], at: state.now)
  }

  /// Returns the card of an activity.
  ///
  /// - Parameter last: The last card of the activity, with the same details and at the same time.
  ///   The texts of its dates are used again, because formatting dates takes most of the time.
  func card(_ activity: Activity, after last: FeedViewState.Card? = nil) -> FeedViewState.Card {
    let details = activity.details
    let shown = activity.participants.prefix(6)
    let hidden = activity.participants.count - shown.count
    let own = ownCard(activity)
    let isOver = details.isOver(at: state.now)
    return FeedViewState.Card(
      id: activity.id, titleID: "title-\(activity.id)", title: details.title,
      address: BoardWindow(.activity(activity.id)).address, quotedTitle: " “\(details.title)”",
      time: last?.time ?? wording.time(details.start),
      moment: last?.moment ?? wording.fieldValue(details.start),
      distance: last?.distance ?? distance(details),
      place: details.place ?? "", notes: details.notes ?? "",
      host: own.host ?? "\(activity.host.text) hosts",
      coming: coming(activity.participants.count),
      people: shown.map { badge($0) },
      more: hidden > 0 ? "+\(hidden)" : "",
      names: wording.list(activity.participants.map(\.text)),
      isOver: isOver, isOwn: own.isOwn, isJoined: own.isJoined,
      joinedText: isOver ? "You were there" : "You’re in",
      canJoin: own.canJoin, canLeave: own.canLeave,
      isBusy: own.isBusy, isPending: activity.isPending,
      isEditing: own.isEditing, editor: own.editor)
  }

  /// The members of a card that look different for the person.
  func ownCard(_ activity: Activity) -> PersonalViewState.OwnCard {
    let editor = state.editors[activity.id]
    let isOver = activity.details.isOver(at: state.now)
    let isJoined = activity.includes(state.person)
    let isOwn = activity.host == state.person
    return PersonalViewState.OwnCard(
      host: isOwn ? "You host" : nil, isOwn: isOwn, isJoined: isJoined,
      canJoin: !isJoined && !isOver, canLeave: isJoined && !isOver,
      isBusy: state.busy.contains(activity.id), isEditing: editor != nil,
      editor: editor.map {
        form(
          $0.sheet, id: "edit-\(activity.id)", earliest: wording.fieldValue(state.now),
          activityID: activity.id, revision: $0.revision)
      })
  }

  /// The distance in words; empty if the day's heading already has it.
  private func distance(_ details: ActivityDetails) -> String {
    let text = wording.distance(details, at: state.now)
    return [wording.until(details, at: state.now), text == "tomorrow" ? "" : text]
      .filter { !$0.isEmpty }.joined(separator: " · ")
  }

  private func coming(_ count: Int) -> String {
    switch count {
    case 0: "Nobody comes yet"
    case 1: "One comes along"
    default: "\(count) come along"
    }
  }
}

/// A person as a badge.
@MainActor
func badge(_ person: PersonName) -> FeedViewState.Person {
  let words = person.text.split(separator: " ")
  let initials = (words.count > 1 ? [words[0], words[words.count - 1]] : Array(words))
    .compactMap(\.first).map { String($0).uppercased() }.joined()
  // Swift's own hashes differ in each run of the program, but the colours must stay the same.
  let sum = person.key.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
  return FeedViewState.Person(
    id: person.key, name: person.text, initials: initials, look: "badge tone-\((sum >> 24) % 6)")
}

/// A form with its texts and their problems.
@MainActor
func form(
  _ sheet: FeedInteractor.Sheet, id: String, earliest: String, activityID: String = "",
  revision: Int = 0
) -> FeedViewState.Form {
  func field(_ name: ActivityDraft.Field, _ text: String) -> FeedViewState.Field {
    let problem = sheet.problems?[name]
    return FeedViewState.Field(
      text: text, problem: problem ?? "", problemID: "\(id)-\(name.rawValue)-problem",
      invalid: problem == nil ? "false" : "true")
  }
  return FeedViewState.Form(
    id: id, activityID: activityID, revision: revision, title: field(.title, sheet.form.title),
    place: field(.place, sheet.form.place),
    notes: field(.notes, sheet.form.notes), start: field(.start, sheet.form.start),
    end: field(.end, sheet.form.end ?? ""), earliest: earliest, problem: sheet.problem ?? "",
    isSaving: sheet.isSaving)
}
