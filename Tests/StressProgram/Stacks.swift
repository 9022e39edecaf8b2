import Foundation

/// The stacks of all threads of a process.
///
/// gdb reads them, because it needs nothing from a process that makes no progress.
enum Stacks {
  static func text(of process: Int32) -> String {
    let command = """
      gdb -p \(process) -batch -ex 'set print frame-arguments none' -ex 'thread apply all bt 40' \
      2>&1 | grep -E '^(Thread|#)|ptrace' | swift demangle --simplified
      """
    let gdb = Process()
    let output = Pipe()
    gdb.executableURL = URL(fileURLWithPath: "/bin/sh")
    gdb.arguments = ["-c", command]
    gdb.standardOutput = output
    do { try gdb.run() } catch { return "stress: no stacks, because gdb did not start: \(error)" }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    return "stress: the stacks of process \(process):\n" + String(decoding: bytes, as: UTF8.self)
  }
}
