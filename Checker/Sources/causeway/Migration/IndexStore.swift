import CIndexStore
import Foundation

/// The references in the index of a debug build.
struct IndexStore: Sendable {
  /// A place where a symbol is defined or referred to.
  struct Occurrence: Hashable, Sendable {
    let file: String
    let line: Int
    /// The column in UTF-8 bytes, from 1.
    let column: Int
  }

  /// The definition of each symbol of the indexed files, by its USR.
  private(set) var definitions: [String: Occurrence] = [:]
  /// The symbols of each reference: a type and its initializer for `Item(id: 1)`.
  private(set) var references: [Occurrence: Set<String>] = [:]
  /// The indexed files, with the time when their unit was written.
  private(set) var files: [String: Date] = [:]

  private enum Role {
    static let definition: UInt64 = 1 << 1
    static let reference: UInt64 = 1 << 2
    static let implicit: UInt64 = 1 << 8
  }

  /// The folder of the indexed files when the index was written; nil if it is their folder now.
  private(set) var oldRoot: String?

  /// Reads the units of files in a folder.
  ///
  /// If the store has no file of the folder, the folder may be a copy. In this case, the units of
  /// the files with the same paths in another folder are read.
  ///
  /// - Parameters:
  ///   - root: The folder.
  ///   - file: A file in the folder; nil if the folder was not moved.
  ///   - implicit: Whether to read references that the code does not spell.
  /// - Throws: `SourceFileError` when the toolchain's library or the store cannot be opened.
  init(
    at path: String, filesUnder root: String, including file: String? = nil,
    implicit: Bool = false
  ) throws(SourceFileError) {
    let library = try IndexLibrary()
    guard let store = library.open(path, nil) else {
      throw SourceFileError(path: path, message: "this is not an index store")
    }
    defer { library.dispose(store) }
    var reader = Reader(library: library, store: store, root: root, implicit: implicit)
    let names = Texts.collect { library.eachUnit(store, 1, $0, $1) }
    for name in names { reader.readUnit(name) }
    if let file, reader.files[file] == nil, let old = reader.otherRoot(of: file) {
      oldRoot = old
      reader = Reader(library: library, store: store, root: old, newRoot: root)
      for name in names { reader.readUnit(name) }
    }
    definitions = reader.definitions
    references = reader.references
    files = reader.files
  }

  /// The index store of a package's debug build; nil if it does not exist.
  static func path(inPackage root: String) -> String? {
    let candidates = [root + "/.build/debug/index/store", root + "/.build/index/store"]
    return candidates.first { FileManager.default.fileExists(atPath: $0) }
  }

  private struct Reader {
    let library: IndexLibrary
    let store: CIndexHandle
    let root: String
    var implicit = false
    /// The folder in which the files of the root are now.
    var newRoot: String?
    /// The indexed files of other folders.
    var elsewhere: [String: Date] = [:]
    var definitions: [String: Occurrence] = [:]
    var references: [Occurrence: Set<String>] = [:]
    var files: [String: Date] = [:]

    mutating func readUnit(_ name: String) {
      let library = library
      guard let unit = library.openUnit(store, name, nil) else { return }
      defer { library.disposeUnit(unit) }
      guard !library.isSystemUnit(unit) else { return }
      var file = library.mainFile(unit).text
      guard file.hasSuffix(".swift") else { return }
      var seconds: Int64 = 0
      var nanoseconds: Int64 = 0
      library.modificationTime(unit, &seconds, &nanoseconds)
      let date = Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9)
      guard file.hasPrefix(root + "/") else {
        elsewhere[file] = max(date, elsewhere[file] ?? .distantPast)
        return
      }
      if let newRoot { file = newRoot + file.dropFirst(root.count) }
      // A file that was built twice, for example also for tests, has two units.
      if let known = files[file], known > date { return }
      files[file] = date
      let dependencies = Handles.collect {
        library.eachDependency(unit, $0, $1)
      } read: { handle in
        (kind: library.dependencyKind(handle), name: library.dependencyName(handle).text)
      }
      let recordKind: Int32 = 2
      for dependency in dependencies where dependency.kind == recordKind {
        readRecord(dependency.name, of: file)
      }
    }

    /// The other root under which the index has this file, if the package was moved after its
    /// build.
    ///
    /// If there are several, the result is the root of the newest file. `nil` if there is none.
    func otherRoot(of file: String) -> String? {
      guard file.hasPrefix(root + "/") else { return nil }
      let relative = file.dropFirst(root.count)
      let copies = elsewhere.filter { $0.key.hasSuffix(relative) }
      return copies.max { $0.value < $1.value }.map { String($0.key.dropLast(relative.count)) }
    }

