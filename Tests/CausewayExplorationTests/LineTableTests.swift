#if os(Linux)
  import CSimulatedSystem
  import Testing

  /// The debug information of a program, written by hand: these tests are built without it.
  private struct Program {
    /// Two functions: at 0x1000 in line 10 of the first file, and at 0x2000 in line 7 of another.
    ///
    /// The second part of the first function is at 0x1010, in line 12.
    private static let lines: [UInt8] = [
      0, 9, 2, 0x00, 0x10, 0, 0, 0, 0, 0, 0,  // the address 0x1000
      3, 9, 1,  // line 10
      2, 16, 3, 2, 1,  // 16 bytes later, line 12
      2, 16, 0, 1, 1,  // the end, 16 bytes later
      0, 9, 2, 0x00, 0x20, 0, 0, 0, 0, 0, 0,
      4, 2, 3, 6, 1,  // the second file, line 7
      // An operation for 4 bytes and a line: 13 + 4 * 14 + 1 + 5.
      75, 2, 4, 0, 1, 1,
    ]

    private static func sized(_ bytes: [UInt8]) -> [UInt8] {
      withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { Array($0) } + bytes
    }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

    /// The lengths of an instruction and of its operations, and the numbers of their arguments.
    private static let operations: [UInt8] = [
      1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1,
    ]

    static var version4: [UInt8] {
      let files =
        text("/source") + [0] + text("Cart.swift") + [1, 0, 0] + text("Shop.swift") + [1, 0, 0, 0]
      return sized([4, 0] + sized(operations + files) + lines)
    }

    /// The names are in another table.
    static var version5: (lines: [UInt8], names: [UInt8]) {
      let names = text("/source") + text("Other.swift") + text("Cart.swift") + text("/a/Shop.swift")
      func place(_ offset: UInt8) -> [UInt8] { [offset, 0, 0, 0] }
      let folders: [UInt8] = [1, 1, 0x1f, 1] + place(0)
      let files =
        [2, 1, 0x1f, 2, 0x0b, 3] + place(8) + [0] + place(20) + [0] + place(31) + [0]
      return (sized([5, 0, 8, 0] + sized(operations + folders + files) + lines), names)
    }

    /// The bytes of a program with sections.
    static func elf(_ sections: [(name: String, bytes: [UInt8])]) -> [UInt8] {
      let all = [("", [])] + sections + [(".shstrtab", [UInt8]())]
      var names: [UInt8] = []
      var body: [UInt8] = []
      var table: [UInt8] = []
      func word(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      }
      let nameTable = all.flatMap { text($0.0) }
      for (name, bytes) in all {
        let content = name == ".shstrtab" ? nameTable : bytes
        table +=
          word(names.count, 4) + word(1, 4) + word(0, 16) + word(64 + body.count, 8)
          + word(content.count, 8) + word(0, 24)
        names += text(name)
        body += content
      }
      let header: [UInt8] =
        [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0] + word(0, 32) + word(64 + body.count, 8)
        + word(0, 4) + word(64, 2) + word(0, 4) + word(64, 2) + word(all.count, 2)
        + word(all.count - 1, 2)
      return header + body + table
    }
  }

  private func line(at offset: UInt, in program: [UInt8]) -> String {
    var file = [CChar](repeating: 0, count: 64)
    let line = causeway_line_in(program, program.count, offset, &file, file.count)
    let name = file.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return line == 0 ? "" : "\(String(decoding: name, as: UTF8.self)):\(line)"
  }

  struct LineTableTests {
    private static let offsets: [UInt] = [
      0xfff, 0x1000, 0x100f, 0x1010, 0x101f, 0x1020, 0x2000, 0x2004, 0x2008,
    ]

    private static var programs: [[UInt8]] {
      let new = Program.version5
      return [
        Program.elf([(".debug_line", Program.version4)]),
        Program.elf([(".debug_line", new.lines), (".debug_line_str", new.names)]),
        // Several tables follow each other.
        Program.elf([
          (".debug_line", [2, 0, 0, 0, 9, 9] + new.lines), (".debug_line_str", new.names),
        ]),
      ]
    }

    @Test(arguments: 0..<3)
    func `an address has the file and the line of the last row before it`(_ program: Int) {
      let lines = Self.offsets.map { line(at: $0, in: Self.programs[program]) }
      #expect(
        lines == [
          "", "Cart.swift:10", "Cart.swift:10", "Cart.swift:12", "Cart.swift:12", "",
          "Shop.swift:7", "Shop.swift:8", "",
        ])
    }

    @Test func `a table that ends too early or has other bytes does not trap`() {
      for program in Self.programs {
        for length in stride(from: 0, to: program.count, by: 3) {
          for offset in [0x1000, 0x2004] as [UInt] {
            _ = line(at: offset, in: Array(program.prefix(length)))
            var other = program
            other[length] ^= 0xff
            _ = line(at: offset, in: other)
          }
        }
      }
    }
  }
#endif
