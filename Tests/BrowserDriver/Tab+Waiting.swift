extension Tab {
  /// Returns when a JavaScript condition is true in the page.
  ///
  /// The page checks the condition again after each change of its document, each input, and each
  /// loaded picture. It also checks the condition four times a second, because some changes have no
  /// event, such as a change of the address. After a reload the new page checks it.
  ///
  /// - Throws: `BrowserError.timedOut` with the text and the errors of the page, after `limit`.
  public func wait(until condition: String, limit: Duration = .seconds(60)) async throws {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: limit)
    while clock.now < end {
      let left = clock.now.duration(to: end)
      do {
        if try await evaluate(watching(condition, for: left), limit: left + .seconds(5))
          == .bool(true)
        {
          return
        }
        break
      } catch BrowserError.refused(let command, let message) {
        // The page was unloaded during the script. Continue in the next page when it has loaded.
        guard message.contains("context") || message.contains("navigated") else {
          throw BrowserError.refused(command: command, message: message)
        }
      }
    }
    let page = try? await evaluate("document.body ? document.body.innerText : ''").text
    throw BrowserError.timedOut(
      condition: condition, after: limit, page: page ?? "nothing", problems: await problems)
  }

  /// Returns when an element is visible.
  public func waitToSee(_ element: Element, limit: Duration = .seconds(60)) async throws {
    try await wait(until: element.isVisible, limit: limit)
  }

  /// Returns when an element is hidden or missing.
  public func waitToMiss(_ element: Element, limit: Duration = .seconds(60)) async throws {
    try await wait(until: "!(\(element.isVisible))", limit: limit)
  }

  /// Returns when the visible text of the page contains `text`.
  public func waitToRead(_ text: String, limit: Duration = .seconds(60)) async throws {
    try await wait(until: "document.body?.innerText.includes(\(text.script))", limit: limit)
  }

  private func watching(_ condition: String, for limit: Duration) -> String {
    """
    new Promise((resolve, reject) => {
      const holds = () => Boolean(\(condition));
      let timer, polling, observer;
      const events = [
        "input", "change", "focusin", "focusout", "close", "toggle", "transitionend", "load", "error",
      ];
      const finish = (act, value) => {
        observer.disconnect();
        clearTimeout(timer);
        clearInterval(polling);
        events.forEach((name) => document.removeEventListener(name, look, true));
        act(value);
      };
      const look = () => {
        try {
          if (holds()) finish(resolve, true);
        } catch (error) {
          finish(reject, error);
        }
      };
      observer = new MutationObserver(look);
      observer.observe(document, {
        subtree: true, childList: true, attributes: true, characterData: true,
      });
      events.forEach((name) => document.addEventListener(name, look, true));
      timer = setTimeout(() => finish(resolve, false), \(limit.milliseconds));
      polling = setInterval(look, 250);
      look();
    })
    """
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
  }
}
