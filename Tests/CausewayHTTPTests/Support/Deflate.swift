/// Zero bytes in the deflate format: about 1.6 bytes for a thousand.
func deflatedZeros(_ count: Int) -> [UInt8] {
  var bytes: [UInt8] = []
  var bits: UInt32 = 0
  var bitCount = 0
  func write(_ code: UInt32, _ length: Int) {
    bits |= code << UInt32(bitCount)
    bitCount += length
    while bitCount >= 8 {
      bytes.append(UInt8(bits & 0xFF))
      bits >>= 8
      bitCount -= 8
    }
  }
  // Codes are written with their most significant bit first, numbers with their least significant
  // bit.
  func writeCode(_ code: UInt32, _ length: Int) {
    for bit in (0..<length).reversed() { write((code >> UInt32(bit)) & 1, 1) }
  }
  let zero: (code: UInt32, length: Int) = (0b0011_0000, 8)
  // One last block with fixed codes (RFC 1951, 3.2.6).
  write(1, 1)
  write(1, 2)
  writeCode(zero.code, zero.length)
  // 258 bytes equal to the previous one.
  for _ in 0..<((count - 1) / 258) {
    writeCode(0b1100_0101, 8)
    writeCode(0, 5)
  }
  for _ in 0..<((count - 1) % 258) { writeCode(zero.code, zero.length) }
  writeCode(0, 7)
  if bitCount > 0 { write(0, 8 - bitCount) }
  return bytes
}
