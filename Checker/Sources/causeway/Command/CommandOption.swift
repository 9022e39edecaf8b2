/// An option of a command line: `--name`, `--name VALUE` or `--name=VALUE`.
struct CommandOption {
  /// The name with its hyphens.
  let name: String
  /// The value after `=`; nil without one.
  let inline: String?

  init(_ word: String) {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    name = parts.first ?? word
    inline = parts.count == 2 ? parts[1] : nil
  }

  /// Returns the text after `=`, or else the next word behind the option.
  ///
  /// - Throws: `ArgumentError` if there is no value.
  func value(in rest: inout ArraySlice<String>) throws(ArgumentError) -> String {
    guard let value = inline ?? rest.popFirst() else {
      throw ArgumentError("\(name) needs a value")
    }
    return value
  }
}
