public import Causeway

/// A feature of another module, with a large state and actions that carry strings and arrays.
public struct Inbox: Interactor {
  /// A message of the inbox.
  public struct Message: Sendable, Equatable {
    /// The name of the sender.
    public let sender: String
    let text: String
    let tags: [String]
  }

  /// A state of thirty fields.
  public struct State: Sendable {
    var query = "", title = "", account = "", signature = "", footer = ""
    var error: String?, hint: String?, draft: String?, folder: String?, sort: String?
    var unread = 0, total = 0, page = 0, selected = 0, starred = 0
    var isLoading = false, isEditing = false, isOffline = false, isSearching = false
    var progress = 0.0, zoom = 1.0, offset = 0.0, width = 0.0, height = 0.0
    var messages: [Message] = [], tags: [String] = [], folders: [String] = []
    var accounts: [String] = [], recent: [Int] = [], pinned: [Int] = []

    init() {}
  }

  /// What can happen in the inbox.
  public enum Action: Sendable {
    case edit(String)
    case receive(Message, tags: [String])
    case select([Int], title: String)
  }

  /// Makes the feature.
  public init() {}

  /// The handler of the actions.
  public var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      Self.handle(&state, action)
      return .state
    }
  }

  static func handle(_ state: inout State, _ action: Action) {
    switch action {
    case .edit(let query): state.query = query
    case .receive(let message, let tags):
      state.unread += 1
      state.title = message.sender
      state.tags = tags
    case .select(let numbers, let title):
      state.recent = numbers
      state.title = title
    }
  }

  /// Actions of each kind, with payloads that are stored outside the action.
  public static let actions: [Action] = [
    .edit("a query that is not short at all"),
    .receive(
      Message(
        sender: "a sender with a long name", text: "a text of some length", tags: ["new", "work"]),
      tags: ["new", "work"]),
    .select([1, 2, 3], title: "a title that is not short"),
  ]
}

/// The same feature without Causeway, in a closure that cannot be inlined.
@MainActor
public final class InboxByHand {
  private var state = Inbox.State()
  private let handle: (inout Inbox.State, Inbox.Action) -> Void = InboxByHand.makeHandler()

  /// Makes the feature.
  public init() {}

  @inline(never)
  private static func makeHandler() -> (inout Inbox.State, Inbox.Action) -> Void {
    { Inbox.handle(&$0, $1) }
  }

  /// Handles an action.
  public func send(_ action: Inbox.Action) {
    handle(&state, action)
  }
}
