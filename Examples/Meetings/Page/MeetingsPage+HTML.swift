extension MeetingsPage {
  nonisolated static let html = """
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Meetings</title>
        <link rel="stylesheet" href="/meetings.css">
        <!-- causeway -->
      </head>
      <body data-address="address" data-on="address" data-action='{"visit":{"address":"$value"}}'>
        <main>
          <section data-show="isList">
            <h1>Meetings</h1>
            <ul class="cards" data-each="rows" data-key="id">
              <template>
                <li data-attr="class:item.colour">
                  <button data-on="click" data-action='{"open":{"meeting":"$item.id"}}'>
                    <strong data-text="item.title"></strong>
                    <span><span data-text="item.attendees"></span> attending,
                      <span data-text="item.minutes"></span> min</span>
                  </button>
                </li>
              </template>
            </ul>
            <button data-on="click" data-action='{"add":{}}'>New meeting</button>
          </section>
          \(detail)
          \(record)
          \(past)
          \(form)
        </main>
      </body>
    </html>
    """

  private nonisolated static let detail = """
    <section data-with="detail?"><template>
      <button data-on="click" data-action='{"back":{}}'>All meetings</button>
      <p data-hide="item.meeting?" hidden>This meeting was deleted.</p>
      <div data-with="item.meeting?"><template>
        <h1 data-text="item.title"></h1>
        <p><span data-text="item.minutes"></span> minutes</p>
        <ul data-each="item.attendees" data-key="id">
          <template><li data-text="item.name"></li></template>
        </ul>
        \(button("Begin", "detail", "record", kind: "primary"))
        \(button("Edit", "detail", "edit"))
        \(button("Delete", "detail", "delete"))
      </template></div>
      <p role="alert" data-show="item.problem?" data-text="item.problem?" hidden></p>
      <h2>Past meetings</h2>
      <ul class="cards" data-each="item.recordings" data-key="id">
        <template>
          <li><button data-on="click" data-action='\(screen("detail", #"{"open":{"_0":"$item.id"}}"#))'>
            <span data-text="item.date" data-format="date"></span>
            <span data-text="item.date" data-format="time"></span>
          </button></li>
        </template>
      </ul>
      <p data-show="item.isLoading" hidden>One moment…</p>
      <p role="alert" data-show="item.hasFailed" hidden>The past meetings could not be loaded.</p>
      <span data-show="item.hasMore" hidden>\(button("Show more", "detail", "showMore"))</span>
      \(button("Refresh", "detail", "refresh"))
      \(question(of: "detail"))
    </template></section>
    """

  private nonisolated static let record = """
    <section data-with="record?"><template>
      <h1 data-text="item.title"></h1>
      <progress max="1" data-attr="value:item.progress"></progress>
      <p class="time" data-text="item.remaining"></p>
      <p><strong data-text="item.speaker"></strong> speaks.
        <span data-show="item.next?" hidden>Next: <span data-text="item.next?"></span></span></p>
      <blockquote data-text="item.transcript"></blockquote>
      <p data-show="item.isSaving" hidden>Saving…</p>
      \(button("Next", "record", "next", kind: "primary"))
      \(button("End", "record", "end"))
      \(question(of: "record"))
    </template></section>
    """

  private nonisolated static let past = """
    <section data-with="past?"><template>
      <button data-on="click" data-action='{"back":{}}' data-text="item.meeting.title"></button>
      <h1>Transcript</h1>
      <blockquote data-text="item.recording.transcript?"></blockquote>
      <p data-show="item.isLoading" hidden>One moment…</p>
      <p role="alert" data-show="item.hasFailed" hidden>The transcript could not be loaded.
        \(button("Try again", "past", "appear"))</p>
    </template></section>
    """

  /// The page needs no dialog of the browser, because the feature decides which question is open.
  private nonisolated static func question(of feature: String) -> String {
    """
    <div data-with="item.question?"><template>
      <div class="question" role="alertdialog" aria-modal="true">
        <h2 data-text="item.title"></h2>
        <p data-text="item.message?"></p>
        <span data-each="item.buttons" data-key="title"><template>
          <button data-on="click" data-text="item.title"
            data-action='\(screen(feature, #"{"answer":{"_0":"$item.answer"}}"#))'></button>
        </template></span>
      </div>
    </template></div>
    """
  }

  private nonisolated static func button(
    _ title: String, _ feature: String, _ action: String, kind: String = "plain"
  ) -> String {
    """
    <button class="\(kind)" data-on="click" \
    data-action='\(screen(feature, #"{"\#(action)":{}}"#))'>\(title)</button>
    """
  }

  /// An action of the shown screen.
  private nonisolated static func screen(_ feature: String, _ action: String) -> String {
    #"{"screen":{"id":"$state.screen?","action":{"\#(feature)":{"_0":\#(action)}}}}"#
  }
}
