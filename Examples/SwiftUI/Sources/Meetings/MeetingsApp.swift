import Causeway
import CausewayHTTP
import CausewaySQLite
import Foundation
import Observation
import SwiftUI

#if os(macOS)
  import AppKit
#endif

private let environment = ProcessInfo.processInfo.environment

typealias ListModel = ViewModel<MeetingList.State, MeetingList.Action>

/// The app, in which each window has a view model, and all of them share the meetings.
@main struct MeetingsApp: App {
  @State private var launch = Launch()

  init() {
    #if os(macOS)
      // `swift run` starts a program without a bundle. Otherwise the terminal gets what is typed.
      NSApplication.shared.setActivationPolicy(.regular)
      NSApplication.shared.activate()
    #endif
  }

  var body: some Scene {
    WindowGroup("Meetings") { WindowView(launch: launch) }
  }
}

/// The parts that all windows share; they are opened once.
@MainActor @Observable final class Launch {
  private(set) var parts: Parts?
  private(set) var problem: String?
  private var hasBegun = false

  @MainActor struct Parts {
    let kept: KeptMeetings
    let archive: any RecordingArchive
    /// An app for a device with a microphone puts its library here.
    let transcriber: any Transcriber = ListeningTranscriber(library: SampleSpeech())

    func makeModel() -> ListModel {
      ViewModel(
        MeetingList(meetings: kept.shared).providing(.archive, archive)
          .providing(.transcriber, transcriber),
        observer: .merge(
          .systemLog("meetings", subsystem: "com.example.meetings"),
          environment["MEETINGS_CHANGES"] == nil ? nil : .printChanges("meetings")))
    }
  }

  func open() async {
    if hasBegun { return }
    hasBegun = true
    do {
      let folders = FileManager.default.urls(
        for: .applicationSupportDirectory, in: .userDomainMask)
      let folder = (folders.first ?? .temporaryDirectory).appending(path: "Meetings")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      guard let url = URL(string: environment["MEETINGS_ARCHIVE"] ?? "http://127.0.0.1:8090") else {
        problem = "MEETINGS_ARCHIVE is not an address."
        return
      }
      parts = Parts(
        kept: try await KeptMeetings.open(
          in: SQLiteService(
            path: folder.appending(path: "meetings.sqlite").path,
            migrations: KeptMeetings.migrations)),
        archive: ServerArchive(
          network: HTTPNetworkService(.init(address: url)),
          store: try await SQLiteService(
            path: folder.appending(path: "recordings.sqlite").path,
            migrations: ServerArchive.migrations)))
    } catch {
      problem = error.localizedDescription
    }
  }
}

struct WindowView: View {
  let launch: Launch
  @State private var model: ListModel?
  @Environment(\.scenePhase) private var scenePhase

  var body: some View {
    if let model {
      MeetingListView(model: model)
        .onOpenURL { model.send(.visit($0.path)) }
        .onChange(of: scenePhase) {
          // After this, the system can end the process at any time.
          if scenePhase == .background { Task { try? await launch.parts?.kept.save() } }
        }
    } else if let problem = launch.problem {
      Text(problem)
    } else {
      ProgressView("Opening the meetings")
        .task {
          await launch.open()
          model = launch.parts?.makeModel()
        }
    }
  }
}

/// The list with sample meetings, in memory and without a server.
struct MeetingListView_Previews: PreviewProvider {
  static var previews: some View {
    MeetingListView(model: ViewModel(MeetingList(meetings: SharedValue(.samples))))
  }
}
