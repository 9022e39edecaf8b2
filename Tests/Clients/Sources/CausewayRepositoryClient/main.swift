import CausewayCache
import CausewayRepository

let freshness = DataFreshness()
freshness.invalidate([DataTag("items")])
print("read again")
