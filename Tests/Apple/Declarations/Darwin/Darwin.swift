// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Apple documents these declarations; this file repeats those that differ from glibc's.
@_exported import Glibc

public let F_FULLFSYNC: Int32 = 51
public let RLIMIT_NOFILE: Int32 = 8
public let SOCK_STREAM: Int32 = 1

@discardableResult public func getrlimit(_ resource: Int32, _ limit: UnsafeMutablePointer<rlimit>)
  -> Int32
{ 0 }
@discardableResult public func setrlimit(_ resource: Int32, _ limit: UnsafePointer<rlimit>) -> Int32
{ 0 }

extension stat {
  public var st_mtimespec: timespec { timespec() }
}

public struct SignalHandler {
  public var __sa_handler: (@convention(c) (Int32) -> Void)?
}

extension sigaction {
  public var __sigaction_u: SignalHandler {
    get { SignalHandler() }
    set {}
  }
}

public struct _opaque_pthread_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>

public func pthread_self() -> pthread_t { fatalError("This declaration is only compiled.") }

@discardableResult public func pthread_create(
  _ thread: UnsafeMutablePointer<pthread_t?>, _ attributes: UnsafePointer<pthread_attr_t>?,
  _ start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
  _ argument: UnsafeMutableRawPointer?
) -> Int32 { 0 }

@discardableResult public func pthread_join(
  _ thread: pthread_t, _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 { 0 }

@discardableResult public func pthread_detach(_ thread: pthread_t) -> Int32 { 0 }

/// The function of CSimulatedSystem, whose header uses glibc's thread type on Linux.
public func causeway_stack(
  _ thread: pthread_t, _ addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ count: Int32
) -> Int32 { 0 }
