import Foundation

/// The steps of a reader of a tutorial, in the order of its text.
struct TutorialPlan {
  enum Action: Equatable {
    case step(Int)
    /// A Swift block with the line above it, which is its path.
    case file(path: String, text: String)
    /// The lines of an `sh` block, and the lines of the `text` block that follows it.
    case run([String], output: [String]?)
    case delete(path: String)
  }

  private(set) var actions: [Action] = []

  /// - Throws: `Failure` with the line of a block that is no file, no commands and no output.
  init(_ text: String) throws {
    var path = ""
    var kind: String?
    var block: [String] = []
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      if let opened = kind {
        if line == "```" {
          close(opened, block, path)
          (kind, block, path) = (nil, [], "")
        } else {
          block.append(line)
        }
      } else if line.hasPrefix("```") {
        let opened = String(line.dropFirst(3))
        guard ["swift", "sh", "text"].contains(opened), opened != "swift" || path != "" else {
          throw Failure("line \(index + 1): the file of this block has no name above it")
        }
        kind = opened
      } else if let number = line.prefixMatch(of: /##\ ([0-9]+)/)?.1 {
        actions.append(.step(Int(number) ?? 0))
      } else {
        if let match = line.wholeMatch(of: /`([^`]+)`:/) { path = String(match.1) }
        for match in line.matches(of: /Delete\ `([^`]+)`/) {
          actions.append(.delete(path: String(match.1)))
        }
      }
    }
  }

  private mutating func close(_ kind: String, _ block: [String], _ path: String) {
    switch kind {
    case "swift":
      actions.append(.file(path: path, text: block.map { $0 + "\n" }.joined()))
    case "sh":
      actions.append(.run(block, output: nil))
    default:
      if case .run(let commands, nil)? = actions.last {
        actions[actions.count - 1] = .run(commands, output: block)
      }
    }
  }

  /// The first line that is not in an output, or not in its place among the other lines.
  static func firstMissing(_ lines: [String], in output: [String]) -> String? {
    var rest = lines[...]
    for line in output {
      if let next = rest.first, line.contains(next) { rest.removeFirst() }
    }
    return rest.first
  }
}
