import Foundation
import HarborBackend
import Testing

/// Read again by a strict reader of RFC 5545.
@Suite struct `A calendar` {
  private static let start = Date(timeIntervalSince1970: 1_778_430_600)

  private func event(_ title: String, notes: String? = nil) -> CalendarEvent {
    CalendarEvent(
      id: "8c2f", title: title, start: Self.start, end: Self.start + 5_400, place: "Slip 2; left",
      notes: notes, address: URL(string: "https://board.example/activity/8c2f"),
      changed: Self.start - 86_400, sequence: 3)
  }

  private func read(_ events: [CalendarEvent]) throws -> [[String: String]] {
    try StrictCalendar(CalendarDocument(name: "Board, all", events: events).text).events
  }

  @Test func `has the parts of an event, with dates in UTC`() throws {
    let text = CalendarDocument(name: "Board, all", events: [event("Row")]).text
    let calendar = try StrictCalendar(text)
    #expect(calendar.properties["X-WR-CALNAME"] == "Board, all")
    #expect(
      calendar.events == [
        [
          "UID": "8c2f", "DTSTAMP": "20260509T163000Z", "LAST-MODIFIED": "20260509T163000Z",
          "SEQUENCE": "3", "DTSTART": "20260510T163000Z", "DTEND": "20260510T180000Z",
          "SUMMARY": "Row", "LOCATION": "Slip 2; left",
          "URL": "https://board.example/activity/8c2f",
        ]
      ])
    #expect(try read([]).isEmpty)
  }

  @Test(arguments: [
    "Tea, cake; and more", #"C:\boats\n"#, "one\ntwo\r\nthree\n", "ü€😀👨‍👩‍👧", "a\tb",
    String(repeating: "x", count: 75), String(repeating: "ä", count: 500),
    String(repeating: "😀", count: 200), String(repeating: "\\", count: 200),
    "BEGIN:VEVENT\nUID:other", "",
  ])
  func `keeps any text`(text: String) throws {
    let events = try read([event(text, notes: text)])
    let kept = text.replacing("\r\n", with: "\n")
    #expect(events.count == 1)
    #expect(events.first?["SUMMARY"] == kept && events.first?["DESCRIPTION"] == kept)
  }

  @Test func `has no control characters, and no end before its start`() throws {
    var odd = event("bell\u{7}\u{1B}[31m", notes: "a\rb\u{0}")
    odd.end = Self.start
    odd.address = URL(string: "https://board.example/a%0D%0AUID:b")
    odd.sequence = -1
    let read = try #require(try read([odd]).first)
    #expect(read["SUMMARY"] == "bell[31m" && read["DESCRIPTION"] == "a\nb")
    #expect(read["DTEND"] == nil && read["SEQUENCE"] == "0" && read["UID"] == "8c2f")
  }
}

/// Reads a calendar, and throws an error for the first line that breaks the format.
private struct StrictCalendar {
  struct Broken: Error { var line: String }

  var properties: [String: String] = [:]
  var events: [[String: String]] = []

  init(_ text: String) throws {
    guard text.hasSuffix("\r\n") else { throw Broken(line: "end") }
    var lines: [[UInt8]] = []
    for line in Self.split(Array(text.utf8).dropLast(2)) {
      // The limit is in bytes, and each part of a folded line is valid text.
      guard line.count <= 75, let part = String(validating: line, as: UTF8.self),
        !part.unicodeScalars.contains(where: {
          $0.properties.generalCategory == .control && $0 != "\t"
        })
      else { throw Broken(line: String(decoding: line, as: UTF8.self)) }
      if line.first == UInt8(ascii: " ") {
        guard !lines.isEmpty else { throw Broken(line: part) }
        lines[lines.count - 1] += line.dropFirst()
      } else {
        lines.append(line)
      }
    }
    var (open, event): ([String], [String: String]) = ([], [:])
    for line in lines {
      let text = String(decoding: line, as: UTF8.self)
      guard
        let match = text.wholeMatch(of: /([A-Z-]+)(?:;([A-Z]+=[A-Z]+))?:(.*)/.dotMatchesNewlines())
      else { throw Broken(line: text) }
      let (name, raw) = (String(match.1), String(match.3))
      switch name {
      case "BEGIN":
        open.append(raw)
        event = [:]
      case "END":
        guard open.popLast() == raw else { throw Broken(line: text) }
        guard raw == "VEVENT" else { continue }
        for needed in ["UID", "DTSTAMP", "DTSTART"] where event[needed] == nil {
          throw Broken(line: "no \(needed)")
        }
        events.append(event)
      default:
        let value = try Self.value(raw, of: name)
        if open == ["VCALENDAR"] {
          guard properties.updateValue(value, forKey: name) == nil else { throw Broken(line: text) }
        } else {
          guard open == ["VCALENDAR", "VEVENT"], event.updateValue(value, forKey: name) == nil
          else { throw Broken(line: text) }
        }
      }
    }
    guard open.isEmpty, properties["VERSION"] == "2.0", properties["PRODID"] != nil else {
      throw Broken(line: "calendar")
    }
  }

  private static func split(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    var (lines, line): ([[UInt8]], [UInt8]) = ([], [])
    for byte in bytes {
      if byte == UInt8(ascii: "\n"), line.last == UInt8(ascii: "\r") {
        lines.append(line.dropLast())
        line = []
      } else {
        line.append(byte)
      }
    }
    return lines + [line]
  }

  private static func value(_ raw: String, of name: String) throws -> String {
    if name.hasPrefix("DT") || name == "LAST-MODIFIED" {
      guard raw.wholeMatch(of: /\d{8}T\d{6}Z/) != nil else { throw Broken(line: raw) }
      return raw
    }
    if name == "URL" { return raw }
    var (value, rest) = ("", raw[...])
    while let character = rest.unicodeScalars.popFirst() {
      guard character == "\\" else {
        guard character != ",", character != ";" else { throw Broken(line: raw) }
        value.unicodeScalars.append(character)
        continue
      }
      switch rest.unicodeScalars.popFirst() {
      case "n": value += "\n"
      case let escaped? where ["\\", ",", ";"].contains(escaped):
        value.unicodeScalars.append(escaped)
      default: throw Broken(line: raw)
      }
    }
    return value
  }
}
