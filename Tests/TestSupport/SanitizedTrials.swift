import Foundation

/// Returns the number of trials of an exploration that finds no failure.
///
/// Under a sanitizer it is a sixth, at least 10. The orders of the trials are the same with and
/// without a sanitizer, so the usual tests search all of them. A sanitizer detects other errors. It
/// slows down a trial about ten times, and the first trials already run all of the code.
public func trials(_ count: Int) -> Int {
  isSanitized ? min(count, max(count / 6, 10)) : count
}

/// Whether a sanitizer is linked into the program.
public let isSanitized = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
