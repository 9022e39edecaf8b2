import Foundation

/// Returns the size of a long test or the number of trials of an exploration: a tenth, at least 10.
///
/// In the long run (`make long PART=sizes`), it is the whole size. A smaller size already runs all
/// of the code, so the usual tests and the sanitizers find most mistakes with it. The first trials
/// of an exploration have the same orders in both runs.
public func scaled(_ whole: Int) -> Int {
  runsWholeSizes ? whole : min(whole, max(whole / 10, 10))
}

/// Whether this is the long run, which `LONG_TESTS=1` says.
public let runsWholeSizes = ProcessInfo.processInfo.environment["LONG_TESTS"] == "1"

/// Whether a sanitizer is linked into the program.
public let isSanitized = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
