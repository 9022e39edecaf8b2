public import HarborDomain

/// The services of a device for the features of a page.
///
/// A test can replace each of them. It is an object, because every closure of the page's features
/// refers to it. A copy in each closure would be the largest part of an idle page.
@MainActor public final class HarborEnvironment {
  /// The board and the clock.
  public var feed: FeedEnvironment
  /// The search.
  public var search: any SearchRepositoryProtocol
  /// The people.
  public var people: any PeopleRepositoryProtocol
  /// The short links.
  public var links: any LinkRepositoryProtocol
  /// The feedback.
  public var feedback: any FeedbackServiceProtocol
  /// The groups.
  public var groups: any GroupRepositoryProtocol
  /// The connection.
  public var connection: any ConnectionServiceProtocol
  /// The account.
  public var account: any AccountServiceProtocol
  /// The browsers of the account; `nil` if there is no list of them, as on a device.
  public var browsers: (any BrowserListProtocol)?
  /// The members of the group; `nil` if there is no list of them, as on a device.
  public var members: (any MemberListProtocol)?
  /// The account at the time when the page is made.
  public var beginning: AccountState

  /// Makes an environment from its services.
  public init(
    feed: FeedEnvironment, search: any SearchRepositoryProtocol,
    people: any PeopleRepositoryProtocol, links: any LinkRepositoryProtocol,
    feedback: any FeedbackServiceProtocol, groups: any GroupRepositoryProtocol,
    connection: any ConnectionServiceProtocol, account: any AccountServiceProtocol,
    beginning: AccountState
  ) {
    (self.feed, self.search, self.people, self.links) = (feed, search, people, links)
    (self.feedback, self.groups, self.connection) = (feedback, groups, connection)
    (self.account, self.beginning) = (account, beginning)
  }
}
