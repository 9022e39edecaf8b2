import Foundation

/// Why the system has refused to read or write a file, as a sentence.
///
/// Foundation's own text on Linux names only the domain and the number of an error.
enum SystemReason {
  static func of(_ error: any Error) -> String {
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    if cause.domain == NSPOSIXErrorDomain {
      return String(cString: strerror(CInt(truncatingIfNeeded: cause.code))) + "."
    }
    return cause.code == CocoaError.Code.fileReadUnknown.rawValue
      ? "It is no file, or the disk has a problem." : "The system has refused it."
  }
}
