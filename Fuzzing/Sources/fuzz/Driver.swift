import CLibFuzzer
import Foundation

/// Runs libFuzzer with its arguments until it ends the process.
func runFuzzer(
  _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt, _ texts: [String]
) -> Never {
  let arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
    capacity: texts.count + 1)
  for (index, text) in texts.enumerated() { arguments[index] = strdup(text) }
  arguments[texts.count] = nil
  var count = CInt(texts.count)
  var pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = arguments
  exit(LLVMFuzzerRunDriver(&count, &pointer, target))
}
