/// New contents of a file: written beside it, and given its place when all of them are on the disk.
///
/// The only code that replaces files. A caller that has all of the bytes calls
/// `FileSystem.replace`. A caller that receives them in parts appends them and commits.
package struct FileReplacement: Sendable {
  private let path: String
  private let temporary: String
  private let file: FileHandleNumber
  private let files: any FileSystem

  /// Makes the file beside; only the owner may read it.
  ///
  /// - Parameters:
  ///   - path: The file to replace, or to make.
  ///   - temporary: A name that nothing else has, in the same directory.
  ///   - files: What it is written with.
  package init(
    of path: String, by temporary: String, files: any FileSystem = PosixFiles()
  ) throws(FileError) {
    self.path = path
    self.temporary = temporary
    self.files = files
    file = try files.create(temporary)
  }

  /// Writes more bytes.
  ///
  /// After a failure, discard it.
  package func append(_ bytes: [UInt8]) throws(FileError) {
    do throws(FileError) { try files.write(bytes, to: file) } catch { throw located(error) }
  }

  /// Gives the file its place, once all bytes are on the disk; discards it when that fails.
  ///
  /// After a crash the old file may still be there, until the directory is synchronised.
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

  /// Removes what was written.
  package func discard() {
    try? files.close(file)
    try? files.remove(temporary)
  }

  /// An open file has only a number.
  private func located(_ error: FileError) -> FileError {
    FileError(error.operation, path, code: error.code)
  }
}

extension FileSystem {
  /// Replaces a file; a reader finds the old bytes or the new ones, also after a crash.
  ///
  /// - Parameters:
  ///   - path: The file to replace, or to make.
  ///   - directory: The one that it is in.
  ///   - bytes: Its new contents.
  ///   - temporary: A name that nothing else has, in the same directory.
  package func replace(
    _ path: String, in directory: String, with bytes: [UInt8], by temporary: String
  ) throws(FileError) {
    try put(bytes, at: path, by: temporary)
    try synchronizeDirectory(directory)
  }

  /// Replaces a file; after a crash the old one may still be there, until the directory is
  /// synchronised.
  ///
  /// - Parameters:
  ///   - bytes: Its new contents.
  ///   - path: The file to replace, or to make.
  ///   - temporary: A name that nothing else has, in the same directory.
  package func put(_ bytes: [UInt8], at path: String, by temporary: String) throws(FileError) {
    let replacement = try FileReplacement(of: path, by: temporary, files: self)
    do throws(FileError) { try replacement.append(bytes) } catch {
      replacement.discard()
      throw error
    }
    try replacement.commit()
  }
}
