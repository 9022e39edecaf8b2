/// Writes new contents to a temporary file, and then renames it to replace a file.
///
/// Every file is replaced with this type. A caller that has all bytes calls `FileSystem.put`. A
/// caller that receives the bytes in parts appends the parts and then commits.
package struct FileReplacement: Sendable {
  private let path: String
  private let temporary: String
  private let file: FileHandleNumber
  private let files: any FileSystem

  /// Creates the temporary file, which only its owner can read.
  ///
  /// - Parameters:
  ///   - path: The file to replace or to create.
  ///   - temporary: An unused name in the same directory.
  ///   - files: The file system.
  package init(
    of path: String, by temporary: String, files: any FileSystem = PosixFiles()
  ) throws(FileError) {
    self.path = path
    self.temporary = temporary
    self.files = files
    file = try files.create(temporary)
  }

  /// Appends bytes to the temporary file.
  ///
  /// After an error, call `discard`.
  package func append(_ bytes: [UInt8]) throws(FileError) {
    do throws(FileError) { try files.write(bytes, to: file) } catch { throw located(error) }
  }

  /// Replaces the file after all bytes are on the disk.
  ///
  /// On an error, this discards the temporary file.
  ///
  /// Until the directory is synchronised, a crash may bring the old file back.
  package func commit() throws(FileError) {
    do throws(FileError) { try files.synchronize(file) } catch {
      discard()
      throw located(error)
    }
    do throws(FileError) {
      do throws(FileError) { try files.close(file) } catch { throw located(error) }
      try files.rename(temporary, to: path)
    } catch {
      try? files.remove(temporary)
      throw error
    }
  }

  /// Removes the temporary file.
  package func discard() {
    try? files.close(file)
    try? files.remove(temporary)
  }

  /// Adds the path to an error, because operations on an open file know only its descriptor.
  private func located(_ error: FileError) -> FileError {
    FileError(error.operation, path, code: error.code)
  }
}

extension FileSystem {
  /// Replaces a file.
  ///
  /// After a crash, the file has either its old or its new contents.
  ///
  /// - Parameters:
  ///   - path: The file to replace or to create.
  ///   - directory: The directory of the file.
  ///   - bytes: The new contents.
  ///   - temporary: An unused name in the same directory.
  package func replace(
    _ path: String, in directory: String, with bytes: [UInt8], by temporary: String
  ) throws(FileError) {
    try put(bytes, at: path, by: temporary)
    try synchronizeDirectory(directory)
  }

  /// Replaces a file without synchronising its directory.
  ///
  /// Until the directory is synchronised, a crash may bring the old file back.
  ///
  /// - Parameters:
  ///   - bytes: The new contents.
  ///   - path: The file to replace or to create.
  ///   - temporary: An unused name in the same directory.
  package func put(_ bytes: [UInt8], at path: String, by temporary: String) throws(FileError) {
    let replacement = try FileReplacement(of: path, by: temporary, files: self)
    do throws(FileError) { try replacement.append(bytes) } catch {
      replacement.discard()
      throw error
    }
    try replacement.commit()
  }
}
