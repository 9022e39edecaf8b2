import CausewayData
import CausewaySimulation
import HarborDomain
import Testing

@testable import HarborApp

/// The whole of Harbor: a backend and three devices, each with a database on the disk of its node.
///
/// The trials are short and dense. The start and the final check are half of such a trial, but it
/// still finds most planted bugs in less time than a trial with four times as many actions.
struct HarborWorld: Sendable {
  var actions = 10
  var duration = Duration.seconds(50)
  var bug: HarborPhone.Bug?
  /// The fault that disks have from time to time.
  var disk = DiskFault.slow(.milliseconds(1) ... .milliseconds(300))

  @discardableResult
  func simulate(
    _ seeds: Range<UInt64>, shrinks: Int = 150, replaying replay: String? = nil
  ) throws -> SimulationSummary {
    // If the disk fails, a sign-out fails too, and the next one removes the rest.
    let isStrict = if case .slow = disk { true } else { false }
    return try simulateWorld(
      seeds, replay, for: duration, settling: .seconds(60), shrinks: shrinks
    ) { world in
      let ledger = HarborLedger()
      let server = world.node("server") { try await HarborBackendNode($0) }
      let phones = (1...3).map { number in
        world.node("phone \(number)") { node in
          try await HarborPhone(
            node, server: server.id, ledger: ledger, bug: bug, isStrict: isStrict)
        }
      }
      let all = [server.id] + phones.map(\.id)
      world.faults = [
        .latency(.milliseconds(1) ... .milliseconds(100)), .loss(0.05), .duplicates(0.03),
        .slowBytes(0.1, pieces: 2...5, pause: .milliseconds(1) ... .seconds(5)),
        .partitions(every: .seconds(15), lasting: .seconds(1) ... .seconds(10)),
        .crashes(of: all, every: .seconds(10), down: .zero ... .milliseconds(2_500)),
        .powerLoss(of: all, every: .seconds(10), down: .zero ... .milliseconds(2_500)),
        .disk(disk, of: all, every: .milliseconds(7_500), lasting: .zero ... .seconds(5)),
        .clockSkew(.seconds(30)),
      ]
      world.script(
        on: phones, actions: actions, pause: .zero ... .seconds(5), expectsErrors: true
      ) { phone, random in
        guard await phone.board != nil else {
          return try await phone.signIn(HarborBackendNode.names.randomElement(using: &random) ?? "")
        }
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
          try await phone.signOut()
          try check(phone, world, server.root)
        case 1:
          try await phone.signIn(HarborBackendNode.names.randomElement(using: &random) ?? "")
        case 2...4: try await phone.create(&random)
        case 5...7: try await phone.edit(&random)
        case 8...9: try await phone.join(&random)
        case 10...11: try await phone.addLink()
        case 12: await phone.removeLink(&random)
        case 13...14: try await phone.setPicture(&random)
        case 15...17:
          if let wrong = try await phone.wrongPicture() { world.fail("\(wrong) has other bytes") }
        case 18: try await phone.invite()
        default: try await phone.accept(&random)
        }
      }
      return (server, phones, ledger)
    } check: { world, parts in
      let (server, phones, ledger) = parts
      guard let backend = server.root else { return world.fail("the server is down") }
      for phone in phones {
        guard let phone = phone.root else { return world.fail("\(phone.name) has not started") }
        while phone.session.current == nil {
          // The server limits the number of sign-ins within ten minutes.
          do { try await phone.signIn("Ada") } catch {
            try await SimulationClock().sleep(for: .seconds(300))
          }
        }
      }
      for phone in phones { await phone.root?.showGroup() }
      try await SimulationClock().sleep(for: .seconds(60))
      let stored = try await backend.activities(in: HarborBackendNode.group)
      let all = try await stored + backend.activities(in: HarborBackendNode.crew)
      try check(all, ledger, world)
      for account in backend.accounts.values.sorted() {
        try await check(account, backend, ledger, world)
      }
      for phone in phones.compactMap(\.root) {
        let letters = try await phone.outbox.deadLetters()
        try world.require(letters.isEmpty, "the server refused \(letters)")
        let shown = try await phone.board?.current.sorted { $0.id < $1.id }
        try world.require(
          shown == stored.map { $0.activity() },
          "\(phone.node.name) shows \(shown ?? []), the server has \(stored)")
        try await check(phone.page, of: phone, stored, backend, world)
        try await phone.signOut()
        try check(phone, world, backend)
      }
    }
  }

  /// Checks that the page of a device shows what the server has.
  private func check(
    _ page: HarborPage, of phone: HarborPhone, _ stored: [ActivityRecord],
    _ backend: HarborBackendNode, _ world: World
  ) async throws {
    let (name, account) = (phone.node.name, phone.session.current?.account.rawValue ?? "")
    func compare(_ what: String, _ shown: [String], _ stored: [String]) throws {
      try world.require(
        shown.sorted() == stored.sorted(),
        "the page of \(name) shows the \(what) \(shown), the server has \(stored)")
    }
    try compare("activities", await page.titles, stored.map(\.title))
    try compare("links", await page.links, try await backend.links(of: account).map(\.id))
    try compare("groups", await page.groups, try await backend.groups(of: account).map(\.id))
    let pictures = try await backend.people.compactMap { person in
      person.picture.map { "/pictures/\(HarborBackendNode.group)/\($0)" }
    }
    try compare("pictures", await page.pictures.values.sorted(), pictures)
    let wrong = try await phone.wrongPicture()
    try world.require(wrong == nil, "\(wrong ?? "") has other bytes than the file of the user")
  }

  /// Checks that the server has the links and memberships of an account that must not be lost.
  private func check(
    _ account: String, _ backend: HarborBackendNode, _ ledger: HarborLedger, _ world: World
  ) async throws {
    let links = try await backend.links(of: account).map(\.id)
    let removed = ledger.removedLinks
    for (name, change) in ledger.changes.sorted(by: { $0.key < $1.key })
    where change.kind == .link(account: account) && change.isCertain && !removed.contains(name) {
      try world.require(links.contains(name), "the link \(name) is lost")
    }
    if ledger.members.contains(account) {
      let isMember = try await backend.isMember(account, of: HarborBackendNode.crew)
      try world.require(isMember, "the membership of \(account) is lost")
    }
  }

  /// Checks that no file of a device has data of an account, unless a sign-in has begun.
  private func check(_ phone: HarborPhone, _ world: World, _ backend: HarborBackendNode?) throws {
    guard let backend, phone.session.current == nil,
      !phone.ledger.isClosing(phone.node.name)
    else { return }
    if let leftover = phone.leftover(of: backend.accounts) {
      world.fail("after the sign-out of \(phone.node.name), \(leftover)")
    }
  }

  /// Checks that the server has each certain change once, and no change that no user has made.
  private func check(
    _ stored: [ActivityRecord], _ ledger: HarborLedger, _ world: World
  ) throws {
    let changes = ledger.changes
    for (text, change) in changes.sorted(by: { $0.key < $1.key }) where change.kind == .create {
      let count = stored.count { $0.title == text }
      try world.require(count <= 1, "\"\(text)\" is on the board \(count) times")
      try world.require(count == 1 || !change.isCertain, "\"\(text)\" is lost")
    }
    for record in stored {
      let edits = changes.values.filter { $0.kind == .edit(record.id) }
      let certain = edits.count(where: \.isCertain)
      try world.require(
        (certain...edits.count).contains(record.revision - 1),
        "\"\(record.title)\" has \(record.revision - 1) of \(certain) to \(edits.count) edits")
      try world.require(changes[record.title] != nil, "\"\(record.title)\" is unknown")
    }
  }
}
