import CSimulatedSystem
import CausewaySystem
import Synchronization

/// A function in which a suspended task waits, and the stacks of threads.
package struct WaitingPlace {
  /// The name as in the source, with its module, parameters and result.
  let function: String
  /// The file and the line at which the task continues; `nil` without debug information.
  let line: String?

  /// The functions that a suspended task continues with, and their lines, the innermost first.
  package static func functions(of task: Task<Void, Never>, count: Int = 2) -> [String] {
    all(of: task, count: count).map { $0.function + ($0.line.map { " at \($0)" } ?? "") }
  }

  /// The functions that a suspended task continues with, the innermost first.
  ///
  /// It reads the layout of the runtime's tasks on Linux: the function that the task calls when it is
  /// resumed, and then the chain of its callers. Functions of the standard library and of Foundation
  /// are left out.
  ///
  /// - Parameter task: A task that has not ended and does not run.
  static func all(of task: Task<Void, Never>, count: Int = 2) -> [WaitingPlace] {
    guard TaskMemory.isKnown else { return [] }
    let task = unsafeBitCast(task, to: UnsafeRawPointer.self)
    var context = task.load(fromByteOffset: 64, as: UnsafeRawPointer?.self)
    let hop = causeway_function_after_hop(context)
    let first = hop == 0 ? task.load(fromByteOffset: 56, as: UInt.self) : UInt(hop)
    // With another layout, this is not the address of a function.
    guard let name = symbol(at: first) else { return [] }
    var places = [(name: name, address: first)]
    for _ in 0..<32 {
      guard let current = context else { break }
      let address = current.load(fromByteOffset: 8, as: UInt.self)
      guard let name = symbol(at: address) else { break }
      places.append((name, address))
      context = current.load(as: UnsafeRawPointer?.self)
    }
    return places.lazy.filter { isOfProgram($0.name) }.prefix(count).map {
      WaitingPlace(function: demangle($0.name), line: line(at: $0.address))
    }
  }

  /// Whether a mangled name belongs neither to the standard library nor to the simulation.
  private static func isOfProgram(_ name: String) -> Bool {
    guard name.hasPrefix("$s") else { return false }
    let ending = name.dropFirst(2)
    return ending.first != "s" && !ending.hasPrefix("Sc")
      && ![
        "18CausewaySimulation", "19CausewayExploration", "12CausewayData6Waiter", "10Foundation",
        "20FoundationEssentials",
        "20FoundationNetworking", "12_Concurrency", "7Testing",
      ].contains { ending.hasPrefix($0) }
  }

  /// Describes the function that a return address is in; `nil` if it does not belong to the
  /// program.
  static func function(at address: UnsafeRawPointer) -> String? {
    let call = UInt(bitPattern: address) - 1
    guard let name = symbol(at: call), isOfProgram(name) else { return nil }
    return FunctionName.short(demangle(name)) + (line(at: call).map { " at \($0)" } ?? "")
  }

  /// The stack of another thread, a line for each call; empty if it cannot be read.
  static func stack(of thread: pthread_t) -> [String] {
    var addresses = [UnsafeMutableRawPointer?](repeating: nil, count: 64)
    let count = causeway_stack(thread, &addresses, Int32(addresses.count))
    return addresses.prefix(Int(count)).map { address in
      // The address belongs to the next instruction, maybe in the next function.
      let call = UInt(bitPattern: address) - 1
      return (symbol(at: call).map(demangle) ?? "\(address.debugDescription)")
        + (line(at: call).map { " at \($0)" } ?? "")
    }
  }

  /// The names of addresses; `nil` for an address without a name.
  ///
  /// A search for a name reads the whole table of a program.
  private static let names = Mutex<[UInt: String?]>([:])

  private static func symbol(at address: UInt) -> String? {
    if let known: String? = names.withLock({ $0[address] }) { return known }
    let name = findSymbol(at: address)
    names.withLock { $0[address] = .some(name) }
    return name
  }

  /// The lines of addresses; `nil` for an address without a line.
  private static let lines = Mutex<[UInt: String?]>([:])

  private static func line(at address: UInt) -> String? {
    if let known: String? = lines.withLock({ $0[address] }) { return known }
    let line = findLine(at: address)
    lines.withLock { $0[address] = .some(line) }
    return line
  }

  private static func findLine(at address: UInt) -> String? {
    guard let address = UnsafeRawPointer(bitPattern: address) else { return nil }
    var bytes = [CChar](repeating: 0, count: 256)
    let line = causeway_line(address, &bytes, bytes.count)
    let file = String(
      decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // Code that a macro or the compiler has written has no line in the source.
    guard line > 0, file.hasSuffix(".swift"), !file.hasPrefix("@") else { return nil }
    return "\(file):\(line)"
  }

  private static func findSymbol(at address: UInt) -> String? {
    guard let address = UnsafeRawPointer(bitPattern: address) else { return nil }
    var name = [CChar](repeating: 0, count: 4_096)
    let length = causeway_symbol(address, &name, name.count)
    guard length > 0 else { return nil }
    return String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns the name of the whole function as in the source, even if the name is for a part of it.
  private static func demangle(_ name: String) -> String {
    guard let text = swiftDemangle(name, UInt(name.utf8.count), nil, nil, 0) else { return name }
    defer { free(text) }
    let demangled = String(cString: text)
    guard let range = demangled.firstRange(of: " partial function for ") else { return demangled }
    return String(demangled[range.upperBound...])
  }
}

/// Returns a demangled name, which the caller frees; `nil` for a name of another language.
@_silgen_name("swift_demangle")
private func swiftDemangle(
  _ name: UnsafePointer<CChar>?, _ length: UInt, _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: UnsafeMutablePointer<UInt>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
