import Foundation
import SwiftUI

/// Harbor on this device.
///
/// It synchronises with the server in `HARBOR_SERVER`, and works without it.
@main
struct BoardApp: App {
  private static var directory: String {
    let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    return (folders.first ?? .temporaryDirectory).appending(path: "Harbor").path
  }

  var body: some Scene {
    WindowGroup("Harbor") {
      RootView {
        .onDisk(
          Self.directory,
          server: ProcessInfo.processInfo.environment["HARBOR_SERVER"] ?? "http://127.0.0.1:8081")
      }
    }
  }
}

/// Opens the device, then shows its screens.
struct RootView: View {
  let environment: () -> Device.Environment
  @State private var device: Device?
  @State private var problem: String?
  @Environment(\.scenePhase) private var scenePhase

  var body: some View {
    if let device, let model = device.model {
      AppView(model: model)
        .environment(device)
        .onChange(of: scenePhase) {
          // After this, the system can end the process at any time.
          if scenePhase == .background { Task { await device.save() } }
        }
    } else if let problem {
      Text(problem)
    } else {
      ProgressView("Opening the board")
        .task { await open() }
    }
  }

  private func open() async {
    do {
      device = try await Device.open(environment())
    } catch {
      problem = "The board could not be opened: \(error.localizedDescription)"
    }
  }
}
