import CausewayInspector
import Foundation
import TestSupport
import Testing

/// Rings of programs that kill themselves.
@Suite("The ring of a killed program") struct InspectorKillTests {
  @Test func `survives kill -9 with the action that was being handled`() async throws {
    try await withDirectory { directory in
      let file = directory.appending(path: "ring")
      let probe = try SpawnedProcess(Products.executable("InspectorProbe"), [file.path])
      #expect(probe.waitForExit() == .signal(SIGKILL))
      let events = try Recording(ring: Data(contentsOf: file)).events
      #expect(events.filter(\.isStep).count == 50)
      #expect(events.last(where: \.isStep)?.changes?.first?.after == "\(50 * 51 / 2)")
      #expect(events.last?.kind == .handling && events.last?.value == #".crash(reason: "now")"#)
    }
  }

  @Test func `gives a test, even if the first handler has ended the program`() async throws {
    try await withDirectory { directory in
      let file = directory.appending(path: "ring")
      let probe = try SpawnedProcess(Products.executable("InspectorProbe"), [file.path, "first"])
      #expect(probe.waitForExit() == .signal(SIGKILL))
      let recording = try Recording(ring: Data(contentsOf: file))
      #expect(recording.events.map(\.kind) == [.model, .handling])
      let text = try TestScript(recording, .init()).text
      #expect(text.contains("ScriptedRun(Counter())"))
      #expect(text.contains(#"run.send(.crash(reason: "now"))"#))
    }
  }
}

/// The programs that were built with these tests.
enum Products {
  static func executable(_ name: String) -> URL {
    let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }
    let folders =
      bundles.map { $0.bundleURL.deletingLastPathComponent() }
      + [Bundle.main.executableURL, Bundle.main.bundleURL].compactMap { $0 }
      .flatMap { [$0, $0.deletingLastPathComponent()] }
    let files = folders.map { $0.appending(path: name) }
    return files.first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? files[0]
  }
}
