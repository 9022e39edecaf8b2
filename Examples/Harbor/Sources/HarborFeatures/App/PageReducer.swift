public import Causeway
import CausewayData
import Foundation
import HarborDomain

/// Derives the texts of a page, except the shared board of the ``BoardReducer``.
public struct PageReducer: ViewStateReducer {
  private let wording: BoardWording
  private let window: BoardWindow
  private let isFull: Bool
  private let results: ResultReducer
  private let personal: PersonalReducer
  private let blank: FeedInteractor.State
  /// The list of people changes seldom, so a step such as a typed letter does not derive it again.
  private let people: Memo<ShownPeople, PageViewState.People>

  private struct ShownPeople: Equatable {
    var rows: IdentifiedArray<String, PersonInteractor.State>
    var problem: String?
    var group: String

    init(_ home: HomeInteractor.State) {
      (rows, problem) = (home.people.rows, home.people.problem)
      group = home.account.group ?? ""
    }
  }

  /// Makes a reducer with this wording.
  ///
  /// - Parameters:
  ///   - window: The window of the shared board.
  ///   - isFull: Whether the person has asked for another window, which the server cannot show now.
  @MainActor public init(
    wording: BoardWording, window: BoardWindow = .first, isFull: Bool = false
  ) {
    (self.wording, self.window, self.isFull) = (wording, window, isFull)
    personal = PersonalReducer(wording: wording, window: window)
    results = ResultReducer(wording: wording)
    blank = FeedInteractor.State(
      now: .distantPast, form: wording.emptyForm(at: .distantPast), beginning: .init())
    people = Memo { Self.view(of: $0, wording) }
  }

  /// Returns the content of the page.
  ///
  /// Complexity: O(*n*) in the number of activities.
  public func reduce(_ state: HarborInteractor.State) -> PageViewState {
    let home = state.stage.signedIn ?? HomeInteractor.State(account: state.account, groups: .init())
    let isSignedIn = state.stage.signedIn != nil
    let section = isSignedIn ? state.section : nil
    let isMissing = section == .board && home.account.group == nil
    let code = state.stage.signedOut?.code.map { "/join/\($0)" }
    let name = section.map { $0 == .board ? "" : $0.rawValue.capitalized + " · " } ?? ""
    let hasOwnTitle = section == .board && !isMissing && window.isActivity
    let address = state.account.mail ?? ""
    return PageViewState(
      title: hasOwnTitle ? nil : "\(name)\(home.account.groupName ?? "Harbor")",
      address: code ?? (state.section == .board ? window.address : state.section.address),
      isSignedIn: isSignedIn,
      asksForAccount: !isSignedIn && !state.hasEnded,
      shows: .init { $0 == section && !isMissing },
      current: .init { $0 == section ? "page" : "false" },
      signIn: signIn(state.stage.signedOut, state.account),
      account: .init(
        name: home.account.name, group: home.account.groupName ?? "",
        mail: home.own.mail ?? (address.isEmpty ? "" : "Mails go to \(address)."), address: address,
        problem: home.account.problem ?? "",
        passphraseProblem: home.own.problem ?? "", deletionProblem: home.own.deletionProblem ?? "",
        isLocal: home.account.name.isEmpty, canManage: home.account.canManage,
        isChanged: home.own.isChanged,
        hasMail: state.account.mail != nil && (home.account.canManage || !isSignedIn),
        mails: address.isEmpty ? [] : mails(state.account)),
      feed: personal.reduce(home.feed ?? blank),
      search: search(home.search, at: home.feed?.now), people: people(ShownPeople(home)),
      links: links(home.links), feedback: feedback(home.feedback),
      groups: groups(home, isMissing: isMissing),
      browsers: browsers(home.browsers, at: home.feed?.now ?? .distantPast),
      members: members(home, areShown: section == .account),
      connection: connection(home.connection, isSignedIn: isSignedIn))
  }

  private func mails(_ account: AccountState) -> [PageViewState.Account.Mail] {
    MailKind.allCases.map {
      .init(id: $0.rawValue, text: "About \($0.words)", isOn: account.mails.contains($0))
    }
  }

