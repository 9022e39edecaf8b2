public import Testing

extension Tag {
  /// Marks a suite whose tests measure real time, such as the time limit of a connection.
  ///
  /// `Scripts/test` runs these suites alone, one test at a time, because other tests would delay them.
  /// The file of the suite has the name of the suite.
  @Tag public static var realClock: Self
}
