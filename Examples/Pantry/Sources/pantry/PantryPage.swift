import Causeway
import CausewayWeb

enum PantryPage {
  static let html = """
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Pantry</title>
        <!-- causeway -->
      </head>
      <body>
        <h1>Pantry</h1>
        <form data-on="submit" data-action='{"add":{"title":"$form.title"}}' data-reset="problem?">
          <label>Item <input name="title"></label>
          <button>Add</button>
        </form>
        <p role="alert" data-show="problem?" data-text="problem?" hidden></p>
        <ul data-each="items" data-key="id">
          <template>
            <li>
              <label>
                <input type="checkbox" data-value="item.isMissing" data-on="change"
                  data-action='{"mark":{"id":"$item.id","isMissing":"$checked"}}'>
                <span data-text="item.title"></span>
              </label>
              <small data-show="item.isPending" hidden>not sent yet</small>
            </li>
          </template>
        </ul>
      </body>
    </html>
    """

  /// Shows the pantry at the start page; each tab has a view model of its own.
  static func host(_ pantry: any PantryRepository, on server: WebServer) throws {
    server.page("/", try PageTemplate(html), answering: { _ in .afterEffects }) { _ in
      let model = ViewModel(PantryList(pantry: pantry))
      model.send(.appear)
      return model
    }
  }
}
