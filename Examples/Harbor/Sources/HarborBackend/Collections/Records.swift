import CausewayData
import CausewaySyncServer
import HarborDomain

typealias Records = StoredRecords

extension StoredRecords {
  init(place: Place, collection: String) {
    self.init(scope: place.scope.rawValue, collection: collection)
  }
}
