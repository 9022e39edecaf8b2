extension MeetingsPage {
  /// The fields of a meeting; each change is sent at once as an edit.
  nonisolated static let form = """
    <div data-with="form?"><template>
      <form class="sheet" data-on="submit" data-action='\(action(#"{"save":{}}"#))'>
        <label>Title
          <input data-value="item.meeting.title" data-on="input" data-debounce="200"
            data-action='\(edit("title"))'></label>
        <label>Minutes
          <input type="range" min="5" max="60" data-value="item.meeting.minutes" data-on="input"
            data-debounce="200" data-action='\(edit("minutes"))'>
          <output data-text="item.meeting.minutes"></output></label>
        <label>Colour
          <select data-value="item.meeting.colour" data-on="change" data-action='\(edit("colour"))'>
            \(Meeting.Colour.allCases.map { "<option>\($0.rawValue)</option>" }.joined())
          </select></label>
        <h2>Attendees</h2>
        <ul data-each="item.meeting.attendees" data-key="id">
          <template>
            <li>
              <input aria-label="Name" data-value="item.name" data-on="input" data-debounce="200"
                data-action='\(action(#"{"attendee":{"_0":"$item.id","_1":{"name":"$value"}}}"#))'>
              <button type="button" data-on="click"
                data-action='\(action(#"{"removeAttendee":{"_0":"$item.id"}}"#))'>Remove</button>
            </li>
          </template>
        </ul>
        <button type="button" data-on="click" data-action='\(action(#"{"addAttendee":{}}"#))'>
          Add an attendee</button>
        <p role="alert" data-show="item.problem?" data-text="item.problem?" hidden></p>
        <button class="primary">Save</button>
        <button type="button" data-on="click" data-shortcut="Escape"
          data-action='\(action(#"{"cancel":{}}"#))'>Cancel</button>
      </form>
    </template></div>
    """

  private nonisolated static func edit(_ field: String) -> String {
    action(#"{"edit":{"_0":{"\#(field)":"$value"}}}"#)
  }

  private nonisolated static func action(_ action: String) -> String {
    #"{"form":{"screen":"$state.form.screen?","action":\#(action)}}"#
  }
}
