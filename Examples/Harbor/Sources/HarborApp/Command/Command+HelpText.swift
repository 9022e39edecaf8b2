extension Command {
  /// The text that `harbor --help` prints.
  public static let helpText = """
    Harbor: a live activity board for a small group. Its app also works offline.

    usage: harbor [--port N] [--server-port N] [--data DIR | --store URL]
                  [--public NAME] [--empty] [--sign-up WHO]
           harbor serve [--port N] [--data DIR | --store URL] [--public NAME]
                  [--sign-up WHO]
           harbor app --server URL [--port N] [--data DIR] [--public NAME]
           harbor backup NEW-DIR [--data DIR]
           harbor export [FILE] [--data DIR | --store URL]
           harbor import FILE [--data DIR | --store URL]
           harbor remove RECORD [--data DIR | --store URL]
           harbor account list [--data DIR | --store URL]
           harbor account reset NAME [--public NAME] [--data DIR | --store URL]
           harbor account delete NAME --yes [--data DIR | --store URL]
           harbor feedback [--json] [--data DIR | --store URL]
           harbor invite GROUP [--data DIR | --store URL] [--public NAME | --port N]

    Without a command, one process runs the backend and its pages, which work on
    its database. `serve` runs only the backend. `app` is a device of its own: it
    stores its data and works without the backend, too. Several devices and the
    pages can share a backend.

      --port N         Listen on this port; 0 chooses a free port. Default: 8080,
                       and 8081 for `serve`. /health there tells whether Harbor works.
      --listen ADDRESS Listen on this address of the machine, and not on 127.0.0.1.
                       0.0.0.0 and :: are all addresses. The backend without a
                       command stays on 127.0.0.1.
      --server-port N  The port of the backend without a command. Default: 8081,
                       or a free port if --port is given.
      --server URL     The address of the backend.
      --data DIR       Store all data in this directory, which is made if it is
                       missing. --store is the same. Default: $XDG_DATA_HOME/harbor,
                       or ~/.local/share/harbor without it (on macOS
                       ~/Library/Application Support/harbor).
      --store URL      Store the data of the backend in a PostgreSQL database.
                       Example: postgres://harbor@db1,db2/harbor. Any number of
                       processes can share it, behind a proxy that keeps a browser
                       on its process. Put the password in ~/.pgpass, because other
                       users can see the arguments of a process.
      --public NAME    A reverse proxy on this machine serves this process as
                       https://NAME. Everybody signs in on its pages. `serve`
                       asks for tokens.
      --sign-up WHO    Who may make an account: open (everybody), invitation (who
                       has an invitation to a group) or closed (nobody). Default:
                       invitation with --public, otherwise open.
      --proxy ADDRESS  Another proxy between the clients and that reverse proxy,
                       such as a load balancer; can be repeated. Limits for each
                       client need these addresses.
      --smtp URL       Send mails for new passphrases and about activities to
                       this mail server, such as smtp://name@mail.example:587.
                       The variable HARBOR_SMTP_PASSWORD has its password.
      --mail-from ADDRESS
                       The address from which the mails are.
      --sessions N     Allow N open pages at a time. Default: 1000. A page needs
                       about 85 kB of memory and two of the files that a process
                       may open (ulimit -n, or LimitNOFILE in a systemd unit).
      --sessions-per-address N
                       Allow N open pages of one client address. Default: 250.
      --limit NAME=N   A limit of the backend; can be repeated. By the minute, with the
                       defaults: changes-per-minute=600 and uploads-per-minute=20 for
                       an account (not for the account of this machine), and
                       group-changes-per-minute=6000. In all: activities=2000,
                       people=2000, members=1000 and invitations=100 for a group;
                       names=20 of an account in a group; groups=50, links=500,
                       pictures=50, feedback=200, devices=100 and receipts=20000 for an
                       account; accounts=10000. `import` has no limits.
      --log LEVEL      What standard error tells: `error` for failures, `info` (default)
                       also for the start, the stop and refused sign-ins, `debug`
                       also for each request, and `off`. It names no secret.
      --inspect        Also print the address of a page that shows the actions,
                       effects and states of all pages, for developers. The last
                       events are in the data directory, in inspector.ring.
      --empty          Start a new board without the sample activities.
      --version        Show the version.
      --help           Show this text.

    `backup` copies the files into a new directory while Harbor may be running;
    start the copy with --data. `export` writes the groups, activities and links
    as JSON, and `import` adds such a file. An export leaves out and names the
    records that it cannot read, and then fails; `remove` removes such a record.

    `account` and `feedback` use the data of a Harbor that may be running. `reset`
    prints a link with which a person sets a new passphrase, once and within 24
    hours, which ends all sessions of the account. `delete` removes an account and
    what is only its own: its activities stay on the boards, and its feedback stays.

    `invite` prints a link that invites to a group for two weeks, also while Harbor
    is running. GROUP is the name or the id of a group; a group of a new name begins
    with the first person who uses the link.

    A running Harbor prints its address when it is ready. Ctrl-C or SIGTERM stops
    it. Everything is stored, and the next start shows it again.

    Exit codes: 0 stopped or done, 1 could not start or failed, 64 invalid arguments.

    """
}