  private func signIn(
    _ state: SignInInteractor.State?, _ account: AccountState
  ) -> PageViewState.SignIn {
    let invitation = state?.invitation ?? ""
    let canSignUp = state?.signUp != .closed
    let isInvited = canSignUp && state?.code != nil
    let problem = state?.problem ?? account.problem ?? ""
    let isNewcomers = isInvited && state?.isNew == true
    return PageViewState.SignIn(
      name: state?.name ?? "", invitation: invitation, inviter: account.invitation ?? "",
      problem: isNewcomers ? "" : problem,
      invalid: state?.problem == nil ? "false" : "true", unsent: unsent(account),
      isWorking: state?.isWorking ?? false,
      hasLocalAccount: state?.hasLocalAccount ?? false, canSignUp: canSignUp,
      offersSignUp: canSignUp && !isInvited,
      asksForInvitation: canSignUp && !isInvited && (state?.signUp != .open || invitation != ""),
      // An address can contain an invitation that has expired, which the person then removes.
      isInvited: isInvited, rule: "of at least \(Credentials.shortest) characters",
      newcomerProblem: isNewcomers ? problem : "")
  }

  /// Other people may use this device too, so the sentence names no account.
  private func unsent(_ account: AccountState) -> String {
    guard account.id == nil, account.unsent > 0 else { return "" }
    return account.unsent == 1
      ? "This device keeps 1 change that was not sent. It is sent when its account signs in again."
      : "This device keeps \(account.unsent) changes that were not sent. "
        + "They are sent when their account signs in again."
  }

  private func search(_ state: SearchInteractor.State, at now: Date?) -> PageViewState.Search {
    let found = state.found ?? SearchResults()
    let shown = found.rows.prefix(state.rows)
    return PageViewState.Search(
      text: state.text, status: status(of: state, shown: shown.count), problem: state.problem ?? "",
      isSearching: state.isSearching, canClear: !state.text.isEmpty,
      hasMore: found.total > shown.count,
      results: results.reduce(shown, at: now ?? .distantPast))
  }

  private func status(of state: SearchInteractor.State, shown: Int) -> String {
    guard let found = state.found else {
      return state.isSearching || state.problem != nil
        ? "" : "Type a word of what you are looking for."
    }
    if found.total == 0 { return "Nothing on the board has these words." }
    let count = wording.count(found.total, "activity", "activities")
    return found.total > shown
      ? "\(count) found. The first \(shown) are shown." : "\(count) found."
  }

  private static func view(
    of people: ShownPeople, _ wording: BoardWording
  ) -> PageViewState.People {
    PageViewState.People(
      isEmpty: people.rows.isEmpty, problem: people.problem ?? "",
      rows: people.rows.map { row in
        let badge = badge(row.name)
        let address = row.picture.map { "/pictures/\(people.group)/\($0)" }
        return PageViewState.People.Row(
          id: row.id, name: row.name.text, initials: badge.initials, look: badge.look,
          picture: address ?? "", count: wording.count(row.count, "activity", "activities"),
          problem: row.problem ?? "", hasPicture: address != nil, isSaving: row.isSaving)
      })
  }

  private func links(_ state: LinksInteractor.State) -> PageViewState.Links {
    PageViewState.Links(
      name: state.draft.name, target: state.draft.target,
      problem: state.problem?.description ?? "",
      nameInvalid: state.problem == .name ? "true" : "false",
      targetInvalid: state.problem == .target ? "true" : "false",
      failure: state.failure ?? "", isEmpty: state.links?.isEmpty == true,
      isLoading: state.links == nil && state.failure == nil,
      isRefused: state.problem != nil || state.failure != nil,
      rows: (state.links ?? []).map {
        .init(id: $0.id, address: $0.address, target: $0.target, isPending: $0.isPending)
      })
  }

  private func feedback(_ state: FeedbackInteractor.State) -> PageViewState.Feedback {
    var view = PageViewState.Feedback(
      text: state.text, problem: "", part: 0, isWriting: false, isSending: false, isSent: false,
      canRetry: false)
    switch state.stage {
    case .writing: view.isWriting = true
    case .sending(let part): (view.isSending, view.part, view.isWriting) = (true, part, true)
    case .failed(let reason):
      (view.problem, view.isWriting) = (reason, true)
      view.canRetry = state.text.contains { !$0.isWhitespace }
    case .sent: view.isSent = true
    }
    return view
  }

