/// The functions of the system whose values no trial simulates, such as `rand()`.
package enum RealValues {
  /// A sentence that names the functions; empty without any.
  package static func text(of functions: [String]) -> String {
    functions.isEmpty
      ? ""
      : "The trial has used \(functions.joined(separator: ", ")), whose values are not simulated."
  }
}
