import Testing

@testable import Causeway

/// The texts of reports in a release build.
@MainActor @Suite struct `A report without values` {
  private enum Name: Hashable, Sendable {
    case all
    case row(String)
  }

  private enum Failure: Error {
    case offline
    case refused(reason: String)
  }

  private struct Lost: Error { var person = "Hanna" }

  private enum Choice { case secret }

  private enum RowAction { case rename(String) }

  private enum Action {
    case pick(Choice)
    case type(text: String)
    case row(id: String, RowAction)
  }

  @Test func `names the id of an effect by its case or its type`() {
    let names = [
      (EffectID("Hanna"), "(String)"), (EffectID(7), "(Int)"), (EffectID(Name.all), "(all)"),
      (EffectID(Name.row("Hanna")), "(row)"),
      (EffectID(EffectPlace("F/A.swift", 3, 5)), "F/A.swift:3:5"),
    ]
    for (id, name) in names { #expect(id.reportName(showsValues: false) == name) }
    #expect(EffectID("Hanna").reportName(showsValues: true) == "Hanna")
  }

  @Test func `names an error by its type and its case`() {
    #expect(CaseNames.of(error: Failure.offline, showsValues: false) == "Failure.offline")
    #expect(
      CaseNames.of(error: Failure.refused(reason: "Hanna"), showsValues: false)
        == "Failure.refused")
    #expect(CaseNames.of(error: Lost(), showsValues: false) == "Lost")
    #expect(CaseNames.of(error: Lost(), showsValues: true).contains("Hanna"))
  }

  @Test func `names an action by its cases, and not by a choice inside it`() {
    #expect(CaseNames.of(Action.pick(.secret)) == "pick")
    #expect(CaseNames.of(Action.type(text: "Hanna")) == "type")
    #expect(CaseNames.of(Action.row(id: "Hanna", .rename("Hanna"))) == "row.rename")
  }
}
