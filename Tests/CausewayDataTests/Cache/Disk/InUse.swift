import CausewayData
import CausewaySystem

@testable import CausewayStores

/// Whether an error says that a file is in use by this process.
///
/// The system's list of locks can miss a lock while other locks change. Then the process is unknown.
func isInUse(_ error: any Error, _ directory: String) -> Bool {
  guard case .inUse(directory, let process)? = error as? DiskStoreError else { return false }
  return process == nil || process == getpid()
}
