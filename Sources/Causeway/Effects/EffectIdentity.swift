/// Which effect it is: its name, where it was asked for, and where in the tree that was.
struct EffectIdentity: Sendable {
  /// The id, if one was given.
  let name: EffectName?
  /// The place of the call that asked for it.
  let place: EffectPlace
  var path: EffectPath = []

  /// The given id, or that of the place.
  var id: EffectID { name.map { EffectID($0) } ?? EffectID(place) }

  /// What policies and cancelling go by.
  var key: EffectKey { EffectKey(path: path, id: id) }
}

/// What policies and cancelling go by: an id in its scope.
struct EffectKey: Hashable, Sendable {
  let path: EffectPath
  let id: EffectID
}
