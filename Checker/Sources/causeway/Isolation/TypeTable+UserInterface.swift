extension TypeTable {
  /// Whether a file with a UI framework declares a class or names it.
  func isUsedByUserInterface(_ name: String) -> Bool {
    entries[name]?.importsUserInterface == true
      || namesInUserInterface.contains(name.split(separator: ".").last.map(String.init) ?? name)
  }
}
