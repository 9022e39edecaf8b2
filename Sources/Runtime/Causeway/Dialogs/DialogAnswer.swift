/// The answer to a ``Dialog``.
public enum DialogAnswer<Choice: Equatable & Sendable>: Equatable, Sendable {
  /// A choice of the dialog.
  case chosen(Choice)
  /// The dialog was closed without a choice.
  case dismissed
}

extension DialogAnswer: Encodable where Choice: Encodable {}

extension DialogAnswer: Decodable where Choice: Decodable {}
