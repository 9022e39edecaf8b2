import Testing

@testable import causeway

struct KnownTypesTests {
  @Test(arguments: [
    "UIPageViewController", "UICollectionReusableView", "UIAlertController", "UIBarButtonItem",
    "WKWebView", "UIPickerView", "UISearchController", "UIScrollViewDelegate", "NSOutlineView",
    "NSWindowDelegate", "MKMapView", "PDFView", "NSDocument", "UIDocument", "MKMapViewDelegate",
    "WKNavigationDelegate", "PHPickerViewControllerDelegate", "UIGestureRecognizer", "SCNView",
    "UIHostingController", "NSTableCellView", "UICollectionViewLayout",
  ])
  func `types of Apple's frameworks are on the main actor without an import`(name: String) {
    #expect(KnownNames.isMainActor(name, importsUserInterface: false))
  }

  @Test(arguments: [
    "View", "ToolbarContent", "GroupBoxStyle", "ProgressViewStyle", "DynamicViewContent", "Widget",
    "CustomizableToolbarContent", "WidgetBundle", "Gesture", "TableRowContent",
  ])
  func `protocols of SwiftUI are on the main actor in files with its import`(name: String) {
    #expect(KnownNames.isMainActor(name, importsUserInterface: true))
    #expect(!KnownNames.isMainActor(name, importsUserInterface: false))
  }

  @Test(arguments: [
    "NSObject", "UIImage", "UIColor", "NSColor", "NSImage", "CALayer", "URLSession", "Shape",
    "InsettableShape", "UNUserNotificationCenterDelegate", "CLLocationManagerDelegate", "Layout",
    "NSManagedObject", "Operation", "XCTestCase", "UIFont", "NSAttributedString", "PreferenceKey",
    "AVAudioPlayerDelegate", "CXProviderDelegate", "EnvironmentKey", "FileDocument",
  ])
  func `types that any thread may use are not on the main actor`(name: String) {
    #expect(!KnownNames.isMainActor(name, importsUserInterface: true))
  }

  @Test func `members of subclasses and of conforming types are on the main actor`() {
    Fixture(
      RedundantMainActor.self, "types of Apple's frameworks",
      """
      import SwiftUI
      class Web: WKWebView { 1️⃣@MainActor func load() {} }
      class Pages: UIPageViewController { 2️⃣@MainActor func turn() {} }
      class Scrolling: NSObject, UIScrollViewDelegate { 3️⃣@MainActor func stop() {} }
      struct Clock: Widget { 4️⃣@MainActor func show() {} }
      class Picture: UIImage { @MainActor func draw() {} }
      """,
      fixed: """
        import SwiftUI
        class Web: WKWebView { func load() {} }
        class Pages: UIPageViewController { func turn() {} }
        class Scrolling: NSObject, UIScrollViewDelegate { func stop() {} }
        struct Clock: Widget { func show() {} }
        class Picture: UIImage { @MainActor func draw() {} }
        """, compiles: false
    ).verify()
  }
}
