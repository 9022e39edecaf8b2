import Testing

@testable import causeway

struct ObservableIsolationTests {
  private static func fixture(_ name: String, _ code: String) -> Fixture {
    Fixture(ObservableIsolation.self, name, code) { $0.languageMode = 5 }
  }

  static let fixtures = [
    fixture(
      "async code writes state of the UI",
      """
      import SwiftUI
      final class 1️⃣Feed: ObservableObject {
        @Published var items: [Int] = []
        func refresh() async { items = await load() }
      }
      @Observable class 2️⃣Profile {
        var name = ""
        func load() { Task { self.name = await fetch() } }
      }
      @Observable class 3️⃣Counter {
        private(set) var counts = [0]
        func add() { Task.detached { self.counts[0] += 1 } }
      }
      """),
    fixture(
      "a class with published properties and no conformance",
      """
      import Combine
      import UIKit
      final class 1️⃣Connectivity {
        @Published var cards: [String] = []
        private func start() async {
          cards.append("running")
          cards[0] = await check()
        }
      }
      final class 2️⃣Appending {
        @Published var cards: [String] = []
        func start() async { cards.append(await check()) }
      }
      final class Plain {
        var cards: [String] = []
        func start() async { cards.append(await check()) }
      }
      final class Reading {
        @Published var cards: [String] = []
        func start() async { print(cards.filter { $0.isEmpty }) }
      }
      @MainActor final class Isolated {
        @Published var cards: [String] = []
        func start() async { cards.append(await check()) }
      }
      """),
    fixture(
      "private state that the UI reads through another property",
      """
      import SwiftUI
      @Observable class 1️⃣Feed {
        private var storage: [Int] = []
        var items: [Int] { storage }
        func refresh() async { storage = await load() }
      }
      @Observable class Hidden {
        private var storage: [Int] = []
        @MainActor var items: [Int] { storage }
        private var count: Int { storage.count }
        func refresh() async { storage = await load() }
      }
      """),
    fixture(
      "classes that a protocol of WatchKit isolates",
      """
      import WatchKit
      import SwiftUI
      final class Delegate: NSObject, WKApplicationDelegate, ObservableObject {
        @Published var services: [Int] = []
        func setUp() { Task { self.services = await load() } }
      }
      """),
    fixture(
      "classes without async code",
      """
      import SwiftUI
      final class Feed: ObservableObject {
        @Published var items: [Int] = []
        func add(_ item: Int) { items.append(item) }
      }
      @Observable class Profile { var name = "" }
      """),
    fixture(
      "async code that writes on the main actor",
      """
      import SwiftUI
      final class Feed: ObservableObject {
        @Published var items: [Int] = []
        @MainActor func refresh() async { items = await load() }
        func reload() async {
          let new = await load()
          await MainActor.run { self.items = new }
          DispatchQueue.main.async { self.items = new }
          Task { @MainActor in self.items = new }
        }
      }
      """),
    fixture(
      "async code that writes other variables",
      """
      import SwiftUI
      final class Feed: ObservableObject {
        @Published var items: [Int] = []
        var cache: [Int] = []
        func reload() async {
          var items: [Int] = []
          items = await load()
          items[0] = 1
          cache = items
        }
      }
      """),
    fixture(
      "a callback whose thread is unknown",
      """
      import SwiftUI
      final class Feed: ObservableObject {
        @Published var items: [Int] = []
        func refresh() { service.load { self.items = $0 } }
      }
      """),
    fixture(
      "a main-actor class",
      """
      import SwiftUI
      @MainActor final class Feed: ObservableObject {
        @Published var items: [Int] = []
        func refresh() async { items = await load() }
      }
      """),
    Fixture(
      ObservableIsolation.self, "Swift 6 mode, where the compiler reports the race",
      """
      import SwiftUI
      final class Feed: ObservableObject {
        @Published var items: [Int] = []
        func refresh() async { items = await load() }
      }
      """),
    Fixture(
      ObservableIsolation.self, "code that runs on the actor of its caller",
      """
      import SwiftUI
      final class Feed: ObservableObject {
        @Published var items: [Int] = []
        func refresh() async { items = await load() }
      }
      """
    ) {
      $0.languageMode = 5
      $0.upcomingFeatures = ["NonisolatedNonsendingByDefault"]
    },
    Fixture(
      ObservableIsolation.self, "default isolation",
      """
      import SwiftUI
      final class Feed: ObservableObject {
        @Published var items: [Int] = []
        func refresh() async { items = await load() }
      }
      """
    ) {
      $0.languageMode = 5
      $0.defaultIsolation = .mainActor
    },
    fixture(
      "no file uses the UI",
      """
      final class Feed: ObservableObject {
        @Published var items: [Int] = []
        func refresh() async { items = await load() }
      }
      """),
    fixture(
      "isolated properties, and state behind a lock",
      """
      import SwiftUI
      @Observable class Feed {
        @MainActor var items: [Int] = []
        @ObservationIgnored var x = 1
        func refresh() async { x = await load() }
      }
      @Observable class Store {
        private let lock = NSLock()
        var items: [Int] = []
        func refresh() async { lock.withLock { items = [] } }
      }
      """),
    fixture(
      "explicitly nonisolated",
      """
      import SwiftUI
      nonisolated final class Feed: ObservableObject {
        @Published var x = 1
        func refresh() async { x = await load() }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `observable-isolation reports at the markers`(fixture: Fixture) { fixture.verify() }
}
