import CLibFuzzer
import Foundation

// Usage: fuzz events|rows [option of libFuzzer]... [folder with inputs]...

let targets: [String: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt] = [
  "events": { bytes, count in
    checkEventStream(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  },
  "rows": { bytes, count in
    checkRows(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  },
]

guard CommandLine.arguments.count > 1, let target = targets[CommandLine.arguments[1]] else {
  print("Usage: fuzz events|rows [option of libFuzzer]... [folder with inputs]...")
  exit(2)
}

// libFuzzer gets the arguments without the target's name.
let kept = [CommandLine.arguments[0]] + CommandLine.arguments[2...]
let arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
  capacity: kept.count + 1)
for (index, argument) in kept.enumerated() { arguments[index] = strdup(argument) }
arguments[kept.count] = nil
var count = CInt(kept.count)
var pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = arguments
exit(LLVMFuzzerRunDriver(&count, &pointer, target))
