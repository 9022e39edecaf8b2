import SwiftSyntax

/// The isolation of code, as far as declarations show it.
enum Isolation: Equatable, Sendable {
  case mainActor
  case globalActor(String)
  /// The actor of the instance member that contains the code.
  case actorInstance
  case nonisolated
  /// The caller's actor: a nonisolated `async` function under `NonisolatedNonsendingByDefault`.
  case caller
  /// Unknown without the types of other modules. Rules report nothing for such code.
  case unknown

  var isIsolated: Bool {
    switch self {
    case .mainActor, .globalActor, .actorInstance: true
    case .nonisolated, .caller, .unknown: false
    }
  }
}

extension Isolation {
  private static let storedTexts: [(text: String, isolation: Isolation)] = [
    ("main", .mainActor), ("instance", .actorInstance), ("none", .nonisolated),
    ("caller", .caller), ("unknown", .unknown),
  ]
  private static let storedActor = "actor "

  /// The isolation in a stored record.
  var storedText: String {
    if case .globalActor(let name) = self { return Isolation.storedActor + name }
    return Isolation.storedTexts.first { $0.isolation == self }?.text ?? "unknown"
  }

  init?(storedText: String) {
    if storedText.hasPrefix(Isolation.storedActor) {
      self = .globalActor(String(storedText.dropFirst(Isolation.storedActor.count)))
      return
    }
    guard let known = Isolation.storedTexts.first(where: { $0.text == storedText }) else {
      return nil
    }
    self = known.isolation
  }
}

extension Isolation {
  /// The isolation that a declaration states explicitly, or nil.
  static func explicit(
    _ attributes: AttributeListSyntax, _ modifiers: DeclModifierListSyntax,
    globalActors: Set<String>
  ) -> Isolation? {
    StatedIsolation(attributes, modifiers).isolation(globalActors: globalActors)
  }
}

/// Names in other modules that affect isolation.
enum KnownNames {
  /// Protocols of SwiftUI, WidgetKit and Charts that are isolated to the main actor.
  ///
  /// Types that inherit from them or state the conformance at their declaration are isolated too.
  static let swiftUI: Set<String> = [
    "View", "App", "Scene", "ViewModifier", "EnvironmentalModifier", "DynamicViewContent",
    "UIViewRepresentable", "NSViewRepresentable", "UIViewControllerRepresentable",
    "NSViewControllerRepresentable", "WKInterfaceObjectRepresentable",
    "UIGestureRecognizerRepresentable", "NSGestureRecognizerRepresentable",
    "ButtonStyle", "PrimitiveButtonStyle", "ToggleStyle", "LabelStyle", "LabeledContentStyle",
    "TextFieldStyle", "TextEditorStyle", "PickerStyle", "DatePickerStyle", "ListStyle", "FormStyle",
    "TableStyle", "IndexViewStyle", "GroupBoxStyle", "ControlGroupStyle", "DisclosureGroupStyle",
    "ProgressViewStyle", "GaugeStyle", "MenuStyle", "MenuButtonStyle", "NavigationViewStyle",
    "NavigationSplitViewStyle", "TabViewStyle", "Commands", "ToolbarContent",
    "CustomizableToolbarContent", "TabContent", "TableRowContent", "DynamicTableRowContent",
    "TableColumnContent", "AccessibilityRotorContent", "Gesture", "DropDelegate",
    "PreviewProvider", "PreviewModifier", "Widget", "WidgetBundle", "ControlWidget",
    "ChartContent",
  ]

  /// Classes and protocols that the generated lists lack.
  private static let classesWithoutHeaders: Set<String> = [
    "UIHostingController", "NSHostingController", "UIHostingView", "NSHostingView",
    "WKHostingController", "SFSafariViewController", "WKInterfaceController",
  ]
  private static let protocolsWithoutHeaders: Set<String> = [
    "WKApplicationDelegate", "WKExtensionDelegate", "UISceneDelegate", "UIWindowSceneDelegate",
    "UICollectionViewDataSource", "UITableViewDataSource",
  ]

  /// Whether the class with this name, from another module, is isolated to the main actor.
  static func isMainActorClass(_ name: String) -> Bool {
    mainActorClasses.contains(name) || classesWithoutHeaders.contains(name)
  }

  /// Classes of Foundation without a prefix that programs inherit from.
  private static let foundationClasses: Set<String> = [
    "Thread", "Operation", "BlockOperation", "OperationQueue", "Formatter", "DateFormatter",
    "NumberFormatter", "Stream", "InputStream", "OutputStream", "URLProtocol", "URLCache",
    "HTTPCookieStorage", "UserDefaults", "Progress", "Bundle", "FileManager", "XMLParser", "Unit",
    "Dimension", "ValueTransformer", "Port", "JSONEncoder", "JSONDecoder",
  ]

  /// The prefixes of Apple's frameworks in Objective-C, in front of a word.
  private static let applePrefixes: Set<String> = [
    "NS", "UI", "CA", "CI", "CL", "CN", "CX", "AV", "SCN", "SK", "UN", "LA", "MK", "MTK", "HK",
    "WK",
    "PK", "AS", "PH", "MF", "EK", "GK", "GC", "CB", "CM", "CK", "CT", "MC", "MP", "NE", "PDF", "QL",
    "RP", "SF", "SN", "VN", "WC", "IN", "MX", "ML", "MD", "JS", "AR", "CP", "HM", "LP", "XC", "IK",
  ]

