import Testing

@testable import devtools

@Suite(.timeLimit(.minutes(5)))
struct PlantedFaultsTests {
  @Test
  func `tests that do not compile are found in the output of the build`() {
    let output = """
      [1/9] Compiling PlantedFaultTests Fault3.swift
      /a/PlantedFaults/Written/Fault12.swift:20:32: error: extraneous argument label 'rows:' in call
      /a/PlantedFaults/Written/Fault2.swift:20:32: warning: unused
      /a/Other/Fault4.swift:20:32: error: no such type
      """
    #expect(PlantedFaults.uncompiled(in: output) == ["12"])
    #expect(PlantedFaults.uncompiled(in: "error: no product").isEmpty)
  }
}
