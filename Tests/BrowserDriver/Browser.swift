import Synchronization

/// A headless browser with profiles that a test owns.
///
/// The process behind it serves other tests too. Its protocol runs over pipes or over a socket of
/// this machine.
public final class Browser: Sendable {
  /// The browser.
  public let kind: BrowserKind
  private let process: any BrowserProcess
  private let profiles: Mutex<[String]>

  /// Makes a browser with an empty profile.
  ///
  /// - Throws: `BrowserError.notInstalled` without a browser, `.ended` if it does not start.
  public static func launch(_ kind: BrowserKind) async throws -> Browser {
    let process = try await SharedBrowsers.shared.browser(kind)
    return Browser(kind, process, profile: try await process.makeProfile())
  }

  private init(_ kind: BrowserKind, _ process: any BrowserProcess, profile: String) {
    self.kind = kind
    self.process = process
    profiles = Mutex([profile])
  }

  /// Opens a tab.
  ///
  /// - Parameter ownProfile: Whether the tab shares no cookies with others, like a second person's
  ///   browser.
  public func newTab(ownProfile: Bool = false) async throws -> Tab {
    guard ownProfile else {
      return Tab(driver: try await process.newTab(inProfile: profiles.withLock { $0[0] }))
    }
    let profile = try await process.makeProfile()
    profiles.withLock { $0.append(profile) }
    return Tab(driver: try await process.newTab(inProfile: profile))
  }

  /// Opens a tab that shares its cookies with another tab.
  public func newTab(besides tab: Tab) async throws -> Tab {
    Tab(driver: try await process.newTab(inProfile: tab.driver.profile))
  }

  /// Closes the tabs and removes their profiles.
  public func close() async {
    for profile in profiles.withLock({ $0 }) { try? await process.removeProfile(profile) }
  }
}
