import Foundation

/// Earlier outputs of `causeway check`, in `.build/causeway` of the current folder.
///
/// An earlier output is used if nothing that it depends on has changed: the contents of all files,
/// their settings, the arguments, the baseline and the program itself. Otherwise the changed
/// modules are checked again, because rules look at the whole module; see `ModuleCache` and
/// `IncrementalCheck`.
struct ReportCache {
  /// The output of a run and its exit status.
  struct Entry: Equatable {
    let status: Int32
    let output: String
  }

  /// The number of outputs that are kept, for different paths and options.
  private let capacity: Int
  /// The largest output that is kept, in bytes.
  private let longest: Int
  private let folder: URL
  private let key: String

  /// - Parameters:
  ///   - words: Everything else that the output depends on.
  ///   - contents: The contents of the files, by path.
  init(
    folder: URL = URL(fileURLWithPath: ".build/causeway"), capacity: Int = 16,
    longest: Int = 4 << 20, words: [String], modules: [SourceFinder.Module],
    contents: Check.Contents
  ) {
    self.folder = folder
    self.capacity = capacity
    self.longest = longest
    var digest = ContentDigest()
    for word in words { digest.add(Data(word.utf8)) }
    for module in modules {
      digest.add(Data("\(module.name) \(module.settings.stableText)".utf8))
      for path in module.paths {
        digest.add(Data(path.utf8))
        // A file that cannot be read differs from an empty file.
        digest.add(Data((contents[path]?.digest ?? "unread").utf8))
      }
    }
    key = digest.text
  }

  private var file: URL { folder.appendingPathComponent(key) }

  /// The output of an earlier run; `nil` if there is none, or if its file is damaged.
  func entry() -> Entry? {
    guard let data = FileManager.default.contents(atPath: file.path),
      let text = String(validating: data, as: UTF8.self), let end = text.firstIndex(of: "\n")
    else { return nil }
    guard let status = text.split(separator: " ").first.flatMap({ Int32($0) }) else { return nil }
    let entry = Entry(status: status, output: String(text[text.index(after: end)...]))
    return ReportCache.text(of: entry) == text ? entry : nil
  }

  /// The content of the file of an output: a line with the status and a digest, and the output.
  static func text(of entry: Entry) -> String {
    var digest = ContentDigest()
    digest.add(Data("\(entry.status)".utf8))
    digest.add(Data(entry.output.utf8))
    return "\(entry.status) \(digest.text)\n\(entry.output)"
  }

  /// The data of an earlier run; `nil` if there are none, or if their file is damaged.
  func data() -> Data? {
    guard let stored = FileManager.default.contents(atPath: file.path),
      stored.starts(with: Data(ReportCache.digest(of: stored.dropFirst(32)).utf8))
    else { return nil }
    return Data(stored.dropFirst(32))
  }

  private static func digest(of data: Data) -> String {
    var digest = ContentDigest()
    digest.add(data)
    return digest.text
  }

  /// Stores data; does nothing if it is too large, or if the folder cannot be written.
  func write(_ data: Data) { replace(with: Data(ReportCache.digest(of: data).utf8) + data) }

  /// Stores an output, and removes the oldest ones.
  func store(_ entry: Entry) {
    write(entry)
    removeOldest()
  }

  /// Stores an output; does nothing if the output is large, or if the folder cannot be written.
  func write(_ entry: Entry) { replace(with: Data(ReportCache.text(of: entry).utf8)) }

  private func replace(with data: Data) {
    let files = FileManager.default
    guard data.count <= longest else { return }
    do {
      try files.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("*\n".utf8).write(to: folder.appendingPathComponent(".gitignore"))
      try data.write(to: file, options: .atomic)
    } catch {}
  }

  /// Removes the oldest outputs beyond the capacity.
  func removeOldest() {
    let files = FileManager.default
    let date = URLResourceKey.contentModificationDateKey
    let entries =
      (try? files.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: [date], options: .skipsHiddenFiles)) ?? []
    let byAge = entries.map { entry in
      (entry, (try? entry.resourceValues(forKeys: [date]).contentModificationDate) ?? .distantPast)
    }.sorted { $0.1 > $1.1 }
    for (old, _) in byAge.dropFirst(capacity) { try? files.removeItem(at: old) }
  }

  /// The running program and its toolchain, by their sizes and the times of their last change.
  ///
  /// The program uses the parser of the toolchain.
  static var program: String {
    let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
    return ([program] + [Toolchain.compiler?.path].compactMap { $0 }).map { path in
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      let changed = (attributes?[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate
      return "\(path) \(attributes?[.size] ?? "") \(changed ?? 0)"
    }.joined(separator: "\n")
  }
}

/// A digest of 128 bits; it gives no protection from forged texts.
///
/// It is FNV-1a (G. Fowler, L. Noll and K. Vo), taken eight bytes at a time with two different
/// multipliers, and finished like MurmurHash3 (A. Appleby).
struct ContentDigest {
  private var first: UInt64 = 0xcbf2_9ce4_8422_2325
  private var second: UInt64 = 0x6c62_272e_07bb_0142

  /// Adds some bytes and their number.
  mutating func add(_ data: Data) {
    data.withUnsafeBytes { bytes in
      var offset = 0
      while offset + 8 <= bytes.count {
        add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        offset += 8
      }
      var rest: UInt64 = 0
      for index in offset..<bytes.count { rest = rest << 8 | UInt64(bytes[index]) }
      add(rest)
      add(UInt64(bytes.count))
    }
  }

  private mutating func add(_ word: UInt64) {
    first = (first ^ word) &* 0x0000_0100_0000_01b3
    first ^= first >> 32
    second = (second ^ word) &* 0x9e37_79b9_7f4a_7c15
    second ^= second >> 29
  }

  /// The digest in hexadecimal digits.
  var text: String {
    [first, second].map { word in
      var mixed = (word ^ (word >> 33)) &* 0xff51_afd7_ed55_8ccd
      mixed = (mixed ^ (mixed >> 33)) &* 0xc4ce_b9fe_1a85_ec53
      let digits = String(mixed ^ (mixed >> 33), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
