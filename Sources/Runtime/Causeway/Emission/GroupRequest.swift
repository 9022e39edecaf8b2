/// A sequence or a merge with a policy or an id.
///
/// It is started and cancelled as a whole.
@usableFromInline
final class GroupRequest<State: Sendable, Action: Sendable>: Sendable {
  let name: EffectName?
  let place: EffectPlace
  let policy: EffectPolicy
  let node: EmissionNode<State, Action>

  init(
    _ policy: EffectPolicy, id: EffectID?, _ place: EffectPlace, _ node: EmissionNode<State, Action>
  ) {
    name = id?.name
    self.place = id?.place ?? place
    self.policy = policy
    self.node = node
  }
}
