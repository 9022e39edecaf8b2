extension MeetingsPage {
  nonisolated static let css = """
    :root { color-scheme: light dark; font: 1.05rem/1.5 system-ui, sans-serif; }
    main { max-width: 34rem; margin: 2rem auto; padding: 0 1rem; }
    button, input, select { font: inherit; padding: .4rem .8rem; }
    button.primary { font-weight: 600; }
    label { display: block; margin: .6rem 0; }
    .cards { list-style: none; padding: 0; }
    .cards li { border-left: .5rem solid gray; margin: .5rem 0; }
    .cards button { width: 100%; display: flex; justify-content: space-between; }
    .cards .coral { border-color: coral; }
    .cards .gold { border-color: goldenrod; }
    .cards .moss { border-color: olivedrab; }
    .cards .slate { border-color: slategray; }
    .cards .teal { border-color: teal; }
    progress { width: 100%; }
    .time { font-size: 2rem; font-variant-numeric: tabular-nums; }
    .sheet, .question { position: fixed; inset: 10vh auto auto 50%; transform: translateX(-50%);
      width: min(30rem, 92vw); max-height: 80vh; overflow: auto; padding: 1rem;
      background: Canvas; border: 1px solid GrayText; box-shadow: 0 0 0 100vmax #0006; }
    """
}
