/// The options of the command line.
public enum Command: Sendable, Equatable {
  /// Runs the board.
  case run(Options)
  /// Prints the options.
  case help

  /// Parses the arguments after the program's name.
  ///
  /// - Throws: ``UsageError`` for the first invalid argument.
  public init(arguments: [String]) throws(UsageError) {
    var options = Options()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      let attached = parts.count > 1 ? String(parts[1]) : nil
      switch name {
      case "--help", "-h", "--empty":
        guard attached == nil else { throw .surplusValue(option: name) }
        guard name == "--empty" else {
          self = .help
          return
        }
        options.isEmpty = true
      case "--port":
        let value = try Self.value(of: name, attached, &rest)
        guard let port = UInt16(value) else { throw .badPort(value) }
        options.port = port
      case "--data":
        let value = try Self.value(of: name, attached, &rest)
        guard !value.isEmpty else { throw .missingValue(option: name) }
        options.directory = value
      default:
        throw name.hasPrefix("-") ? .unknownOption(name) : .unexpected(argument)
      }
    }
    self = .run(options)
  }

  private static func value(
    of option: String, _ attached: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    if let attached { return attached }
    guard let next = rest.first, !next.hasPrefix("--") else {
      throw .missingValue(option: option)
    }
    rest.removeFirst()
    return next
  }
}

/// The options of a board.
public struct Options: Sendable, Equatable {
  /// The port on this machine; 0 chooses a free port.
  public var port: UInt16 = 8080
  /// The port of the backend; `nil` chooses 8081 or a free port, see ``Command/helpText``.
  public var serverPort: UInt16?
  /// The data directory, or `nil` for the default of the current user.
  public var directory: String?
  /// Whether a new board begins without the sample activities.
  public var isEmpty = false

  /// The options of `harbor` without arguments.
  public init() {}
}

/// An invalid argument.
public enum UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// There is no option of that name.
  case unknownOption(String)
  /// The argument does not belong to an option.
  case unexpected(String)
  /// The option needs a value but has none.
  case missingValue(option: String)
  /// The option has a value but takes none.
  case surplusValue(option: String)
  /// The value of `--port` is not a port.
  case badPort(String)

  /// The problem as a sentence.
  public var description: String {
    switch self {
    case .unknownOption(let name): "There is no option \(name)."
    case .unexpected(let argument): "“\(argument)” belongs to no option."
    case .missingValue(let option): "\(option) needs a value after it."
    case .surplusValue(let option): "\(option) takes no value."
    case .badPort(let value): "“\(value)” is no port: use a number from 0 to 65535."
    }
  }
}
