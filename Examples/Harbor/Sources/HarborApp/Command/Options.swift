public import CausewayWeb
public import Foundation
public import HarborBackend
public import HarborDomain
public import HarborMail

/// The options of the command line.
public enum Command: Sendable, Equatable {
  /// Runs the parts of Harbor that the options name.
  case run(Options)
  /// Copies the data into a new directory while Harbor may be running.
  case backup(to: String, Options)
  /// Writes the backend's content as JSON to a file, or to standard output without a file.
  case export(to: String?, Options)
  /// Adds the content of a JSON file to the backend.
  case `import`(from: String, Options)
  /// Prints the link of an invitation to a group, which may be new.
  case invite(to: String, Options)
  /// Removes a record that an export has left out.
  case remove(record: String, Options)
  /// Reads or changes the accounts or the feedback of a backend.
  case administer(Administration, Options)
  /// Prints the options.
  case help
  /// Prints the version.
  case version

  /// Parses the arguments after the program's name.
  ///
  /// - Throws: ``UsageError`` for the first invalid argument.
  public init(arguments: [String]) throws(UsageError) {
    var options = Options()
    var rest = arguments[...]
    var (verb, operands, flags): (String?, [String], Set<String>) = (nil, [], [])
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      let attached = parts.count > 1 ? String(parts[1]) : nil
      switch name {
      case "--help", "-h", "--version", "--empty", "--inspect", "--yes", "--json":
        guard attached == nil else { throw .surplusValue(option: name) }
        switch name {
        case "--empty": options.isEmpty = true
        case "--inspect": options.isInspected = true
        case "--yes", "--json": flags.insert(name)
        case "--version":
          self = .version
          return
        default:
          self = .help
          return
        }
      case "--port", "--server-port":
        let value = try Self.value(of: name, attached, &rest)
        guard let port = UInt16(value) else { throw .badPort(value) }
        if name == "--port" { options.port = port } else { options.serverPort = port }
      case "--listen":
        let value = try Self.value(of: name, attached, &rest)
        guard NetworkName.isListenable(value) else { throw .badListen(value) }
        options.listen = value
      case "--log":
        let value = try Self.value(of: name, attached, &rest)
        guard let level = LogLevel(rawValue: value) else { throw .badLevel(value) }
        options.log = level
      case "--server":
        let value = try Self.value(of: name, attached, &rest)
        guard let url = URL(string: value), ["http", "https"].contains(url.scheme),
          url.host?.isEmpty == false
        else { throw .badAddress(value) }
        options.server = url
      case "--sessions":
        options.sessions = try Self.count(of: name, attached, &rest)
      case "--sessions-per-address":
        options.sessionsPerAddress = try Self.count(of: name, attached, &rest)
      case "--limit":
        let value = try Self.value(of: name, attached, &rest)
        let parts = value.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let quota = Quota(rawValue: parts[0]), let count = Int(parts[1]),
          (1...Self.largestCount).contains(count)
        else { throw .badLimit(value) }
        options.quotas[quota] = count
      case "--public":
        let value = try Self.value(of: name, attached, &rest)
        // Otherwise the pages would start and refuse every visitor of the proxy.
        guard NetworkName.isWebServer(value) else { throw .badName(value) }
        options.publicName = value
      case "--sign-up":
        let value = try Self.value(of: name, attached, &rest)
        guard let signUp = SignUp(rawValue: value) else { throw .badSignUp(value) }
        options.signUp = signUp
      case "--smtp", "--mail-from":
        let value = try Self.value(of: name, attached, &rest)
        do throws(MailError) {
          if name == "--smtp" {
            options.mailServer = try MailServer(value)
          } else {
            options.mailSender = try MailAddress(value)
          }
        } catch { throw .badMail(option: name, error.description) }
      case "--proxy":
        options.proxies.insert(try Self.value(of: name, attached, &rest))
      case "--data", "--store":
        let value = try Self.value(of: name, attached, &rest)
        guard !value.isEmpty else { throw .missingValue(option: name) }
        if name == "--store", BackendStore.isServerAddress(value) {
          options.databaseServer = value
        } else {
          // A mistyped address would become the name of a new, empty directory.
          guard !value.contains("://") else { throw .badStore(option: name, value) }
          options.directory = value
        }
      default:
        if name.hasPrefix("-") { throw .unknownOption(name) }
        if verb == nil, Self.verbs.contains(argument) {
          verb = argument
        } else if let verb, operands.count < (Self.operandCounts[verb] ?? 0) {
          operands.append(argument)
        } else {
          throw .unexpected(argument)
        }
      }
    }
    self = try Self.command(verb, operands, flags, options)
  }

  /// The verbs that start neither the backend nor pages, each with its largest number of operands.
  private static let operandCounts = [
    "backup": 1, "export": 1, "import": 1, "remove": 1, "account": 2, "feedback": 0,
    "invite": 1,
  ]
  private static let verbs = ["serve", "app"] + operandCounts.keys

  private static func command(
    _ verb: String?, _ operands: [String], _ flags: Set<String>, _ options: Options
  ) throws(UsageError) -> Command {
    var options = options
    if let verb, ["app", "backup"].contains(verb), options.databaseServer != nil {
      throw .databaseServer(verb)
    }
    if options.quotas != Quotas(), operandCounts[verb ?? ""] != nil {
      throw .unexpected("--limit")
    }
    if let verb, verb != "serve", options.signUp != nil { throw .unexpected("--sign-up") }
    if let verb, verb != "app", let option = options.optionOfPages {
      throw .unusable(option: option, verb)
    }
    if let verb, ["account", "feedback"].contains(verb) {
      return .administer(try Administration(verb, operands, flags), options)
    }
    if let flag = flags.first { throw .unexpected(flag) }
    let operand = operands.first
    switch (verb, operand) {
    case ("backup", let path?): return .backup(to: path, options)
    case ("import", let path?): return .import(from: path, options)
    case ("remove", let record?): return .remove(record: record, options)
    case ("invite", let group?): return .invite(to: group, options)
    case ("backup", nil), ("import", nil), ("remove", nil), ("invite", nil):
      throw .missingValue(option: verb ?? "")
    case ("export", _): return .export(to: operand, options)
    case ("serve", _): options.role = .backend
    case ("app", _):
      options.role = .device
      if options.server == nil { throw .missingValue(option: "--server") }
    default: break
    }
    guard options.server == nil || options.role == .device else {
      throw .unexpected("--server")
    }
    if options.role == .device, options.quotas != Quotas() { throw .unexpected("--limit") }
    if options.role == .device, options.mailServer != nil { throw .unexpected("--smtp") }
    guard options.proxies.isEmpty || options.publicName != nil else {
      throw .missingValue(option: "--public")
    }
    guard (options.mailServer == nil) == (options.mailSender == nil) else {
      throw .missingValue(option: options.mailServer == nil ? "--smtp" : "--mail-from")
    }
    return .run(options)
  }

  private static func count(
    of option: String, _ attached: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> Int {
    let value = try value(of: option, attached, &rest)
    guard let count = Int(value), (1...largestCount).contains(count) else {
      throw .badCount(option: option, value)
    }
    return count
  }

  private static let largestCount = 1_000_000

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

/// The options of a run.
public struct Options: Sendable, Equatable {
  /// The parts of Harbor that a process runs.
  public enum Role: Sendable {
    /// The backend and the app.
    case everything
    /// Only the backend.
    case backend
    /// Only the app.
    case device
  }

  /// The parts that this process runs.
  public var role = Role.everything
  /// The address of the backend of another process.
  public var server: URL?
  /// The public name of this server behind a reverse proxy with TLS; `nil` without a proxy.
  public var publicName: String?
  /// The addresses of the proxies between the clients and the reverse proxy on this machine.
  public var proxies: Set<String> = []
  /// The server that sends mails, and their sender; `nil` without mail.
  public var mailServer: MailServer?, mailSender: MailAddress?
  /// The largest number of open pages; `nil` for the default of the server.
  public var sessions: Int?
  /// The largest number of open pages of one address; `nil` for the default of the server.
  public var sessionsPerAddress: Int?
  /// Who may make an account; `nil` for the default.
  public var signUp: SignUp?
  /// The limits of accounts and groups.
  public var quotas = Quotas()
  /// The port on this machine; 0 chooses a free port; `nil` for the default of the role.
  public var port: UInt16?
  /// What the log contains.
  public var log = LogLevel.info
  /// The address on which the server with that port listens.
  public var listen = "127.0.0.1"
  /// The port of the backend; `nil` for the default in ``Command/helpText``.
  public var serverPort: UInt16?
  /// The data directory, or `nil` for the default of the current user.
  public var directory: String?
  /// The address of the backend's PostgreSQL database; `nil` for a file in the directory.
  public var databaseServer: String?
  /// Whether a new board begins without the sample activities.
  public var isEmpty = false
  /// Whether an inspector shows what the pages do.
  public var isInspected = false

  /// The options of `harbor` without arguments.
  public init() {}

  /// Who may make an account.
  ///
  /// Without the option, this is anyone if the server has no public name, and otherwise only people
  /// with an invitation.
  var allowedSignUp: SignUp { signUp ?? (publicName == nil ? .open : .invitation) }

  /// The name of a given option that only the pages use; `nil` if there is none.
  fileprivate var optionOfPages: String? {
    if isInspected { return "--inspect" }
    if sessions != nil { return "--sessions" }
    if mailServer != nil || mailSender != nil { return "--smtp" }
    return sessionsPerAddress == nil ? nil : "--sessions-per-address"
  }
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
  /// The value of `--server` is not a web address.
  case badAddress(String)
  /// The value of `--public` is not the name of a server.
  case badName(String)
  /// The value of `--log` is not a level.
  case badLevel(String)
  /// The value of `--listen` is not a numeric address.
  case badListen(String)
  /// The command removes an account, and has no `--yes`.
  case unconfirmed(String)
  /// The command cannot use the PostgreSQL database of `--store`.
  case databaseServer(String)
  /// The value of `--store` or `--data` is an address, but not of a PostgreSQL database.
  case badStore(option: String, String)
  /// The command has no pages, so it cannot use the option.
  case unusable(option: String, String)
  /// The value of the option is not a number of sessions.
  case badCount(option: String, String)
  /// The value of `--limit` is not a limit.
  case badLimit(String)
  /// The value of `--sign-up` is not one of the allowed words.
  case badSignUp(String)
  /// The value of `--smtp` or `--mail-from` cannot be used.
  case badMail(option: String, String)
  /// The value of `--port` is not a port.
  case badPort(String)

  /// The problem as a sentence.
  public var description: String {
    switch self {
    case .unknownOption(let name): "There is no option \(name)."
    case .unexpected(let argument): "“\(argument)” belongs to no option."
    case .missingValue(let option): "\(option) needs a value after it."
    case .surplusValue(let option): "\(option) takes no value."
    case .badAddress(let value):
      "“\(value)” is no address: begin with http:// or https://."
    case .badName(let value):
      "“\(value)” is no public name: use a name as browsers send it, such as board.example."
    case .badLevel(let value):
      "“\(value)” is no level: use " + LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
        + "."
    case .badListen(let value):
      "“\(value)” is no address to listen on: use one such as 0.0.0.0, 192.0.2.7 or ::1."
    case .unconfirmed(let name):
      "`harbor account delete` removes “\(name)” for ever. Add --yes."
    case .databaseServer("backup"):
      "`harbor backup` copies files. Copy a PostgreSQL database with pg_dump."
    case .databaseServer(let command):
      "`harbor \(command)` cannot use a PostgreSQL database. Choose a directory with --data."
    case .badStore("--store", let value):
      "“\(value.prefix { $0 != ":" })://” is no database: begin with postgres://."
    case .badStore(let option, _):
      "\(option) needs a directory. The address of a PostgreSQL database belongs to --store."
    case .unusable(let option, let command): "`harbor \(command)` has no pages for \(option)."
    case .badCount(let option, let value):
      "“\(value)” is no number for \(option): use a number from 1 to 1000000."
    case .badLimit(let value):
      "“\(value)” is no limit: use NAME=N with a number from 1 to 1000000 and one of these names: "
        + Quota.allCases.map(\.rawValue).joined(separator: ", ") + "."
    case .badSignUp(let value):
      "“\(value)” is no sign-up: use " + SignUp.allCases.map(\.rawValue).joined(separator: ", ")
        + "."
    case .badMail(let option, let problem):
      "\(option): \(problem)"
        + (option == "--smtp" ? " The password is read from HARBOR_SMTP_PASSWORD." : "")
    case .badPort(let value): "“\(value)” is no port: use a number from 0 to 65535."
    }
  }
}
