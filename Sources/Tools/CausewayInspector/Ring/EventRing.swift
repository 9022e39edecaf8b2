import CausewaySystem
import Foundation
import Synchronization

/// The last events of a program, in a file that outlives the program.
///
/// The file is mapped into memory. The kernel keeps the written bytes after a crash and after `kill
/// -9`, without any work at that time. The file has 256 KiB:
///
///     0       16 bytes: "causeway-ring 1\n"
///     16      a record with the recording's first line, at most 1008 bytes
///     1024    a record with the action that is being handled, at most 3072 bytes
///     4096    the ring of records, 188 KiB; see `RingBuffer`
///     196608  the ring of records of the data layer, which thus cannot replace steps
///
/// Isolation: any. Each call holds a lock while it copies bytes. The action that is being handled
/// has a separate lock, so the main actor does not wait for the records of other threads.
final class EventRing: Sendable {
  static let size = 256 << 10
  static let magic = Array("causeway-ring 1\n".utf8)
  static let headerPlace = 16
  static let currentPlace = 1_024
  static let ringPlace = 4_096
  static let signalPlace = size / 4 * 3

  /// The file as memory.
  private struct Mapping: ~Copyable {
    let bytes: UnsafeMutableRawBufferPointer

    init(of file: Int32, at path: String) throws(InspectorError) {
      let address = mmap(nil, EventRing.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
      guard let address, address != MAP_FAILED else {
        throw .ring(path: path, reason: String(cString: strerror(errno)))
      }
      bytes = UnsafeMutableRawBufferPointer(start: address, count: EventRing.size)
    }

    deinit {
      munmap(bytes.baseAddress, bytes.count)
    }
  }

  /// The two rings of records.
  private struct Rings: ~Copyable {
    let mapping: Mapping
    var events: RingBuffer
    var signals: RingBuffer

    init(_ mapping: consuming Mapping) {
      let bytes = mapping.bytes
      func part(_ places: Range<Int>) -> RingBuffer {
        RingBuffer(UnsafeMutableRawBufferPointer(rebasing: bytes[places]))
      }
      events = part(EventRing.ringPlace..<EventRing.signalPlace)
      signals = part(EventRing.signalPlace..<bytes.count)
      self.mapping = mapping
    }
  }

  private let rings: Mutex<Rings>
  /// The bytes before the rings, with a separate mapping.
  private let current: Mutex<Mapping>
  private let copies: ErrorCopies

  /// Makes the file, which only its owner can read.
  ///
  /// An existing file gets the name `PATH.previous`, because it can belong to a program that has
  /// just died.
  ///
  /// - Throws: ``InspectorError`` if the file cannot be made.
  init(path: String, header: [UInt8]) throws(InspectorError) {
    if rename(path, path + ".previous") != 0, errno != ENOENT {
      throw .ring(path: path, reason: String(cString: strerror(errno)))
    }
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .ring(path: path, reason: String(cString: strerror(errno))) }
    defer { close(file) }
    // Without reserved blocks, a write into the mapping would end the program if the disk is full.
    let reserved = Self.reserve(file)
    guard reserved == 0 else {
      throw .ring(path: path, reason: String(cString: strerror(reserved)))
    }
    let first = try Mapping(of: file, at: path)
    first.bytes.copyBytes(from: Self.magic)
    if Self.headerPlace + RingBuffer.size(ofRecordWith: header.count) <= Self.currentPlace {
      RingBuffer.write(header, number: 0, to: first.bytes, at: Self.headerPlace)
    }
    current = Mutex(first)
    rings = Mutex(Rings(try Mapping(of: file, at: path)))
    copies = ErrorCopies(of: path)
  }

  /// Copies the present events to a separate file, because an error was reported.
  ///
  /// - Parameter time: The time of the error in microseconds.
  func keepCopy(at time: Int) {
    guard let path = copies.next(at: time) else { return }
    let records = rings.withLock { Array($0.mapping.bytes[Self.ringPlace...]) }
    ErrorCopies.write(current.withLock { $0.bytes[..<Self.ringPlace] + records }, to: path)
  }

  /// Reserves the blocks of the file; returns an error number, or 0.
  private static func reserve(_ file: Int32) -> Int32 {
    #if canImport(Darwin)
      return ftruncate(file, off_t(size)) == 0 ? 0 : errno
    #else
      return posix_fallocate(file, 0, off_t(size))
    #endif
  }

  /// Adds an event.
  func append(_ payload: [UInt8], number: Int, isSignal: Bool) {
    rings.withLock { rings in
      if isSignal {
        _ = rings.signals.append(payload, number: UInt64(number))
      } else {
        _ = rings.events.append(payload, number: UInt64(number))
      }
    }
  }

  /// Stores the action that a model begins to handle.
  func begin(_ payload: [UInt8], number: Int) {
    let place = Self.currentPlace
    guard place + RingBuffer.size(ofRecordWith: payload.count) <= Self.ringPlace else { return }
    current.withLock {
      RingBuffer.write(payload, number: UInt64(number), to: $0.bytes, at: place)
    }
  }

  /// Removes the action that was being handled.
  func endCurrent() {
    current.withLock {
      $0.bytes.storeBytes(of: 0, toByteOffset: Self.currentPlace, as: UInt32.self)
    }
  }
}
