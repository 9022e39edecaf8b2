/// An alert or a confirmation, as a part of a state.
///
/// ```swift
/// state.confirmation = Dialog(
///   "Delete the note?", message: "It cannot be restored.",
///   buttons: [.destructive("Delete", .delete), .cancel("Keep")])
/// ```
///
/// The part is optional: `nil` while there is no dialog.
/// ``Interactor/dialog(_:action:fileID:line:)`` sets it to `nil` when the dialog is answered. The
/// texts are shown unchanged. A view decides whether it shows an alert or a confirmation dialog.
///
/// Two dialogs that are made separately are different dialogs, even if they are equal: an answer to
/// the first dialog does not answer the second dialog.
public struct Dialog<Choice: Equatable & Sendable>: Equatable, Sendable {
  /// A button of a dialog.
  public struct Button: Equatable, Sendable {
    /// The kind of a button, which determines its appearance.
    public enum Role: String, Codable, Sendable {
      /// Changes nothing.
      case cancel
      /// Deletes something.
      case destructive
    }

    /// The text of the button.
    public let title: String
    /// The kind of the button; `nil` for an ordinary button.
    public let role: Role?
    /// The choice of the button; `nil` if the button only closes the dialog.
    public let choice: Choice?

    /// The answer that the button gives.
    public var answer: DialogAnswer<Choice> {
      choice.map { .chosen($0) } ?? .dismissed
    }

    /// A button with a choice.
    public static func button(_ title: String, _ choice: Choice) -> Button {
      Button(title: title, role: nil, choice: choice)
    }

    /// A button with a choice that deletes something.
    public static func destructive(_ title: String, _ choice: Choice) -> Button {
      Button(title: title, role: .destructive, choice: choice)
    }

    /// A button that changes nothing.
    ///
    /// - Parameters:
    ///   - title: The text of the button.
    ///   - choice: The choice of the button. Default: the button only closes the dialog.
    public static func cancel(_ title: String, _ choice: Choice? = nil) -> Button {
      Button(title: title, role: .cancel, choice: choice)
    }
  }

  /// The title.
  public var title: String
  /// The text below the title.
  public var message: String?
  /// The buttons, in order.
  public var buttons: [Button]
  /// Distinguishes the dialog from equal dialogs; not a part of its value.
  let birth = DialogBirth()

  private enum CodingKeys: CodingKey {
    case title, message, buttons
  }

  /// Makes a dialog.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - message: The text below the title.
  ///   - buttons: The buttons, in order.
  public init(_ title: String, message: String? = nil, buttons: [Button]) {
    self.title = title
    self.message = message
    self.buttons = buttons
  }

  /// Whether the dialog has a button for an answer.
  ///
  /// Every dialog can be dismissed.
  func offers(_ answer: DialogAnswer<Choice>) -> Bool {
    answer == .dismissed || buttons.contains { $0.answer == answer }
  }
}

/// Distinguishes a dialog from an equal one.
struct DialogBirth: Equatable, Sendable {
  let number = IdentifiedArrayVersion.next()

  static func == (left: DialogBirth, right: DialogBirth) -> Bool { true }
}

extension Dialog: PartWithBirth {
  var birthNumber: UInt64 { birth.number }
}

extension Dialog: CustomReflectable {
  /// The title, the message and the buttons.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["title": title, "message": message as Any, "buttons": buttons],
      displayStyle: .struct)
  }
}

extension Dialog: Encodable where Choice: Encodable {}
extension Dialog: Decodable where Choice: Decodable {}
extension Dialog.Button: Encodable where Choice: Encodable {}
extension Dialog.Button: Decodable where Choice: Decodable {}
