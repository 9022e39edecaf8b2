public import CausewayBasics
public import CausewayDatabase
import CausewayExploration
public import CausewayNetwork
public import CausewaySQLite
public import CausewayStores
public import CausewaySync

extension NodeContext {
  /// Opens a database on the disk of the node.
  ///
  /// The file survives crashes of the node. After a power failure, the file contains all commits of
  /// a service with `synchronous` set to `full`.
  ///
  /// The SQL functions `random()` and `randomblob(n)` return random numbers of the node. The salts
  /// of the write-ahead log are random numbers of the process. They change bytes of the log, but no
  /// step of the trial.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - migrations: The migrations.
  ///   - configuration: The settings. The settings for threads and for commits of other processes
  ///     have no effect.
  /// - Throws: The errors of `SQLiteService`.
  public func database(
    _ name: String, migrations: [Migration],
    configuration: SQLiteConfiguration = SQLiteConfiguration()
  ) async throws -> SQLiteService {
    SimulatedVFS.register()
    var configuration = configuration
    configuration.host = NodeDatabaseHost(node: id, files: SimulatedFiles(id))
    // Only one process opens the file.
    configuration.foreignCommitInterval = nil
    return try await SQLiteService(
      path: path(name), migrations: migrations, configuration: configuration)
  }

  /// Returns the files of a cache, on the disk of the node.
  ///
  /// - Parameters:
  ///   - directory: A name that no other part of the node uses.
  ///   - bytes: See `DiskStore`.
  ///   - report: See `DiskStore`.
  public func diskStore(
    _ directory: String, bytes: Int,
    report: @escaping @Sendable (DiskStoreError) -> Void = { _ in }
  ) -> DiskStore {
    DiskStore(
      directory: path(directory), bytes: bytes, files: SimulatedFiles(id),
      wallClock: WallClock { use { $0.values.milliseconds(at: $1) } }, report: report)
  }

  /// Makes uploads with their copies on the disk of the node.
  ///
  /// - Parameters:
  ///   - directory: A name that no other part of the node uses.
  ///   - outbox: See `FileUploads`.
  ///   - server: See `FileUploads`.
  ///   - collection: See `FileUploads`.
  ///   - partSize: See `FileUploads`.
  public func uploads(
    _ directory: String, outbox: Outbox, server: any UploadServer, collection: String = "upload",
    partSize: Int = 1 << 20
  ) -> FileUploads {
    FileUploads(
      outbox: outbox, server: server, directory: path(directory), collection: collection,
      partSize: partSize, files: SimulatedFiles(id))
  }

  /// Returns the file of a token, on the disk of the node.
  ///
  /// - Parameter name: The name of the file, in a folder that exists.
  public func tokenStore(_ name: String) -> FileTokenStore {
    FileTokenStore(path: path(name), files: SimulatedFiles(id))
  }

  /// The contents of the files on the node's disk by name, as programs read them now.
  ///
  /// A check can look for bytes that must not be there, for example after a logout.
  public var diskContents: [String: [UInt8]] { use { node, _ in node.disk.contents } }

  /// The current fault of the node's disk; `nil` if the disk works.
  public var diskFault: DiskFault? {
    get { use { node, _ in node.disk.fault } }
    nonmutating set { use { node, _ in node.disk.fault = newValue } }
  }

  /// The file system of the node, for tests of parts that use one.
  package var files: any FileSystem { SimulatedFiles(id) }

  /// Writes a file on the disk of the node.
  ///
  /// After a crash or a power failure, the file has its old or its new contents.
  ///
  /// - Parameters:
  ///   - bytes: The contents.
  ///   - name: The name of the file, as in ``diskContents``.
  /// - Throws: `DiskStoreError` if the disk has a fault.
  public func write(_ bytes: [UInt8], to name: String) throws(DiskStoreError) {
    do throws(FileError) { try SimulatedFiles(id).replace(path(name), with: bytes) } catch {
      throw DiskStoreError(error)
    }
  }

  /// Returns the path of a file on the node's disk, for downloads and for the files of uploads.
  public func path(_ name: String) -> String {
    "\(Trial.ofThread.nodes[id.index].disk.root)/\(name)"
  }
}

/// The parts of a node that a database uses.
private struct NodeDatabaseHost: DatabaseHost {
  let node: NodeID
  let files: any FileSystem

  var vfs: String { SimulatedVFS.name }
  var executor: any SerialExecutor { files.executor }
  var now: ContinuousClock.Instant { Self.start + Trial.ofThread.scheduler.now }

  /// Only differences between two times matter.
  private static let start = ContinuousClock.now

  func opened(_ connection: any DatabaseConnection) {
    Trial.use { $0.nodes[node.index].disk.opened(connection) }
  }
}
