extension IdentifiedArray: CustomReflectable {
  /// The elements in order, as in the mirror of an `Array`.
  ///
  /// The mirror leaves out the lookup tables: equal arrays then look the same in dumps, differences
  /// and records.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: elements, displayStyle: .collection)
  }
}
