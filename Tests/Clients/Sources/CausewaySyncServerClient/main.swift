import CausewaySyncServer

print(StoredRecords(scope: "groups/1", collection: "notes").collection)
