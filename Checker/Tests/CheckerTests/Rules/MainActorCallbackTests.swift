import Testing

@testable import causeway

struct MainActorCallbackTests {
  static let fixtures = [
    Fixture(
      MainActorCallback.self, "a local constant with the name of a property",
      """
      @MainActor final class Pressure {
        var timer: (any DispatchSourceTimer)?
        func own() {
          let timer = DispatchSource.makeTimerSource(queue: .global())
          1️⃣timer.setEventHandler { self.hit() }
          self.timer = timer
        }
        func other() {
          let source = DispatchSource.makeTimerSource(queue: .global())
          2️⃣source.setEventHandler { self.hit() }
          self.timer = source
        }
        func property() {
          let timer = DispatchSource.makeTimerSource(queue: .global())
          self.timer = timer
          3️⃣self.timer?.setEventHandler { self.hit() }
        }
        func main() {
          let timer = DispatchSource.makeTimerSource(queue: .main)
          timer.setEventHandler { self.hit() }
          self.timer = timer
        }
        func passed(_ timer: any DispatchSourceTimer) {
          timer.setEventHandler { self.hit() }
          self.timer = timer
        }
        func passedProperty(timer: any DispatchSourceTimer) {
          self.timer = timer
          self.timer?.setEventHandler { self.hit() }
        }
      }
      """),
    Fixture(
      MainActorCallback.self, "launch handlers and dispatch sources",
      """
      @MainActor final class Scheduler {
        private let work = DispatchQueue(label: "work")
        private var signal: (any DispatchSourceSignal)?
        func register() {
          1️⃣BGTaskScheduler.shared.register(forTaskWithIdentifier: "a", using: nil) { self.run($0) }
          2️⃣BGTaskScheduler.shared.register(forTaskWithIdentifier: "b", using: work) { self.run($0) }
          let timer = DispatchSource.makeTimerSource()
          3️⃣timer.setEventHandler { self.tick() }
          signal = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
          4️⃣signal?.setEventHandler { self.stop() }
          let file = DispatchSource.makeFileSystemObjectSource(
            fileDescriptor: 1, eventMask: .write, queue: work)
          5️⃣file.setCancelHandler { self.stop() }
        }
      }
      """),
    Fixture(
      MainActorCallback.self, "launch handlers and dispatch sources on the main queue",
      """
      @MainActor final class Scheduler {
        private let work = DispatchQueue.main
        func register(on queue: DispatchQueue, source: any DispatchSourceTimer) {
          BGTaskScheduler.shared.register(forTaskWithIdentifier: "a", using: .main) { self.run($0) }
          BGTaskScheduler.shared.register(forTaskWithIdentifier: "b", using: work) { self.run($0) }
          BGTaskScheduler.shared.register(forTaskWithIdentifier: "c", using: queue) { self.run($0) }
          let timer = DispatchSource.makeTimerSource(queue: .main)
          timer.setEventHandler { self.tick() }
          let signal = DispatchSource.makeSignalSource(signal: SIGTERM, queue: queue)
          signal.setEventHandler { self.stop() }
          source.setEventHandler { self.tick() }
          center.register(using: nil) { self.tick() }
        }
      }
      """),
    Fixture(
      MainActorCallback.self, "work items and groups",
      """
      @MainActor func run() {
        let item = 1️⃣DispatchWorkItem { print(1) }
        DispatchQueue.global().async(execute: item)
        2️⃣group.notify(queue: .global()) { print(2) }
        let other = DispatchWorkItem { print(3) }
        DispatchQueue.main.async(execute: other)
        group.notify(queue: .main) { print(4) }
        let kept = DispatchWorkItem { print(5) }
        use(kept)
      }
      """),
    Fixture(
      MainActorCallback.self, "blocks of other frameworks",
      """
      import AVFAudio
      import Photos
      @MainActor final class Player {
        func start() {
          1️⃣input.installTap(onBus: 0, bufferSize: 1, format: nil) { buffer, _ in self.add(buffer) }
          2️⃣PHPhotoLibrary.shared().performChanges { self.change() } completionHandler: { _, _ in }
          info = 3️⃣MPMediaItemArtwork(boundsSize: size) { _ in self.image }
          4️⃣CTFontManagerRegisterFontURLs(urls, .process, true) { _, done in self.note(done) }
          5️⃣sec_protocol_options_set_verify_block(options, { _, _, b in self.verify(b) }, .global())
        }
      }
      """),
    Fixture(
      MainActorCallback.self, "blocks of other frameworks on the main queue or without a closure",
      """
      import AVFAudio
      import Photos
      @MainActor final class Player {
        func save() async throws { try await PHPhotoLibrary.shared().performChanges { change() } }
        func start() {
          pipe.installTap { self.add($0) }
          info = MPMediaItemArtwork(image: image)
          CTFontManagerRegisterFontURLs(urls, .process, true, nil)
          sec_protocol_options_set_verify_block(options, { _, _, done in self.verify(done) }, .main)
          sec_protocol_options_set_verify_block(options, { _, _, done in self.verify(done) }, queue)
          motion.startDeviceMotionUpdates(to: .main) { self.note($0, $1) }
        }
      }
      """),
    Fixture(
      MainActorCallback.self, "closures that are not on the main actor",
      """
      final class Scheduler {
        func register() {
          BGTaskScheduler.shared.register(forTaskWithIdentifier: "a", using: nil) { self.run($0) }
        }
        @MainActor func start() {
          BGTaskScheduler.shared.register(forTaskWithIdentifier: "b", using: nil) {
            @Sendable task in
            Task { @MainActor in self.run(task) }
          }
          input.installTap(onBus: 0, bufferSize: 1, format: nil, block: handler)
        }
      }
      @MainActor final class Page {
        nonisolated func start() {
          input.installTap(onBus: 0, bufferSize: 1, format: nil) { buffer, _ in print(buffer) }
        }
      }
      """),
    Fixture(
      MainActorCallback.self, "Combine operators after another queue",
      """
      import Combine
      @MainActor final class Feed {
        func start() {
          1️⃣subject.receive(on: DispatchQueue.global()).sink { self.note($0) }
          2️⃣subject.debounce(for: 1, scheduler: DispatchQueue(label: "a")).map { $0 + 1 }
            .receive(on: DispatchQueue.main).sink { self.note($0) }
          subject.receive(on: DispatchQueue.main).map { $0 }.sink { self.note($0) }
          subject.receive(on: queue).sink { self.note($0) }
          subject.sink { self.note($0) }
        }
      }
      """),
    Fixture(
      MainActorCallback.self, "assumptions in notification blocks",
      """
      @MainActor final class Feed {
        func start() {
          center.addObserver(forName: name, object: nil, queue: OperationQueue()) { _ in
            1️⃣MainActor.assumeIsolated { self.reload() }
          }
          center.addObserver(forName: name, object: nil, queue: .main) { _ in
            MainActor.assumeIsolated { self.reload() }
          }
          center.addObserver(forName: name, object: nil, queue: nil) { _ in
            MainActor.assumeIsolated { self.reload() }
          }
          center.addObserver(forName: name, object: nil, queue: OperationQueue()) { _ in
            Task { @MainActor in self.reload() }
          }
        }
      }
      """),
    Fixture(
      MainActorCallback.self, "Swift 5 mode, which adds no check",
      """
      @MainActor func start() {
        input.installTap(onBus: 0, bufferSize: 1, format: nil) { buffer, _ in print(buffer) }
      }
      """
    ) { $0.languageMode = 5 },
    Fixture(
      MainActorCallback.self, "a timer and a queue that does not need the closure",
      """
      @MainActor func start() {
        Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in print(1) }
        DispatchQueue.global().async { print(2) }
        OperationQueue().addOperation { print(3) }
      }
      """),
    Fixture(
      MainActorCallback.self, "another global actor",
      """
      @globalActor actor AudioActor { static let shared = AudioActor() }
      @AudioActor func start() {
        1️⃣node.installTap(onBus: 0, bufferSize: 1, format: nil) { _, _ in print(1) }
        node.installTap(onBus: 0, bufferSize: 1, format: nil) { @Sendable _, _ in print(1) }
      }
      """),
    Fixture(
      MainActorCallback.self, "functions of the app with the same names",
      """
      import Combine
      @MainActor final class Model {
        func start() {
          service.register(using: nil) { self.show($0) }
          service.setEventHandler { self.show($0) }
          center.notify(queue: .main) { self.show($0) }
          values.map { $0 + 1 }.sink { self.show($0) }.store(in: &bag)
        }
      }
      """),
    Fixture(
      MainActorCallback.self, "a tap without an actor, and requests that another rule reports",
      """
      import UserNotifications
      @MainActor func ask() {
        UNUserNotificationCenter.current().getNotificationSettings { print($0) }
        NSWorkspace.shared.open(url, configuration: .init()) { app, _ in print(app) }
      }
      nonisolated func free() {
        node.installTap(onBus: 0, bufferSize: 1, format: nil) { _, _ in print(1) }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `main-actor-callback reports at the markers`(fixture: Fixture) { fixture.verify() }
}
