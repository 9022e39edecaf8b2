/// Operations whose results no order explains.
struct UnexplainedHistory: Error, CustomStringConvertible {
  let text: String
  /// Whether the last operations wait.
  let waits: Bool

  var description: String {
    """
    \(waits
      ? "All tasks wait for ever, although the model says that one of their operations returns"
      : "No order of these operations explains their results") \
    (the numbers are those of calls and returns):
    \(text)
    """
  }
}
