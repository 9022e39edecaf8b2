import Foundation
import SwiftParser
import SwiftSyntax

/// The targets of a `Package.swift` and their compiler settings.
///
/// The reader does not run the manifest. It supports literals, names of top-level constants, `+`,
/// `append` and a loop over `package.targets`. It treats a condition that it does not support as
/// true.
struct PackageManifest: Sendable {
  struct Target: Sendable {
    let name: String
    /// The folder, relative to the package.
    let path: String
    /// The parts of the folder that belong to the target; empty if the whole folder belongs to it.
    let sources: [String]
    let exclude: [String]
    var settings: BuildSettings
    fileprivate let kind: String
  }

  private(set) var targets: [Target] = []

  /// - Parameters:
  ///   - exists: Whether a path of the package exists.
  ///   - room: Returns the name of a folder between a usual folder, such as `Sources`, and the
  ///     folder of a target. A manifest may set such paths in a loop, which the reader does not
  ///     support.
  init(
    _ tree: SourceFileSyntax, exists: (String) -> Bool,
    room: (_ folder: String, _ target: String) -> String? = { _, _ in nil }
  ) {
    // A manifest with syntax errors is read up to the error.
    let facts = FileFacts(tree)
    var constants: [String: ExprSyntax] = [:]
    for variable in facts.variables {
      for binding in variable.bindings {
        if let value = binding.initializer?.value {
          constants[binding.pattern.trimmedDescription] = value
        }
      }
    }
    let reader = SettingsReader(constants: constants)
    var common = BuildSettings()
    common.compiler = PackageManifest.toolsVersion(tree)
    common.languageMode = common.compiler.map { $0.major >= 6 ? 6 : 5 }
    if let package = facts.calls.first(where: { $0.calleePath == "Package" }) {
      if let platforms = package.argument("platforms") {
        common.systems = PackageManifest.systems(platforms)
      }
      for argument in package.arguments
      where ["swiftLanguageModes", "swiftLanguageVersions"].contains(argument.label?.text) {
        reader.applyModes(argument.expression, to: &common)
      }
    }
    for call in facts.calls {
      guard let kind = call.calleeName,
        ["target", "executableTarget", "testTarget", "macro", "plugin"].contains(kind),
        call.argument("name") != nil, let name = call.argument("name")?.stringValue,
        // `.target(name:)` in `dependencies:` names another target.
        !call.ancestors.contains(where: {
          $0.as(LabeledExprSyntax.self)?.label?.text == "dependencies"
        })
      else { continue }
      var settings = common
      if let value = call.argument("swiftSettings") { reader.apply(value, to: &settings) }
      let folder = kind == "testTarget" ? "Tests" : kind == "plugin" ? "Plugins" : "Sources"
      let candidates = [folder, "Sources", "Source", "src"].map { $0 + "/" + name }
      let path =
        call.argument("path")?.stringValue ?? candidates.first(where: exists)
        ?? room(folder, name).map { "\(folder)/\($0)/\(name)" } ?? candidates[0]
      targets.append(
        Target(
          name: name, path: XcodeObjects.normalized(path),
          sources: Self.paths(call.argument("sources")),
          exclude: Self.paths(call.argument("exclude")), settings: settings, kind: kind))
    }
    for loop in tree.descendants(ForStmtSyntax.self)
    where loop.sequence.trimmedDescription == "package.targets" {
      for index in targets.indices {
        guard loop.whereClause.map({ allows($0.condition, index) }) ?? true else { continue }
        for value in PackageManifest.additions(in: loop) {
          reader.apply(value, to: &targets[index].settings)
        }
      }
    }
  }

  private static func paths(_ argument: ExprSyntax?) -> [String] {
    (argument?.stringValues ?? []).map(XcodeObjects.normalized).filter { !$0.isEmpty }
  }

  /// The target of a file, whose path is relative to the package.
  func target(of file: String) -> Target? {
    // A target in the folder of the package does not compile the manifests.
    if file == "Package.swift" || file.hasPrefix("Package@swift-") { return nil }
    return targets.filter { target in
      let folder = target.path.isEmpty ? "" : target.path + "/"
      guard file.hasPrefix(folder) else { return false }
      let rest = String(file.dropFirst(folder.count))
      func covers(_ part: String) -> Bool {
        rest == part || rest.hasPrefix(part + "/")
      }
      return !target.exclude.contains(where: covers)
        && (target.sources.isEmpty || target.sources.contains(where: covers))
    }.max { $0.path.count < $1.path.count }
  }

  /// Whether a condition on `target.name` and `target.type` is true, with `&&` and `||`.
  private func allows(_ condition: ExprSyntax, _ index: Int) -> Bool {
    let target = targets[index]
    let text = condition.trimmedDescription
    if text.contains("||") {
      return text.components(separatedBy: "||").contains { met($0, target) }
    }
    return text.components(separatedBy: "&&").allSatisfy { met($0, target) }
  }

