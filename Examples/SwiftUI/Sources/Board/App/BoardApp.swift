import Foundation
import Observation
import SwiftUI

#if os(macOS)
  import AppKit
#endif

/// Harbor on this device.
///
/// It synchronises with the server in `HARBOR_SERVER`, and works without it.
@main
struct BoardApp: App {
  @State private var launch = Launch {
    .onDisk(
      Self.directory,
      server: ProcessInfo.processInfo.environment["HARBOR_SERVER"] ?? "http://127.0.0.1:8081")
  }

  init() {
    #if os(macOS)
      // `swift run` starts a program without a bundle. Otherwise the terminal gets what is typed.
      NSApplication.shared.setActivationPolicy(.regular)
      NSApplication.shared.activate()
    #endif
  }

  private static var directory: String {
    let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    return (folders.first ?? .temporaryDirectory).appending(path: "Harbor").path
  }

  var body: some Scene {
    WindowGroup("Harbor") { RootView(launch: launch) }
  }
}

/// The start of the app, which opens one device for all windows.
///
/// A second device would send the same changes, because its outbox would have the same database.
@MainActor @Observable final class Launch {
  private(set) var device: Device?
  private(set) var problem: String?
  private let environment: () -> Device.Environment
  private var hasBegun = false

  init(_ environment: @escaping () -> Device.Environment) { self.environment = environment }

  /// Opens the device, unless another window has already begun to open it.
  func open() async {
    if hasBegun { return }
    hasBegun = true
    // The device is still opened if the first window is closed meanwhile.
    let opening = Task { [environment] in try await Device.open(environment()) }
    do {
      device = try await opening.value
    } catch {
      problem = "The board could not be opened: \(error.localizedDescription)"
    }
  }
}

/// Opens the device, then shows its screens.
struct RootView: View {
  let launch: Launch
  @Environment(\.scenePhase) private var scenePhase

  var body: some View {
    if let device = launch.device, let model = device.model {
      AppView(model: model)
        .environment(device)
        .onChange(of: scenePhase) {
          // After this, the system can end the process at any time.
          if scenePhase == .background { Task { await device.save() } }
        }
    } else if let problem = launch.problem {
      Text(problem)
    } else {
      ProgressView("Opening the board")
        .task { await launch.open() }
    }
  }
}
