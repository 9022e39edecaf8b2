import Causeway
import Foundation
import Synchronization

struct Tally: Interactor {
  struct State: Equatable, Sendable {
    var marks: [Int] = []
  }

  enum Action: Equatable, Sendable {
    case mark(Int)
    case markAtomically(Int)
  }

  let fetch: @Sendable (Int) async -> Int

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [fetch] state, action in
      switch action {
      // snippet
      case .mark(let number):
        let marks = state.marks
        return .perform { send in
          let mark = await fetch(number)
          await send(replacing: State(marks: marks + [mark]))  // wrong: a lost update
        }
      // end
      // snippet
      case .markAtomically(let number):
        return .perform { send in
          let mark = await fetch(number)
          await send { $0.marks.append(mark) }
        }
      // end
      }
    }
  }
}

// snippet
/// Runs where its caller does.
func here() async -> (any Actor)? { #isolation }

/// Runs on the concurrent executor.
@concurrent func elsewhere() async -> (any Actor)? { #isolation }
// end

// snippet
/// C calls it on a thread of its own.
nonisolated private func receive(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<Mailbox>.fromOpaque(context).takeUnretainedValue().fill()
  return nil
}

@MainActor func startThread(_ mailbox: Mailbox) -> pthread_t {
  var thread = pthread_t()
  pthread_create(&thread, nil, receive, Unmanaged.passUnretained(mailbox).toOpaque())
  return thread
}
// end

final class Mailbox: Sendable {
  private let count = Atomic(0)

  var isFilled: Bool { count.load(ordering: .acquiring) > 0 }

  func fill() { count.add(1, ordering: .releasing) }
}

// snippet
@MainActor final class Watch {
  private var task: Task<Void, Never>?
  private var count = 0

  func follow(_ events: AsyncStream<Int>) {
    task = Task { [weak self] in
      for await event in events {
        self?.count += event  // weak for each event, so that the task does not keep the watch
      }
    }
  }

  isolated deinit { task?.cancel() }
}
// end