  /// Whether subclasses of another module's class cannot be on the main actor.
  ///
  /// The lists of main-actor classes contain all such classes of Apple's frameworks. A prefix shows
  /// that a class is from one of these frameworks.
  static func isClassOffMainActor(_ name: String) -> Bool {
    if foundationClasses.contains(name) { return true }
    let capitals = name.prefix(while: \.isUppercase)
    return applePrefixes.contains(String(capitals.dropLast())) && capitals.count < name.count
      && !neutralSuperclasses.contains(name) && !isMainActor(name, importsUserInterface: true)
  }

  /// Whether the type with this name, from another module, is isolated to the main actor.
  ///
  /// - Parameter imports: Whether the code imports a UI framework. Without such an import, short
  ///   names such as `View` and `App` belong to another module.
  static func isMainActor(_ name: String, importsUserInterface imports: Bool) -> Bool {
    isMainActorClass(name) || mainActorProtocols.contains(name)
      || protocolsWithoutHeaders.contains(name) || imports && swiftUI.contains(name)
  }

  /// The frameworks of user interfaces.
  static let userInterfaceModules: Set<String> = ["SwiftUI", "UIKit", "AppKit", "WatchKit"]

  /// Classes of other modules that a main-actor class may inherit from without its own isolation.
  static let neutralSuperclasses: Set<String> = ["NSObject"]

  /// Protocols of the standard library and Foundation that do not isolate their conforming types.
  static let neutralProtocols: Set<String> = [
    "Sendable", "Codable", "Encodable", "Decodable", "Equatable", "Hashable", "Comparable",
    "Identifiable", "CaseIterable", "RawRepresentable", "CustomStringConvertible",
    "CustomDebugStringConvertible", "ObservableObject", "Observable", "AnyObject", "NSCopying",
    "Sequence", "IteratorProtocol", "AsyncSequence", "AsyncIteratorProtocol", "Collection",
    "ExpressibleByStringLiteral", "ExpressibleByIntegerLiteral", "ExpressibleByArrayLiteral",
    "ExpressibleByDictionaryLiteral", "OptionSet", "SetAlgebra", "Copyable", "Escapable",
    "String", "Int", "UInt", "Int64", "UInt64", "Int32", "UInt32", "UInt8", "Character", "Double",
    "NSObject", "NSObjectProtocol", "Cancellable", "CustomReflectable", "LosslessStringConvertible",
    "Strideable", "TextOutputStream", "Error", "LocalizedError", "CodingKey", "Void",
  ]

  /// Whether the requirements of another module's protocol are neutral or on the main actor.
  ///
  /// - Parameter isAsync: Whether the requirement is async. Async requirements of Objective-C
  ///   protocols can have the isolation of their caller.
  static func statesNoIsolation(_ name: String, isAsync: Bool) -> Bool {
    isMainActor(name, importsUserInterface: true) || neutralProtocols.contains(name)
      || refiningSendable.contains(name)
      || neutralSuperclasses.contains(name) || !isAsync && isObjectiveCDelegate(name)
  }

  /// Whether a name has the form of Apple's delegates, such as `CLLocationManagerDelegate`.
  private static func isObjectiveCDelegate(_ name: String) -> Bool {
    name.prefix(3).allSatisfy(\.isUppercase)
      && (name.hasSuffix("Delegate") || name.hasSuffix("DataSource"))
  }

  /// Functions that start a task on the actor of the caller.
  static let tasks: Set<String> = ["Task", "Task.init", "Task.immediate"]
  static let detachedTasks: Set<String> = ["Task.detached", "Task.immediateDetached"]
  static let childTasks: Set<String> = ["addTask", "addTaskUnlessCancelled", "addImmediateTask"]

  /// Functions that suspend their caller until a continuation is resumed.
  static let continuations: Set<String> = [
    "withCheckedContinuation", "withCheckedThrowingContinuation", "withUnsafeContinuation",
    "withUnsafeThrowingContinuation",
  ]

  static let inheritingFunctions: Set<String> = [
    // The closures of these functions are not `@Sendable` and keep the isolation of their caller.
    "map", "flatMap", "compactMap", "filter", "forEach", "reduce", "sorted", "sort", "first",
    "last", "contains", "allSatisfy", "min", "max", "removeAll", "drop", "prefix", "partition",
    "firstIndex", "lastIndex", "mapValues", "compactMapValues", "enumerated", "withAnimation",
    "withTransaction", "withLock", "withCheckedContinuation", "withCheckedThrowingContinuation",
    "withUnsafeContinuation", "withUnsafeThrowingContinuation", "withTaskGroup",
    "withThrowingTaskGroup", "withDiscardingTaskGroup", "withThrowingDiscardingTaskGroup",
    "withExtendedLifetime", "autoreleasepool", "AsyncStream", "AsyncThrowingStream",
    "withUnsafeBytes", "withUnsafeBufferPointer", "withObservationTracking",
  ]

  /// Modifiers and containers of SwiftUI whose closures run on the main actor.
  static let viewFunctions: Set<String> = [
    "Button", "VStack", "HStack", "ZStack", "LazyVStack", "LazyHStack", "List", "ForEach", "Form",
    "Section", "Group", "ScrollView", "NavigationStack", "NavigationView", "NavigationLink",
    "GeometryReader", "Menu", "TabView", "Toggle", "Label", "onAppear", "onDisappear", "onChange",
    "onTapGesture", "onLongPressGesture", "task", "sheet", "fullScreenCover", "alert",
    "confirmationDialog", "toolbar", "overlay", "background", "swipeActions", "contextMenu",
    "onReceive", "onSubmit", "onDelete", "onMove", "WindowGroup", "popover", "safeAreaInset",
    "ToolbarItem", "DisclosureGroup",
  ]
}
