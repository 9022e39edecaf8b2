extension KnownNames {
  /// Protocols that refine `Sendable` or `SendableMetatype`.
  ///
  /// Under default isolation, a type that states one of them stays nonisolated, and its conformance
  /// cannot be isolated.
  static let refiningSendable = toolchainProtocols.union(appleProtocols).union(packageProtocols)

  /// The protocols of the toolchain's modules, from their symbol graphs.
  ///
  /// A test reads the symbol graphs of the installed toolchain and fails if one is missing here.
  static let toolchainProtocols: Set<String> = [
    // Swift and _Concurrency
    "Actor", "Clock", "CodingKey", "DurationProtocol", "Error", "Executor", "GlobalActor",
    "InstantProtocol", "SendableMetatype", "SerialExecutor", "TaskExecutor", "UnsafeSendable",
    // Distributed
    "DistributedActor", "DistributedActorSystem", "DistributedActorSystemError",
    // Foundation and FoundationEssentials
    "AttributeScope", "AttributedStringKey", "AttributedStringProtocol",
    "CustomNSError", "DecodableAttributedStringKey", "EncodableAttributedStringKey",
    "FileManagerDelegate", "LocalizedError", "MarkdownDecodableAttributedStringKey",
    "NotificationCenter.AsyncMessage", "NotificationCenter.MainActorMessage", "RecoverableError",
    "SortComparator",
    "StandardPredicateExpression",
    // FoundationNetworking
    "URLAuthenticationChallengeSender", "URLProtocolClient", "URLSessionDataDelegate",
    "URLSessionDelegate", "URLSessionDownloadDelegate", "URLSessionStreamDelegate",
    "URLSessionTaskDelegate", "URLSessionWebSocketDelegate",
    // Testing
    "CustomTestArgumentEncodable", "SuiteTrait", "TestScoping", "TestTrait", "Trait",
  ]

  /// Protocols of Apple's frameworks.
  ///
  /// The source is the declarations in developer.apple.com/documentation, in the folders `appintents`,
  /// `coretransferable`, `swiftdata` and `swiftui`. The delegates of `URLSession` (`foundation/urlsessiondelegate`) are
  /// in the toolchain's FoundationNetworking too.
  static let appleProtocols: Set<String> = [
    // AppIntents
    "AppEntity", "AppEnum", "AppIntent", "AppValue", "AssistantIntent", "DeleteIntent",
    "EntityQuery", "EntityStringQuery", "EnumerableEntityQuery",
    "LiveActivityStartingIntent", "OpenIntent", "SetValueIntent", "SystemIntent",
    "TargetContentProvidingIntent", "UISceneAppIntent",
    // SwiftData
    "PersistentModel",
    // SwiftUI
    "CustomAnimation", "InsettableShape", "Layout", "Shape",
    // CoreTransferable
    "Transferable",
  ]

  /// Protocols of swift-argument-parser.
  static let packageProtocols: Set<String> = ["AsyncParsableCommand", "ParsableCommand"]
}
