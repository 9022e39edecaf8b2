import Foundation

#if os(Linux)
  var arguments = Array(CommandLine.arguments.dropFirst())
  switch arguments.first {
  case "--serve-bare"?: BareServer.run()
  case "--serve-board"?:
    let rows = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 100
    try await BoardServer.run(rows: rows, isShared: arguments.dropFirst().first == "shared")
  default: try LoadTable.run(arguments)
  }
#else
  print("The benchmark of the browser host runs on Linux only.")
#endif
