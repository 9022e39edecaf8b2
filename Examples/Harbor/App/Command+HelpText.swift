extension Command {
  /// The text that `harbor --help` prints.
  public static let helpText = """
    Harbor: a live activity board for a small group.

    usage: harbor [--port N] [--data DIR] [--empty]

      --port N     Listen on this port of 127.0.0.1; 0 takes any free one. Default: 8080.
      --data DIR   Keep the board in this directory, which is made where it is missing.
                   Default: $XDG_DATA_HOME/harbor, or ~/.local/share/harbor without it
                   (on macOS ~/Library/Application Support/harbor).
      --empty      Begin a new board with nothing on it instead of a small sample.
      --help       Show this text.

    Prints its address when it is ready. Ctrl-C or SIGTERM stops it; what was
    saved is there again at the next start.

    Exit codes: 0 stopped, 1 could not start, 64 arguments that make no sense.

    """
}
