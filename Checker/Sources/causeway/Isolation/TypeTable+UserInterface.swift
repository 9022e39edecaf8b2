extension TypeTable {
  /// Whether a file that imports a UI framework declares or names a class.
  func isUsedByUserInterface(_ name: String) -> Bool {
    entries[name]?.importsUserInterface == true
      || namesInUserInterface.contains(name.split(separator: ".").last.map(String.init) ?? name)
  }
}