    private mutating func readRecord(_ name: String, of file: String) {
      guard let record = library.openRecord(store, name, nil) else { return }
      defer { library.disposeRecord(record) }
      let library = library
      let occurrences = Handles.collect {
        library.eachOccurrence(record, $0, $1)
      } read: { handle in
        var line: UInt32 = 0
        var column: UInt32 = 0
        library.place(handle, &line, &column)
        return (
          roles: library.roles(handle), usr: library.usr(library.symbol(handle)).text,
          place: Occurrence(file: file, line: Int(line), column: Int(column))
        )
      }
      for occurrence in occurrences where implicit || occurrence.roles & Role.implicit == 0 {
        if occurrence.roles & Role.definition != 0 {
          definitions[occurrence.usr] = occurrence.place
        } else if occurrence.roles & Role.reference != 0 {
          references[occurrence.place, default: []].insert(occurrence.usr)
        }
      }
    }
  }
}

/// The functions of the toolchain's libIndexStore.
private struct IndexLibrary {
  let open: CIndexOpen
  let dispose: CIndexDispose
  let eachUnit: CIndexEachUnit
  let openUnit: CIndexOpenNamed
  let disposeUnit: CIndexDispose
  let isSystemUnit: CIndexFlag
  let mainFile: CIndexText
  let modificationTime: CIndexTime
  let eachDependency: CIndexEach
  let dependencyKind: CIndexKind
  let dependencyName: CIndexText
  let openRecord: CIndexOpenNamed
  let disposeRecord: CIndexDispose
  let eachOccurrence: CIndexEach
  let place: CIndexPlace
  let roles: CIndexBits
  let symbol: CIndexPart
  let usr: CIndexText

  init() throws(SourceFileError) {
    let path = try IndexLibrary.path()
    guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      throw SourceFileError(path: path, message: "the toolchain's index library cannot be loaded")
    }
    func function<Function>(_ name: String, _ type: Function.Type) throws(SourceFileError)
      -> Function
    {
      guard let symbol = dlsym(library, "indexstore_" + name) else {
        throw SourceFileError(path: path, message: "the library has no function \(name)")
      }
      return unsafeBitCast(symbol, to: type)
    }
    open = try function("store_create", CIndexOpen.self)
    dispose = try function("store_dispose", CIndexDispose.self)
    eachUnit = try function("store_units_apply_f", CIndexEachUnit.self)
    openUnit = try function("unit_reader_create", CIndexOpenNamed.self)
    disposeUnit = try function("unit_reader_dispose", CIndexDispose.self)
    isSystemUnit = try function("unit_reader_is_system_unit", CIndexFlag.self)
    mainFile = try function("unit_reader_get_main_file", CIndexText.self)
    modificationTime = try function("unit_reader_get_modification_time", CIndexTime.self)
    eachDependency = try function("unit_reader_dependencies_apply_f", CIndexEach.self)
    dependencyKind = try function("unit_dependency_get_kind", CIndexKind.self)
    dependencyName = try function("unit_dependency_get_name", CIndexText.self)
    openRecord = try function("record_reader_create", CIndexOpenNamed.self)
    disposeRecord = try function("record_reader_dispose", CIndexDispose.self)
    eachOccurrence = try function("record_reader_occurrences_apply_f", CIndexEach.self)
    place = try function("occurrence_get_line_col", CIndexPlace.self)
    roles = try function("occurrence_get_roles", CIndexBits.self)
    symbol = try function("occurrence_get_symbol", CIndexPart.self)
    usr = try function("symbol_get_usr", CIndexText.self)
  }

  /// The path of the library of the first compiler on the PATH.
  private static func path() throws(SourceFileError) -> String {
    for name in ["libIndexStore.so", "libIndexStore.dylib"] {
      guard let compiler = Toolchain.compiler else { break }
      let path = compiler.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("lib/" + name).path
      if FileManager.default.fileExists(atPath: path) { return path }
    }
    throw SourceFileError(path: "libIndexStore", message: "the toolchain has no index library")
  }
}

extension CIndexString {
  fileprivate var text: String {
    guard let data else { return "" }
    let bytes = UnsafeRawBufferPointer(start: data, count: length)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Collects the texts that a C function visits.
private final class Texts {
  private var texts: [String] = []

  static func collect(_ visit: (UnsafeMutableRawPointer, CIndexVisitString) -> Bool) -> [String] {
    let collector = Texts()
    _ = visit(Unmanaged.passUnretained(collector).toOpaque()) { context, text in
      if let context {
        Unmanaged<Texts>.fromOpaque(context).takeUnretainedValue().texts.append(text.text)
      }
      return true
    }
    return collector.texts
  }
}

/// Collects values from the handles that a C function visits.
///
/// A handle is valid only during the visit.
private final class Handles {
  private let read: (CIndexHandle) -> Void

  private init(_ read: @escaping (CIndexHandle) -> Void) { self.read = read }

  static func collect<Value>(
    _ visit: (UnsafeMutableRawPointer, CIndexVisitHandle) -> Bool,
    read: @escaping (CIndexHandle) -> Value
  ) -> [Value] {
    var values: [Value] = []
    withExtendedLifetime(Handles { values.append(read($0)) }) { collector in
      _ = visit(Unmanaged.passUnretained(collector).toOpaque()) { context, handle in
        if let context {
          Unmanaged<Handles>.fromOpaque(context).takeUnretainedValue().read(handle)
        }
        return true
      }
    }
    return values
  }
}
