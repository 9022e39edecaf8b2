import Foundation

#if os(Linux)
  var arguments = Array(CommandLine.arguments.dropFirst())
  switch arguments.first {
  case "--serve-bare"?: BareServer.run()
  case "--serve-board"?:
    let rows = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 100
    try await BoardServer.run(rows: rows, isShared: arguments.dropFirst().first == "shared")
  default:
    do {
      try LoadTable.run(arguments)
    } catch {
      // With a thrown error, the rows that were printed into a pipe would be lost.
      FileHandle.standardError.write(Data("WebBenchmarks: \(error)\n".utf8))
      exit(1)
    }
  }
#else
  print("The benchmark of the browser host runs on Linux only.")
#endif