  private func met(_ comparison: String, _ target: Target) -> Bool {
    let isNegated = comparison.contains("!=")
    let sides = comparison.components(separatedBy: isNegated ? "!=" : "==")
      .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    guard sides.count == 2 else { return true }
    let types = [
      "target": ".regular", "executableTarget": ".executable", "testTarget": ".test",
      "plugin": ".plugin", "macro": ".macro",
    ]
    let isEqual: Bool
    switch sides[0].split(separator: ".").last {
    case "name": isEqual = sides[1] == "\"\(target.name)\""
    case "type":
      isEqual = sides[1] == types[target.kind] ?? ""
    default: return true
    }
    return isEqual != isNegated
  }

  /// The expressions that a loop's body adds to `swiftSettings`.
  private static func additions(in loop: ForStmtSyntax) -> [ExprSyntax] {
    var values: [ExprSyntax] = []
    for sequence in loop.body.descendants(SequenceExprSyntax.self) {
      let parts = Array(sequence.elements)
      guard let first = parts.first?.path, first.hasSuffix(".swiftSettings") else { continue }
      values += parts.dropFirst(2)
    }
    for call in loop.body.descendants(FunctionCallExprSyntax.self)
    where call.calleePath?.contains("swiftSettings.append") == true {
      values += call.arguments.map(\.expression)
    }
    return values
  }

  private static func toolsVersion(_ tree: SourceFileSyntax) -> Version? {
    let first = tree.description.prefix { !$0.isNewline }
    guard let range = first.range(of: "swift-tools-version:") else { return nil }
    return Version(
      first[range.upperBound...].drop { $0 == " " }.prefix { $0.isNumber || $0 == "." })
  }

  /// The systems of a list such as `[.macOS(.v15), .iOS("18.4")]`; nil if a version is unknown.
  ///
  /// If a package lists some systems, the reader assumes that it runs on no other system of Apple.
  private static func systems(_ list: ExprSyntax) -> [AppleSystem: Version]? {
    guard let elements = list.as(ArrayExprSyntax.self)?.elements else { return nil }
    var systems: [AppleSystem: Version] = [:]
    for element in elements {
      guard let call = element.expression.as(FunctionCallExprSyntax.self),
        let argument = call.arguments.first?.expression
      else { return nil }
      let kind = call.calleeName == "macCatalyst" ? "iOS" : call.calleeName ?? ""
      guard let system = AppleSystem(rawValue: kind) else { continue }
      // `.v10_15`
      let name = argument.as(MemberAccessExprSyntax.self)?.declName.baseName.text
      let text =
        argument.stringValue ?? name.map { String($0.dropFirst()).replacing("_", with: ".") }
      guard let version = text.flatMap({ Version($0) }) else { return nil }
      systems[system] = min(version, systems[system] ?? version)
    }
    return systems
  }
}

/// Evaluates expressions of type `[SwiftSetting]`.
private struct SettingsReader {
  let constants: [String: ExprSyntax]

  func apply(_ expression: ExprSyntax, to settings: inout BuildSettings, depth: Int = 0) {
    guard depth < 20 else { return }
    if let array = expression.as(ArrayExprSyntax.self) {
      for element in array.elements { apply(element.expression, to: &settings, depth: depth + 1) }
    } else if let sequence = expression.as(SequenceExprSyntax.self) {
      for part in sequence.elements { apply(part, to: &settings, depth: depth + 1) }
    } else if let tuple = expression.as(TupleExprSyntax.self) {
      for part in tuple.elements { apply(part.expression, to: &settings, depth: depth + 1) }
    } else if let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text {
      if let value = constants[name] { apply(value, to: &settings, depth: depth + 1) }
    } else if let call = expression.as(FunctionCallExprSyntax.self) {
      apply(call, to: &settings)
    }
  }

  func applyModes(_ expression: ExprSyntax, to settings: inout BuildSettings) {
    let modes = expression.trimmedDescription
    if modes.contains("6") {
      settings.languageMode = 6
    } else if modes.contains("5") || modes.contains("4") {
      settings.languageMode = 5
    }
  }

  private func apply(_ call: FunctionCallExprSyntax, to settings: inout BuildSettings) {
    guard let argument = call.arguments.first?.expression else { return }
    switch call.calleeName {
    case "enableUpcomingFeature", "enableExperimentalFeature":
      if let name = argument.stringValue { settings.upcomingFeatures.insert(name) }
    case "defaultIsolation":
      settings.defaultIsolation = argument.trimmedDescription == "nil" ? .nonisolated : .mainActor
    case "swiftLanguageMode", "swiftLanguageVersion": applyModes(argument, to: &settings)
    case "unsafeFlags": settings.apply(arguments: argument.stringValues)
    default: break
    }
  }
}

extension FunctionCallExprSyntax {
  fileprivate func argument(_ label: String) -> ExprSyntax? {
    arguments.first { $0.label?.text == label }?.expression
  }
}

extension ExprSyntax {
  /// The text of a string literal without interpolation.
  fileprivate var stringValue: String? {
    self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
  }

  fileprivate var stringValues: [String] {
    self.as(ArrayExprSyntax.self)?.elements.compactMap { $0.expression.stringValue } ?? []
  }
}
