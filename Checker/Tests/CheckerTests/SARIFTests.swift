import Foundation
import Testing

@testable import causeway

/// The part of the SARIF 2.1.0 schema for the objects that the checker writes: their properties,
/// which of them are required, and the values that they may have.
///
/// The schema allows no other properties in these objects.
private indirect enum Schema: Sendable {
  case text, flag, uri
  case number(minimum: Int)
  case oneOf([String])
  case list(Schema, minimum: Int, unique: Bool)
  case texts
  case object(required: [String], [String: Schema])

  static let level = Schema.oneOf(["none", "note", "warning", "error"])
  static let message = Schema.object(required: ["text"], ["text": .text, "markdown": .text])
  static let artifact = Schema.object(required: [], ["uri": .uri, "index": .number(minimum: -1)])
  static let region = Schema.object(
    required: ["startLine"],
    [
      "startLine": .number(minimum: 1), "startColumn": .number(minimum: 1),
      "endLine": .number(minimum: 1), "endColumn": .number(minimum: 1),
    ])
  static let location = Schema.object(
    required: [],
    [
      "physicalLocation": .object(
        required: ["artifactLocation"], ["artifactLocation": artifact, "region": region])
    ])
  static let locations = Schema.list(location, minimum: 0, unique: true)
  static let rule = Schema.object(
    required: ["id"],
    [
      "id": .text, "shortDescription": message, "fullDescription": message, "help": message,
      "defaultConfiguration": .object(required: [], ["enabled": .flag, "level": level]),
    ])
  static let replacement = Schema.object(
    required: ["deletedRegion"],
    ["deletedRegion": region, "insertedContent": .object(required: [], ["text": .text])])
  static let fix = Schema.object(
    required: ["artifactChanges"],
    [
      "description": message,
      "artifactChanges": .list(
        .object(
          required: ["artifactLocation", "replacements"],
          [
            "artifactLocation": artifact,
            "replacements": .list(replacement, minimum: 1, unique: false),
          ]), minimum: 1, unique: true),
    ])
  static let result = Schema.object(
    required: ["message"],
    [
      "ruleId": .text, "ruleIndex": .number(minimum: -1), "level": level, "message": message,
      "locations": locations, "partialFingerprints": .texts,
      "fixes": .list(fix, minimum: 0, unique: true),
    ])
  static let invocation = Schema.object(
    required: ["executionSuccessful"],
    [
      "executionSuccessful": .flag,
      "toolExecutionNotifications": .list(
        .object(
          required: ["message"], ["level": level, "message": message, "locations": locations]),
        minimum: 0, unique: false),
    ])
  static let run = Schema.object(
    required: ["tool"],
    [
      "tool": .object(
        required: ["driver"],
        [
          "driver": .object(
            required: ["name"],
            [
              "name": .text, "semanticVersion": .text,
              "rules": .list(rule, minimum: 0, unique: true),
            ])
        ]), "columnKind": .oneOf(["utf16CodeUnits", "unicodeCodePoints"]),
      "invocations": .list(invocation, minimum: 0, unique: false),
      "results": .list(result, minimum: 0, unique: false),
    ])
  static let log = Schema.object(
    required: ["version", "runs"],
    [
      "$schema": .uri, "version": .oneOf(["2.1.0"]),
      "runs": .list(run, minimum: 0, unique: false),
    ])

  /// The violations in a value of `JSONSerialization`.
  func violations(in value: Any, at path: String = "") -> [String] {
    switch self {
    case .text: return value is String ? [] : ["\(path): not a string"]
    case .flag:
      // A number bridges to `Bool` too.
      return "\(value)" == "true" || "\(value)" == "false" || value is Bool
        ? [] : ["\(path): not a boolean"]
    case .uri:
      guard let text = value as? String, !text.contains(" "), URL(string: text) != nil else {
        return ["\(path): not a URI reference"]
      }
      return []
    case .number(let minimum):
      return (value as? Int).map { $0 >= minimum } == true ? [] : ["\(path): below \(minimum)"]
    case .oneOf(let names):
      return names.contains(value as? String ?? "") ? [] : ["\(path): not one of \(names)"]
    case .texts: return value is [String: String] ? [] : ["\(path): not strings"]
    case .list(let element, let minimum, let unique):
      guard let values = value as? [Any] else { return ["\(path): not an array"] }
      var found = values.count < minimum ? ["\(path): too few elements"] : []
      if unique, Set(values.map { "\($0)" }).count < values.count {
        found.append("\(path): equal elements")
      }
      return found
        + values.enumerated().flatMap { element.violations(in: $1, at: "\(path)[\($0)]") }
    case .object(let required, let properties):
      guard let object = value as? [String: Any] else { return ["\(path): not an object"] }
      let missing = required.filter { object[$0] == nil }.map { "\(path).\($0): missing" }
      return missing
        + object.flatMap { name, value in
          properties[name]?.violations(in: value, at: "\(path).\(name)")
            ?? ["\(path).\(name): not a property"]
        }
    }
  }
}

