import Foundation

/// The toolchain to which the first `swiftc` on the PATH belongs.
enum Toolchain {
  /// The compiler, without symbolic links; nil if the PATH has none.
  static var compiler: URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    for folder in folders {
      let compiler = URL(fileURLWithPath: folder + "/swiftc")
      if FileManager.default.isExecutableFile(atPath: compiler.path) {
        return compiler.resolvingSymlinksInPath()
      }
    }
    return nil
  }
}
