/// Names a place at which a simulation can delay or crash the app.
///
/// Put it between two effects that must both happen, for example after a receipt is stored and
/// before its answer is sent:
///
/// ```swift
/// try await database.write { try $0.execute("INSERT INTO receipt …") }
/// await faultPoint("after the receipt")
/// ```
///
/// In a simulation with the fault `faultPoints`, the seed decides what happens. Outside a simulation,
/// the function returns without suspending. It costs one uncontended lock.
///
/// - Parameter name: The name of the place, which the timeline of a failure shows.
public func faultPoint(_ name: StaticString) async {
  await SystemValues.faultPoint(name)
}
