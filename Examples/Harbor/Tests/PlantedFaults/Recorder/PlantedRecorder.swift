import CausewayInspector
import Foundation
import PlantedFaults

/// Plays the session of one fault, with a ring; without arguments, prints the features of all.
@main
struct PlantedRecorder {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let fault = Int(arguments[1]).flatMap(Fault.init) else {
      for fault in Fault.allCases {
        print("\(fault.rawValue)\t\(fault.isCrash ? "crash" : "state")\t\(fault.expression)")
      }
      return
    }
    let inspector = try Inspector(ringFile: arguments[2])
    await fault.play(watchedBy: inspector)
    await inspector.stop()
  }
}
