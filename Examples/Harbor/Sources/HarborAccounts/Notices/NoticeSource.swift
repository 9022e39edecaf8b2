public import CausewayDatabase
public import Foundation

/// Decides for an app which accounts get a notice of an event, and what its mail says.
///
/// Both functions run in transactions of ``AccountNotices``, which may run them again.
public protocol NoticeSource: Sendable {
  /// The notices of an event that is due.
  ///
  /// Only the accounts that have chosen the kind of a notice get it.
  func notices(
    of event: NoticeEvent, in transaction: any ReadTransaction
  ) throws -> [NoticeDraft]

  /// The subject and the text of a mail; nil if the notice is no longer true or allowed.
  ///
  /// Called before each attempt, because a mail can wait for the mail server. Check here that the
  /// account may still read what the text contains.
  func mail(
    for notice: AccountNotice, in transaction: any ReadTransaction
  ) throws -> (subject: String, text: String)?
}

/// A change, or something that begins soon.
///
/// Accounts get mails about it.
public struct NoticeEvent: Sendable, Decodable {
  /// What happens, such as `reminder`.
  public let kind: String
  /// What the event is about, such as the id of a record.
  public let topic: String
  /// The state before the event, as far as the app needs it for a mail.
  ///
  /// If one mail reports several events, this is the content of the first event.
  public let content: String
  /// The content of the event, or of the last event if one mail reports several events.
  public let latest: String
  /// The account that has caused the event; nil if there is none, or if there are several.
  public let actor: String?
  /// The account that has caused the last event of the mail; nil if there is none.
  public let lastActor: String?
  let attempts: Int
  private let expiry: Double

  /// The date after which no mail is sent.
  public var end: Date { Date(timeIntervalSince1970: expiry) }
}

/// A notice for an account, before its mail is made.
public struct NoticeDraft: Sendable {
  let account, kind, content: String
  let keepsContent: Bool

  /// Makes a draft.
  ///
  /// - Parameters:
  ///   - account: The account that gets it.
  ///   - kind: The kind, which the account can choose and end.
  ///   - content: What ``NoticeSource/mail(for:in:)`` needs for the text.
  ///   - keepsContent: Whether the content of a waiting notice is kept, such as the time before
  ///     several changes. In both cases, the new notice replaces a waiting notice of the same
  ///     account, kind and topic.
  public init(for account: String, kind: String, content: String, keepsContent: Bool = false) {
    (self.account, self.kind, self.content) = (account, kind, content)
    self.keepsContent = keepsContent
  }
}

/// A notice that waits for its mail.
public struct AccountNotice: Sendable {
  let id: String
  /// The account that gets it.
  public let account: String
  /// The kind, which the account has chosen.
  public let kind: String
  /// The topic of its event.
  public let topic: String
  /// The content of its ``NoticeDraft``.
  public let content: String
  /// The time zone of the page on which the person has chosen the kind.
  public let timeZone: TimeZone
}

/// A mail of a notice.
public struct NoticeMail: Sendable {
  /// The id, which is the same for each attempt to send it.
  public let id: String
  /// The confirmed address of the account.
  public let address: String
  /// The subject and the text.
  public let subject, text: String
  /// The page that ends mails of this kind; see `MailMessage.unsubscribe`.
  public let unsubscribe: URL
}
