import Foundation

// Usage: fuzz events|rows|harbor [option of libFuzzer]... [folder with inputs]...

let targets: [String: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt] = [
  "events": { bytes, count in
    checkEventStream(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  },
  "rows": { bytes, count in
    checkRows(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  },
  "harbor": { bytes, count in
    checkHarbor(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  },
]

guard CommandLine.arguments.count > 1, let target = targets[CommandLine.arguments[1]] else {
  print("Usage: fuzz events|rows|harbor [option of libFuzzer]... [folder with inputs]...")
  exit(2)
}

// libFuzzer gets the arguments without the target's name. It runs on a thread of its own, because the
// main thread runs the code of the main actor.
let kept = [CommandLine.arguments[0]] + CommandLine.arguments[2...]
let fuzzing = Thread { runFuzzer(target, kept) }
fuzzing.stackSize = 64 << 20
fuzzing.start()
dispatchMain()