  private func groups(
    _ home: HomeInteractor.State, isMissing: Bool
  ) -> PageViewState.Groups {
    PageViewState.Groups(
      problem: home.groups.problem ?? "", code: home.groups.code ?? "",
      inviter: home.account.invitation ?? "You have an invitation to a group.",
      invitation: home.groups.invitation.map { "/join/\($0)" } ?? "",
      calendar: home.groups.calendar ?? "", isEmpty: home.account.group == nil,
      isMissing: isMissing, hasCode: home.groups.code != nil,
      rows: home.groups.groups.map {
        .init(id: $0.id, name: $0.name, isShown: $0.id == home.account.group)
      })
  }

  private func browsers(
    _ state: BrowsersInteractor.State, at now: Date
  ) -> PageViewState.Browsers {
    PageViewState.Browsers(
      problem: state.problem ?? "", isEmpty: state.browsers.isEmpty,
      rows: state.browsers.map { browser in
        let (start, use) = (
          wording.dayDate(browser.start, at: now), wording.dayDate(browser.lastUse, at: now)
        )
        return .init(
          id: browser.id, label: browser.label,
          days: "Signed in on \(start)" + (use == start ? "" : ", last used on \(use)"),
          isOwn: browser.isOwn)
      })
  }

  private func members(_ home: HomeInteractor.State, areShown: Bool) -> PageViewState.Members {
    let (own, state, now) = (home.account.id, home.members, home.feed?.now ?? .distantPast)
    let isOrganiser = state.isOrganiser == true
    let invitations = state.invitations.filter { $0.end > now }
    return PageViewState.Members(
      group: home.groups.groups.first { $0.id == home.account.group }?.name ?? "",
      problem: state.problem ?? "", isEmpty: state.members.isEmpty,
      hasNoInvitations: invitations.isEmpty, isPlain: state.isOrganiser == false,
      rows: (areShown ? state.members : []).map {
        .init(
          id: $0.id, name: $0.name.isEmpty ? "This machine" : $0.name,
          text: $0.isOrganiser ? "organises the group" : "",
          canEnd: isOrganiser && $0.id != own, canPromote: isOrganiser && !$0.isOrganiser)
      },
      invitations: invitations.map {
        .init(
          id: $0.id, name: "From \($0.author.flatMap { $0.isEmpty ? nil : $0 } ?? "the server")",
          text: "until \(wording.dayDate($0.end, at: now))",
          canEnd: isOrganiser || $0.account == own, canPromote: false)
      })
  }

  private func connection(
    _ state: ConnectionInteractor.State, isSignedIn: Bool
  ) -> PageViewState.Connection {
    let (phase, pending) = (state.connection.phase, state.connection.pending)
    let changes = wording.count(pending, "change")
    let isOffline = isSignedIn && phase == .offline
    // While the server cannot be reached, no change is stuck.
    let stuck = isSignedIn && phase == .upToDate ? state.connection.stuck : nil
    let text =
      switch (isOffline, pending) {
      case (false, _) where stuck != nil:
        "The server fails to take a change (\(stuck?.kind ?? "")). \(changes) wait."
      case (true, 0): "Offline. What you see may be old."
      case (true, _): "Offline. \(changes) will be sent when the server is back."
      case (false, 0): isSignedIn ? "Up to date" : ""
      case (false, _): "Sending \(changes)…"
      }
    let notice =
      isFull
      ? "Too many pages of the board are open. This is the first one, perhaps in other times." : ""
    return PageViewState.Connection(
      text: text, look: isOffline ? "banner offline" : "banner", problem: state.problem ?? notice,
      isOffline: isOffline, isSyncing: !isOffline && pending > 0, stuck: stuck.map { [$0] } ?? [],
      part: state.peak == 0 ? 1 : Double(state.peak - pending) / Double(state.peak),
      refused: state.connection.refused)
  }
}
