import Testing

@testable import devtools

@Suite(.timeLimit(.minutes(5)))
struct BenchmarksPageTests {
  @Test
  func `blocks are selected by the beginning of their command`() throws {
    let page = """
      <!-- measured: Benchmarks -->
      <!-- measured: DataBenchmarks "in a file" -->
      a line with <!-- measured: DataBenchmarks disk -->
      """
    let commands = { try BenchmarksPage.commands(in: page, beginningWith: $0) }
    #expect(try commands("") == ["Benchmarks", "DataBenchmarks \"in a file\""])
    #expect(try commands("Data.*file") == ["DataBenchmarks \"in a file\""])
    #expect(throws: Failure.self) { try commands("file") }
  }

  @Test
  func `rows and goals become a table, and other lines become text`() {
    let output = """
      Building for production...
      send  48.70 ns floor 42.40 ns ratio 1.15 allocations 0.00 (floor 0.00)  [<= 20 ns]
      2 consumers  3.00 µs allocations 1.00  [<= 2.00 µs a consumer]
      memory: 1.50 MB  [<= 2.00 MB]
      keys: 4.00 ms (target 3.5)
      10 rows: 1.234567 ms
      """
    #expect(
      BenchmarkTable.page(output) == """
        | row | goal | figure | floor | ratio | allocations | |
        |---|---|---|---|---|---|---|
        | send | <= 20 ns | 48.70 ns | 42.40 ns | 1.15 | 0.00 (floor 0.00) | **missed** |
        | 2 consumers | <= 2.00 µs a consumer | 3.00 µs |  |  | 1.00 | met |
        | memory | <= 2.00 MB | 1.50 MB |  |  |  | met |
        | keys | <= 3.5 ms | 4.00 ms |  |  |  | **missed** |

        2 of 4 goals are met, 2 missed.

        ```text
        10 rows: 1.23 ms
        ```

        """)
  }

  @Test
  func `only the block of a mark is replaced`() {
    let page = "a\n<!-- measured: A -->\nold\n<!-- end -->\n<!-- measured: B -->\nb\n<!-- end -->\n"
    #expect(
      BenchmarksPage.replace("<!-- measured: A -->", by: "new\n", in: page)
        == page.replacing("old\n", with: "\nnew\n\n"))
  }

  @Test
  func `claims without their text or their row are found`() {
    let page = """
      | “costs nothing” | [Views](Views.md#cost) | `send` |
      | “costs all” | [Views](Views.md) | `send`, `other` |
      | send | 1 ns |
      """
    let problems = BenchmarksPage.problems(in: page) {
      $0 == "Documentation/Views.md" ? "It costs\nnothing." : nil
    }
    #expect(
      problems == [
        "Documentation/Benchmarks.md:2: Views.md does not contain “costs all”",
        "Documentation/Benchmarks.md:2: no block has the row other",
      ])
  }

  @Test
  func `a picture needs two sizes`() {
    let line = "page of 100 rows: first 12.5 ms; later 3.5 ms"
    #expect(GrowthPlot.picture(of: .rows, page: line) == nil)
    let page = "\(line)\npage of 10000 rows: first 30.0 ms; later 3.7 ms"
    let picture = GrowthPlot.picture(of: .rows, page: page)
    #expect(picture?.contains("<circle cx=\"640.0\"") == true)
    #expect(picture?.contains(">10,000</text>") == true)
  }
}
