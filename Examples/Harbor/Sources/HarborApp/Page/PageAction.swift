import CausewayWeb
import HarborDomain
import HarborFeatures

/// The actions that a browser may send.
///
/// The features also have actions that only the app sends, such as the start of a feature.
enum PageAction: Decodable, Sendable, Equatable {
  // The address, the session and the connection.
  case visit(address: String)
  case signIn(name: String, passphrase: String)
  case signUp(name: String, passphrase: String, invitation: String? = nil)
  case useLocalAccount
  case removeUnsent
  case signOut
  case retry
  case setAside(id: String)
  case resend(id: String)
  case discard(id: String)

  // The board.
  case appear
  case startNaming
  case cancelNaming
  case setName(name: String)
  case openComposer
  case closeComposer
  case create(form: ActivityForm, attempt: Int)
  case edit(id: String, revision: Int? = nil)
  case cancelEditing(id: String)
  case save(id: String, form: ActivityForm)
  case join(id: String)
  case leave(id: String)
  case delete(id: String)
  case dismissProblem

  // The other parts.
  case search(text: String)
  case showMoreResults
  case clearSearch
  case setPicture(person: String, picture: String?)
  case addLink(name: String, target: String)
  case removeLink(name: String)
  case sendFeedback(text: String)
  case retryFeedback
  case startFeedback
  case foundGroup(name: String)
  case showGroup(id: String)
  case leaveGroup(id: String)
  case invite(id: String)
  case makeCalendar(group: String? = nil)
  case acceptInvitation(code: String)
  case endBrowser(id: String)
  case makeOrganiser(id: String)
  case removeMember(id: String)
  case endInvitation(id: String)
  case changePassphrase(old: String, new: String)
  case setMail(address: String, passphrase: String)
  case removeMail
  case chooseMail(kind: MailKind, isWanted: Bool)
  case deleteAccount(passphrase: String)

  /// The action of the app.
  var action: HarborInteractor.Action {
    switch self {
    case .visit(let address): .visit(address)
    case .signIn(let name, let passphrase):
      .signIn(.signIn(Credentials(name: name, passphrase: passphrase)))
    case .signUp(let name, let passphrase, let invitation):
      .signIn(
        .signUp(Credentials(name: name, passphrase: passphrase, invitation: invitation)))
    case .useLocalAccount: .signIn(.useLocalAccount)
    case .removeUnsent: .signIn(.removeUnsent)
    case .signOut: .home(.signOut)
    case .retry: .home(.connection(.retry))
    case .setAside(let id): .home(.connection(.setAside(id)))
    case .resend(let id): .home(.connection(.resend(id)))
    case .discard(let id): .home(.connection(.discard(id)))
    case .search(let text): .home(.search(.type(text)))
    case .showMoreResults: .home(.search(.showMore))
    case .clearSearch: .home(.search(.clear))
    case .setPicture(let person, let picture):
      .home(.people(.person(person, .setPicture(picture))))
    case .addLink(let name, let target): .home(.links(.add(name: name, target: target)))
    case .removeLink(let name): .home(.links(.remove(name)))
    case .sendFeedback(let text): .home(.feedback(.submit(text)))
    case .retryFeedback: .home(.feedback(.retry))
    case .startFeedback: .home(.feedback(.startOver))
    case .foundGroup(let name): .home(.groups(.found(name)))
    case .showGroup(let id): .home(.groups(.show(id)))
    case .leaveGroup(let id): .home(.groups(.leave(id)))
    case .invite(let id): .home(.groups(.invite(id)))
    case .makeCalendar(let group): .home(.groups(.calendar(group)))
    case .acceptInvitation(let code): .home(.groups(.accept(code)))
    case .endBrowser(let id): .home(.browsers(.end(id)))
    case .makeOrganiser(let id): .home(.members(.makeOrganiser(id)))
    case .removeMember(let id): .home(.members(.remove(id)))
    case .endInvitation(let id): .home(.members(.endInvitation(id)))
    case .changePassphrase(let old, let new):
      .home(
        .own(
          .change(
            old: Credentials(name: "", passphrase: old),
            new: Credentials(name: "", passphrase: new))))
    case .setMail(let address, let passphrase):
      .home(.own(.setMail(address, Credentials(name: "", passphrase: passphrase))))
    case .removeMail: .home(.own(.setMail(nil, Credentials(name: "", passphrase: ""))))
    case .chooseMail(let kind, let isWanted): .home(.own(.choose(kind, isWanted)))
    case .deleteAccount(let passphrase):
      .home(.own(.delete(Credentials(name: "", passphrase: passphrase))))
    case .appear: .home(.feed(.appear))
    case .startNaming: .home(.feed(.startNaming))
    case .cancelNaming: .home(.feed(.cancelNaming))
    case .setName(let name): .home(.feed(.setName(name: name)))
    case .openComposer: .home(.feed(.openComposer))
    case .closeComposer: .home(.feed(.closeComposer))
    case .create(let form, let attempt): .home(.feed(.create(form: form, attempt: attempt)))
    case .edit(let id, let revision): .home(.feed(.edit(id: id, revision: revision)))
    case .cancelEditing(let id): .home(.feed(.cancelEditing(id: id)))
    case .save(let id, let form): .home(.feed(.save(id: id, form: form)))
    case .join(let id): .home(.feed(.join(id: id)))
    case .leave(let id): .home(.feed(.leave(id: id)))
    case .delete(let id): .home(.feed(.delete(id: id)))
    case .dismissProblem: .home(.feed(.dismissProblem))
    }
  }

  /// The time of the answer: an action that stores data is answered after the data is stored.
  var answer: ActionAnswer {
    switch self {
    case .setName, .create, .save, .join, .leave, .delete, .setPicture, .addLink, .removeLink,
      .sendFeedback, .retryFeedback, .foundGroup, .leaveGroup, .invite, .makeCalendar,
      .acceptInvitation, .resend, .setAside, .removeUnsent, .setMail, .removeMail,
      .chooseMail, .discard, .endBrowser, .makeOrganiser, .removeMember, .endInvitation,
      .changePassphrase:
      .afterEffects
    // Some of these actions end the page's session. Their answers must not wait for the effects.
    case .visit, .signIn, .signUp, .useLocalAccount, .signOut, .deleteAccount, .showGroup, .retry,
      .appear, .startNaming, .cancelNaming, .openComposer, .closeComposer, .edit, .cancelEditing,
      .dismissProblem, .search, .showMoreResults, .clearSearch, .startFeedback:
      .atOnce
    }
  }
}