struct SARIFTests {
  private static let code = """
    @MainActor final class A {
    \t@MainActor var x = "👩‍👩‍👧"; @MainActor var y = 1
      func f() async {
        let y = await MainActor.run { 1 }
        print(y) // causeway:ignore main-actor-run
      }
    }
    """

  private func log(_ files: [SourceFile], _ rules: [any Rule.Type]) throws -> [String: Any] {
    let report = Check(rules: rules, jobs: 1, progress: { _, _ in })
      .run([.init(settings: BuildSettings(), files: files)])
    let data = Data(try SARIFOutput.render(report, rules: rules).utf8)
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func `Findings, fixes and problems follow the schema`() throws {
    let log = try log(
      [
        SourceFile(path: "Sources/My App/A,b ü.swift", text: SARIFTests.code),
        SourceFile(path: "/tmp/Broken #1.swift", text: "func f( {}"),
      ], RuleSet.all)
    #expect(Schema.log.violations(in: log) == [])
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count == 3)
    #expect(results.contains { $0["fixes"] != nil } && results.contains { $0["fixes"] == nil })
    let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
    #expect(invocation["executionSuccessful"] as? Bool == false)
    let notifications = invocation["toolExecutionNotifications"] as? [[String: Any]]
    #expect(
      Set(notifications?.compactMap { $0["level"] as? String } ?? []) == ["error", "warning"])
  }

  @Test func `A clean run follows the schema`() throws {
    let log = try log([SourceFile(path: "A.swift", text: "let a = 1\n")], RuleSet.all)
    #expect(Schema.log.violations(in: log) == [])
  }

  @Test func `The rule index of a result is the index of its rule`() throws {
    let log = try log([SourceFile(path: "A.swift", text: SARIFTests.code)], RuleSet.all)
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    let rules = try #require(driver["rules"] as? [[String: Any]])
    #expect(Set(rules.compactMap { $0["id"] as? String }).count == RuleSet.all.count)
    for rule in rules {
      for key in ["shortDescription", "fullDescription", "help"] {
        #expect(((rule[key] as? [String: Any])?["text"] as? String)?.isEmpty == false)
      }
    }
    for result in try #require(run["results"] as? [[String: Any]]) {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
    }
  }

  @Test func `The schema check finds each kind of violation`() throws {
    var log = try log([SourceFile(path: "A.swift", text: "let a = 1\n")], RuleSet.all)
    log["extra"] = 1
    log["version"] = "2.0.0"
    log["runs"] = [["columnKind": 3, "invocations": [["executionSuccessful": "yes"]]]]
    #expect(
      Set(Schema.log.violations(in: log)) == [
        ".extra: not a property", ".version: not one of [\"2.1.0\"]",
        ".runs[0].tool: missing",
        ".runs[0].columnKind: not one of [\"utf16CodeUnits\", \"unicodeCodePoints\"]",
        ".runs[0].invocations[0].executionSuccessful: not a boolean",
      ])
    #expect(!Schema.region.violations(in: ["startLine": 0]).isEmpty)
    #expect(!Schema.artifact.violations(in: ["uri": "My App.swift"]).isEmpty)
    #expect(!Schema.fix.violations(in: ["artifactChanges": [Any]()]).isEmpty)
    #expect(!Schema.locations.violations(in: [["a": 1], ["a": 1]]).isEmpty)
  }
}
