import CausewayData
import CausewaySyncServer
import Foundation
import HarborAccounts
import HarborDomain
import HarborMail
import TestSupport
import Testing

@testable import HarborBackend

/// The mails about activities, on SQLite and on PostgreSQL.
@Suite(TestStore.isAvailable, .timeLimit(.minutes(10))) struct `Mails about activities` {
  @Test func `tell the participants of a change, except the one who made it`() async throws {
    let club = try await MailClub.make("Zoe", "Ana", "Ben", "Eve")
    let notices = club.notices()
    let id = try await club.create(guests: "Ana", "Ben")
    try await club.edit(id) { $0.place = "Pier" }
    try await notices.sendDue()
    #expect(club.mails == [])
    club.wait(120)
    try await notices.sendDue()
    #expect(club.mails == ["Ana: changed Row", "Ben: changed Row"])
    #expect(
      club.sent.all[0].text.hasPrefix(
        "Row, Pier, https://board.example/activity/\(id), Europe/Lisbon"))
    // Notes are no reason for a mail, nor is a change that is taken back.
    try await club.edit(id) { $0.notes = "Bring oars" }
    try await club.edit(id) { $0.title = "Swim" }
    try await club.edit(id) { $0.title = "Row" }
    club.wait(600)
    try await notices.sendDue()
    #expect(club.mails.count == 2)
    // The host gets a mail about a change that an organiser has made.
    try await club.backend.makeOrganiser(club.account("Ana"), of: club.group, as: club.accounts[0])
    try await club.edit(id, by: "Ana") { $0.finish = $0.start + 3_600 }
    club.wait(120)
    try await notices.sendDue()
    #expect(club.mails.filter { $0.hasPrefix("Zoe") } == ["Zoe: changed Row"])
    #expect(club.mails.count == 4)
  }

  @Test func `are one mail for changes of some minutes, and report the end once`() async throws {
    let club = try await MailClub.make("Zoe", "Ana", "Ben")
    let notices = club.notices()
    let id = try await club.create(guests: "Ana")
    for title in ["Row far", "Row near"] {
      try await club.edit(id) { $0.title = title }
      club.wait(60)
      try await notices.sendDue()
    }
    // Ben joins after the change, so he gets a mail about the end only.
    try await club.change(.join(id: id, person: "Ben"), by: "Ben")
    club.wait(60)
    try await notices.sendDue()
    #expect(club.mails == ["Ana: changed Row near"] && club.sent.all[0].text.hasPrefix("Row, "))
    try await club.edit(id) { $0.title = "Row" }
    try await club.change(.delete(id: id))
    club.wait(120)
    try await notices.sendDue()
    #expect(
      club.mails == [
        "Ana: cancelled Row near", "Ana: changed Row near", "Ben: cancelled Row near",
      ])
    club.wait(3 * 86_400)
    try await notices.sendDue()
    #expect(club.mails.count == 3)
  }

  @Test func `remind on the day before, also of moved activities`() async throws {
    let club = try await MailClub.make("Zoe", "Ana", "Ben")
    let notices = club.notices()
    let row = try await club.create("Row", days: 3, guests: "Ana", "Ben")
    let swim = try await club.create("Swim", days: 3, guests: "Ana")
    let sing = try await club.create("Sing", days: 3, guests: "Ana")
    _ = try await club.create("Soon", days: 0.5, guests: "Ana")
    try await club.edit(swim) { $0.start += 2 * 86_400 }
    try await club.change(.delete(id: sing), by: nil)
    club.wait(200)
    try await notices.sendDue()
    let before = club.mails.count
    #expect(before == 2)
    try await club.change(.leave(id: row, person: "Ben"), by: "Ben")
    club.wait(2 * 86_400)
    try await notices.sendDue()
    let reminders = club.mails.filter { $0.contains("reminder") }
    #expect(reminders == ["Ana: reminder Row", "Zoe: reminder Row"])
    // A host that was off sends late reminders until the activity begins.
    club.wait(2 * 86_400 + 40_000)
    try await notices.sendDue()
    #expect(club.mails.filter { $0.contains("Swim") && $0.contains("reminder") }.count == 2)
    let late = try await club.create("Late", days: 2, guests: "Ana")
    club.wait(2 * 86_400 + 1)
    try await notices.sendDue()
    #expect(!club.mails.contains { $0.contains("Late") })
    // An activity that was over and takes place again gets a reminder.
    try await club.edit(late) { $0.start += 2 * 86_400 }
    club.wait(86_400)
    try await notices.sendDue()
    #expect(club.mails.filter { $0.contains("reminder Late") }.count == 2)
  }

  @Test func `tell a person who joins between two changes about the second change`() async throws {
    let club = try await MailClub.make("Zoe", "Ana", "Ben")
    let notices = club.notices()
    let id = try await club.create(guests: "Ana")
    try await club.edit(id) { $0.title = "Row far" }
    try await club.change(.join(id: id, person: "Ben"), by: "Ben")
    try await club.edit(id) { $0.title = "Row near" }
    club.wait(120)
    try await notices.sendDue()
    #expect(club.mails == ["Ana: changed Row near", "Ben: changed Row near"])
    let old = club.sent.all.map { "\($0.address.prefix(3)) \($0.text.prefix { $0 != "," })" }
    #expect(old.sorted() == ["Ana Row", "Ben Row far"])
  }

  @Test func `are sent before an activity begins, and when it has just begun`() async throws {
    let club = try await MailClub.make("Zoe", "Ana")
    let notices = club.notices()
    let soon = try await club.create("Soon", days: 90 / 86_400, guests: "Ana")
    try await club.change(.delete(id: soon))
    try await notices.sendDue()
    #expect(club.mails == ["Ana: cancelled Soon"])
    // An activity of the next day is moved to ten seconds from now.
    let moved = try await club.create("Moved", days: 1, guests: "Ana")
    try await club.edit(moved) { $0.start -= 86_390 }
    club.wait(60)
    try await notices.sendDue()
    #expect(club.mails == ["Ana: cancelled Soon", "Ana: changed Moved"])
  }

  @Test func `do not remind in addition to the mail about a change`() async throws {
    let club = try await MailClub.make("Zoe", "Ana")
    let id = try await club.create(days: 0.5, guests: "Ana")
    try await club.edit(id) { $0.start += 3_600 }
    club.wait(130)
    try await club.notices().sendDue()
    #expect(club.mails == ["Ana: changed Row"])
  }

  @Test func `do not go to the person who ends an activity after another one changed it`()
    async throws
  {
    let club = try await MailClub.make("Zoe", "Ana", "Ben")
    try await club.backend.makeOrganiser(club.account("Ana"), of: club.group, as: club.accounts[0])
    let id = try await club.create(guests: "Ana", "Ben")
    try await club.edit(id, by: "Ana") { $0.title = "Swim" }
    try await club.change(.delete(id: id))
    club.wait(120)
    try await club.notices().sendDue()
    #expect(club.mails == ["Ana: cancelled Row", "Ben: cancelled Row"])
  }

  @Test func `of waiting changes are one mail, dropped if the change is undone`() async throws {
    let club = try await MailClub.make("Zoe", "Ana")
    let isDown = Mutexed(true)
    let notices = club.notices { _ in if isDown.value { throw MailError.timedOut } }
    let (row, sing) = (
      try await club.create(guests: "Ana"), try await club.create("Sing", guests: "Ana")
    )
    for (id, titles) in [(row, ["Row far", "Row near"]), (sing, ["Shout", "Sing"])] {
      for title in titles {
        try await club.edit(id) { $0.title = title }
        club.wait(120)
        try await notices.sendDue()
      }
    }
    isDown.value = false
    club.wait(7_200)
    try await notices.sendDue()
    #expect(club.mails == ["Ana: changed Row near"] && club.sent.all[0].text.hasPrefix("Row, "))
  }

  @Test func `have the details of the moment when they are sent`() async throws {
    let club = try await MailClub.make("Zoe", "Ana", "Ben", "Eve")
    let isDown = Mutexed(true)
    let notices = club.notices { _ in if isDown.value { throw MailError.timedOut } }
    let id = try await club.create(days: 2, guests: "Ana", "Ben", "Eve")
    club.wait(86_400)
    try await notices.sendDue()
    // Waiting reminders of Ana, Ben, Eve and Zoe.
    try await club.edit(id) { $0.start += 3_600 }
    try await club.change(.leave(id: id, person: "Eve"), by: "Eve")
    try await club.backend.remove(
      member: club.account("Ben"), from: club.group, as: club.accounts[0], removesOwn: false)
    club.wait(3_600)
    isDown.value = false
    for _ in 0..<3 {
      try await notices.sendDue()
      club.wait(3_600)
    }
    #expect(
      club.mails == ["Ana: changed Row", "Ana: reminder Row", "Zoe: reminder Row"])
  }

  @Test func `end when a person leaves the group, also for a person who joins again`()
    async throws
  {
    let club = try await MailClub.make("Zoe", "Ana", "Ben")
    let isDown = Mutexed(true)
    let notices = club.notices { _ in if isDown.value { throw MailError.timedOut } }
    let id = try await club.create(guests: "Ana", "Ben")
    try await club.edit(id) { $0.title = "Swim" }
    club.wait(120)
    try await notices.sendDue()
    let ana = try await club.account("Ana")
    // A group with almost the same id.
    let other = "\(Place.group(club.group + "a").scope.rawValue) \(id)"
    try await club.store.write { transaction in
      try transaction.execute(
        """
        INSERT INTO account_notice SELECT 'other', account, kind, \(other), content, address,
          code, attempts, created, due, expiry FROM account_notice WHERE account = \(ana)
        """)
    }
    let code = try await club.backend.invite(to: club.group, as: club.accounts[0])
    try await club.backend.groups(of: ana).apply(.leave(id: club.group))
    let waiting = try await club.store.read { transaction in
      try transaction.rows(
        "SELECT topic FROM account_notice WHERE account = \(ana)", as: String.self)
    }
    #expect(waiting == [other])
    _ = try await club.backend.accept(code, as: ana)
    isDown.value = false
    club.wait(7_200)
    try await notices.sendDue()
    #expect(club.mails == ["Ben: changed Swim"])
  }

  @Test func `of twenty people are sent once by two hosts`() async throws {
    let names = ["Zoe"] + (10..<29).map { "Guest\($0)" }
    let club = try await MailClub.make(names)
    let id = try await club.create()
    for name in names.dropFirst() {
      try await club.change(.join(id: id, person: name), by: name)
    }
    try await club.edit(id) { $0.title = "Swim" }
    club.wait(120)
    let (first, second) = (club.notices(), club.notices())
    async let here: Void = first.sendDue()
    async let there: Void = second.sendDue()
    _ = try await (here, there)
    #expect(club.mails == names.dropFirst().map { "\($0): changed Swim" })
    #expect(Set(club.sent.all.map(\.id)).count == 19)
  }

  @Test func `begin with existing and imported activities`() async throws {
    let store = try await TestStore.make { $0.prefix { $0.name != ActivityNotices.migration.name } }
    var old = record("Row", id: "a")
    old.start += 3 * 86_400
    let body = try Records.encoded(old)
    try await store.write { transaction in
      try Records(place: .group("club"), collection: "activities")
        .put(body, id: "a", in: transaction)
      for step in TestStore.migrations.drop(while: { $0.name != ActivityNotices.migration.name }) {
        try step.apply(in: transaction)
      }
    }
    old.id = "b"
    let group = GroupRecord(id: UUID().uuidString.lowercased(), name: "Rowers")
    _ = try await Archive(groups: [.init(group: group, activities: [old])], links: [])
      .write(to: store, at: Board.now)
    let due = try await store.read {
      try $0.rows("SELECT due FROM notice_event ORDER BY due", as: Double.self)
    }
    #expect(due == [old.start - 86_400, old.start - 86_400])
    try await store.close()
  }

  #if canImport(CMailCurl)
    @Test func `arrive by SMTP with a link to end them, whatever a title contains`() async throws {
      let club = try await MailClub.make("Zoe", "Ana")
      let server = try MailServerDouble()
      let service = MailService(
        server: try MailServer(server.address), sender: try MailAddress("board@a.example"))
      let notices = club.notices { mail in
        try await service.send(
          MailMessage(
            to: MailAddress(mail.address), subject: mail.subject, text: mail.text,
            unsubscribe: mail.unsubscribe, id: mail.id))
      }
      let id = try await club.create("Row", days: 2, guests: "Ana")
      // Another program has written this title.
      var evil = try await club.stored(id)
      evil.title = "Row\r\nBcc: eve@a.example\r\n\r\n.\r\nMAIL FROM:<x@a.example>\u{202E} 🚣"
      let body = try Records.encoded(evil)
      let group = club.group
      try await club.store.write {
        _ = try Records(place: .group(group), collection: "activities").put(body, id: id, in: $0)
      }
      club.wait(86_400)
      try await notices.sendDue()
      try await club.change(.delete(id: id))
      club.wait(120)
      try await notices.sendDue()
      #expect(server.mails.all.count == 3)
      for mail in server.mails.all {
        let head = mail.content.prefix(
          upTo: try #require(mail.content.range(of: "\n\n")).lowerBound)
        #expect(
          !head.contains("Bcc") && mail.content.split(separator: "\n").allSatisfy { $0.count < 200 }
        )
        #expect(head.contains("\nList-Unsubscribe: <https://board.example/mail/end/"))
        #expect(head.contains("\nList-Unsubscribe-Post: List-Unsubscribe=One-Click"))
      }
      #expect(server.mails.all.count { $0.recipient.contains("Ana@a.example") } == 2)
    }
  #endif
}
