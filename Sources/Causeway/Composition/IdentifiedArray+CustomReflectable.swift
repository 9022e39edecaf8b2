extension IdentifiedArray: CustomReflectable {
  /// The elements in order, as of an `Array`.
  ///
  /// What the array keeps to find them is left out, so that equal arrays look the same in dumps,
  /// differences and records.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: elements, displayStyle: .collection)
  }
}
