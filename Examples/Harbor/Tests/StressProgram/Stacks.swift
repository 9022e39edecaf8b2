import Foundation

/// The stacks of all threads and of all tasks of a process.
enum Stacks {
  static func text(of process: Int32) -> String {
    let script = Process()
    let output = Pipe()
    script.executableURL = URL(fileURLWithPath: "Scripts/stacks")
    script.arguments = ["\(process)"]
    script.standardOutput = output
    do { try script.run() } catch { return "stress: no stacks: \(error)" }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    return "stress: " + String(decoding: bytes, as: UTF8.self)
  }
}
