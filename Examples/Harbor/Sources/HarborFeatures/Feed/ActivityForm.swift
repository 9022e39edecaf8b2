/// An activity's form exactly as typed.
///
/// The feature can return it to the page unchanged.
public struct ActivityForm: Codable, Sendable, Equatable {
  /// The title.
  public var title: String
  /// The place.
  public var place: String
  /// The notes.
  public var notes: String
  /// The date and time, as date fields write them: `2026-05-01T18:30`.
  public var start: String
  /// The end in the same form, or empty; earlier versions of the page do not send it.
  public var end: String?

  /// A form with these texts.
  public init(
    title: String = "", place: String = "", notes: String = "", start: String = "",
    end: String? = ""
  ) {
    (self.title, self.place, self.notes, self.start, self.end) = (title, place, notes, start, end)
  }
}
