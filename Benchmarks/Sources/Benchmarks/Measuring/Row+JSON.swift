import Foundation

extension Row {
  /// Writes rows to a file.
  ///
  /// The file keeps the rows of other benchmarks.
  static func write(_ rows: [Row], to file: URL) throws {
    let names = Set(rows.map(\.name))
    var all: [Row] = []
    if let data = try? Data(contentsOf: file) {
      all = try JSONDecoder().decode([Row].self, from: data).filter { !names.contains($0.name) }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(all + rows).write(to: file, options: .atomic)
  }
}
