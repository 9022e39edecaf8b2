import SwiftSyntax

/// Where code runs, as far as declarations tell.
enum Isolation: Equatable, Sendable {
  case mainActor
  case globalActor(String)
  /// The actor whose instance member the code is.
  case actorInstance
  case nonisolated
  /// The caller's actor: a nonisolated `async` function under `NonisolatedNonsendingByDefault`.
  case caller
  /// Not known without types of other modules. Rules stay silent.
  case unknown

  var isIsolated: Bool {
    switch self {
    case .mainActor, .globalActor, .actorInstance: true
    case .nonisolated, .caller, .unknown: false
    }
  }
}

extension Isolation {
  /// What a declaration says itself; nil when it says nothing.
  static func explicit(
    _ attributes: AttributeListSyntax, _ modifiers: DeclModifierListSyntax,
    globalActors: Set<String>
  ) -> Isolation? {
    if modifiers.has(.nonisolated) { return .nonisolated }
    for name in attributes.names {
      if name == "MainActor" { return .mainActor }
      if globalActors.contains(name) { return .globalActor(name) }
      if name == "concurrent" { return .nonisolated }
    }
    // Code in `#if` around an attribute may or may not apply.
    for case .ifConfigDecl in attributes { return .unknown }
    return nil
  }
}

/// The names of other modules that have a meaning for isolation.
enum KnownNames {
  /// Types and protocols of UI frameworks that are isolated to the main actor, and so are types that
  /// inherit from them or state the conformance at their declaration.
  static let mainActor: Set<String> = [
    // SwiftUI
    "View", "App", "Scene", "ViewModifier", "UIViewRepresentable", "NSViewRepresentable",
    "UIViewControllerRepresentable", "NSViewControllerRepresentable", "ButtonStyle",
    "PrimitiveButtonStyle", "ToggleStyle", "LabelStyle", "TextFieldStyle", "Commands",
    "ToolbarContent", "PreviewProvider", "UIHostingController",
    // UIKit
    "UIView", "UIViewController", "UIControl", "UIButton", "UILabel", "UITableView",
    "UITableViewCell", "UITableViewController", "UICollectionView", "UICollectionViewCell",
    "UICollectionViewController", "UINavigationController", "UITabBarController", "UIWindow",
    "UIResponder", "UIScrollView", "UIStackView", "UIImageView", "UITextField", "UITextView",
    "UIApplicationDelegate", "UIWindowSceneDelegate", "UISceneDelegate", "UITableViewDelegate",
    "UITableViewDataSource", "UICollectionViewDelegate", "UICollectionViewDataSource",
    "UITextFieldDelegate",
    // AppKit
    "NSView", "NSViewController", "NSWindow", "NSWindowController", "NSApplicationDelegate",
    "NSResponder",
  ]

  /// The modules that those come from: without one of them the names are the app's own.
  static let userInterfaceModules: Set<String> = ["SwiftUI", "UIKit", "AppKit", "WatchKit"]

  /// Protocols that refine `Sendable` or `SendableMetatype`: under default isolation a type that
  /// states one of them stays nonisolated.
  static let refiningSendable: Set<String> = [
    "Error", "LocalizedError", "CustomNSError", "RecoverableError", "CodingKey", "Actor",
    "GlobalActor", "SendableMetatype", "Clock", "InstantProtocol", "AppIntent", "AppEntity",
    "ParsableCommand", "AsyncParsableCommand", "PersistentModel", "DurationProtocol",
  ]

  /// Classes of other modules that a main-actor class may inherit from without its own isolation.
  static let neutralSuperclasses: Set<String> = ["NSObject"]

  /// Protocols of the standard library and Foundation, which are not classes and isolate nothing.
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

  static let inheritingFunctions: Set<String> = [
    // Closures that are not `@Sendable` run where they are written.
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
