import Foundation

/// Runs Harbor and the data layer on all cores under random use, and watches that they go on.
///
/// The environment has the options: `STRESS_SECONDS`, `STRESS_SEED` and `STRESS_WORLD`. The exit
/// code is 0 if nothing froze and nothing was lost.
@main enum Stress {
  /// What the program does.
  enum World: String, CaseIterable {
    /// Six browsers reload five times a second, join and leave.
    case six
    /// Browsers use all of Harbor, which stops, is killed and starts again.
    case harbor
    /// Browsers use Harbor, which gets SIGTERM every few seconds.
    case stops
    /// Browsers use Harbor while they sign out and in, found groups and switch between them.
    case accounts
    /// The data layer without Harbor: sessions, live queries, caches and synced tables.
    case library
  }

  static func main() async {
    let environment = ProcessInfo.processInfo.environment
    func option(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let seconds = option("STRESS_SECONDS").flatMap(Double.init) ?? 600
    let seed = option("STRESS_SEED").flatMap(UInt64.init) ?? UInt64.random(in: 1...999_999)
    let name = option("STRESS_WORLD")
    let worlds = name.map { [World(rawValue: $0)] } ?? World.allCases.map { $0 }
    signal(SIGPIPE, SIG_IGN)
    print("stress: seed \(seed)")
    for world in worlds {
      guard let world else {
        let names = World.allCases.map(\.rawValue).joined(separator: ", ")
        print("stress: WORLD must be one of \(names), not \"\(name ?? "")\"")
        exit(2)
      }
      let watchdog = Watchdog(world: world.rawValue, seed: seed)
      let length = seconds / Double(worlds.count)
      do {
        let text =
          switch world {
          case .library: try await LibraryWorld(seed, watchdog).run(seconds: length)
          default: try HarborWorld(world, seed, watchdog).run(seconds: length)
          }
        print("stress: \(world.rawValue) passed in \(Int(length)) s: \(text)")
      } catch {
        watchdog.fail("\(error)")
      }
      watchdog.stop()
    }
  }
}
