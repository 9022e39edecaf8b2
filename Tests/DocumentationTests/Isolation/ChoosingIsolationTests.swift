import Synchronization
import TestSupport
import Testing

/// The code of the article on choosing an isolation, and the article's claims.
@Suite(.timeLimit(.minutes(10)))
struct ChoosingIsolationTests {
  private struct Full: Error {}

  private struct FullService: ReservationService {
    func reserve(_ reservation: Reservation) throws { throw Full() }
  }

  @MainActor @Test func `an actor and a main-actor class communicate through a Sendable protocol`()
    async
  {
    let ledger = ReservationLedger(harbour: "Kiel")
    let form = ReservationForm(service: ledger)
    await form.submit(Reservation(boat: "Gull", nights: 2))
    #expect(form.problem == nil)
    #expect(ledger.harbour == "Kiel")
    #expect(await ledger.count == 1)
  }

  @MainActor @Test func `a failure ends the sending and is shown as a problem`() async {
    let form = ReservationForm(service: FullService())
    await form.submit(Reservation(boat: "Gull", nights: 2))
    #expect(form.problem == ReservationForm.text(for: Full()))
    #expect(!form.isSending)
  }

  @Test func `a lock protects the count of visitors`() async {
    let visitors = VisitorCount()
    await withDiscardingTaskGroup { group in
      for _ in 0..<100 { group.addTask { visitors.add() } }
    }
    #expect(visitors.current == 100)
  }

  @MainActor @Test func `other work can run before the closure of MainActor run`() async {
    let notebook = Notebook()
    let other = Task { notebook.lines.append("other") }
    await notebook.writeWithRun()
    await other.value
    #expect(notebook.lines == ["before", "other", "in run"])
  }

  @Test func `a check before an await can be outdated after it`() async {
    let pier = Pier()
    let (arrived, gate) = (Log<Int>(), Gate())
    let isAllowed: Permission = {
      arrived.append(1)
      await gate.wait()
      return true
    }
    async let first = pier.takeUnsafely(isAllowed)
    async let second = pier.takeUnsafely(isAllowed)
    await arrived.wait(for: 2)
    gate.open()
    #expect(await [first, second] == [true, true])
    #expect(await pier.freeBerths == -1)
  }

  @Test func `a berth taken in the same step as its check is taken only once`() async {
    let pier = Pier()
    let (arrived, gate) = (Log<Int>(), Gate())
    let first = Task {
      await pier.take {
        arrived.append(1)
        await gate.wait()
        return true
      }
    }
    await arrived.wait(for: 1)
    #expect(await pier.take { true } == false)
    gate.open()
    #expect(await first.value)
    #expect(await pier.freeBerths == 0)
    #expect(await pier.take { true } == false)
  }

  @Test func `a berth is free again after it was refused`() async {
    let pier = Pier()
    #expect(await pier.take { false } == false)
    #expect(await pier.take { true })
  }

  @Test func `two callers share one download of a chart`() async throws {
    let (requests, gate) = (Log<String>(), Gate())
    let library = ChartLibrary { name in
      requests.append(name)
      await gate.wait()
      return Array(name.utf8)
    }
    async let first = library.chart("Fjord")
    await requests.wait(for: 1)
    async let second = library.chart("Fjord")
    gate.open()
    #expect(try await [first, second] == [Array("Fjord".utf8), Array("Fjord".utf8)])
    #expect(try await library.chart("Fjord") == Array("Fjord".utf8))
    #expect(requests.all == ["Fjord"])
  }

  @Test func `the next caller retries a failed download`() async throws {
    let attempts = Mutex(0)
    let library = ChartLibrary { _ in
      let attempt = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      if attempt == 1 { throw Full() }
      return [1]
    }
    await #expect(throws: Full.self) { try await library.chart("Fjord") }
    #expect(try await library.chart("Fjord") == [1])
  }

  @Test func `an isolated deinit runs on the main actor wherever the last reference is released`()
    async
  {
    let database = RowDatabase { MainActor.assertIsolated() }
    await forget(await mirror(of: database))
    await database.removed.wait(for: 1)
    #expect(database.removed.all == [0])
  }

  @MainActor private func mirror(of database: RowDatabase) -> RowMirror {
    let mirror = RowMirror()
    mirror.follow(database)
    return mirror
  }

  @concurrent private func forget(_ mirror: consuming RowMirror) async {}

  @MainActor @Test func `a mirror shows the rows that its database reports`() async {
    let database = RowDatabase()
    let mirror = mirror(of: database)
    database.tell([Row(text: "a")])
    await until { mirror.rows == [Row(text: "a")] }
    #expect(mirror.rows == [Row(text: "a")])
  }

  @MainActor @Test func `a partly isolated class removes its listener in a plain deinit`() async {
    let database = RowDatabase()
    var mirror: PartlyIsolatedMirror? = PartlyIsolatedMirror()
    mirror?.follow(database)
    mirror?.show([Row(text: "a")])
    #expect(mirror?.rows == [Row(text: "a")])
    mirror = nil
    #expect(database.removed.all == [0])
  }
}
