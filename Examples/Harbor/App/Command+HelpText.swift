extension Command {
  /// The text that `harbor --help` prints.
  public static let helpText = """
    Harbor: a live activity board for a small group.

    usage: harbor [--port N] [--data DIR] [--empty]

      --port N     Listen on this port of 127.0.0.1; 0 chooses a free port. Default: 8080.
      --data DIR   Store the board in this directory, which is made if it is missing.
                   Default: $XDG_DATA_HOME/harbor, or ~/.local/share/harbor without it
                   (on macOS ~/Library/Application Support/harbor).
      --empty      Start a new board without the sample activities.
      --help       Show this text.

    Prints its address when it is ready. Ctrl-C or SIGTERM stops it. The
    board is stored, and the next start shows it again.

    Exit codes: 0 stopped, 1 could not start, 64 invalid arguments.

    """
}
