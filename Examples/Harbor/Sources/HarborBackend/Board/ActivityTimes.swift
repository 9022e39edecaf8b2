import CausewayData

/// The columns by which a part of a board is found: when an activity begins and when it is over.
///
/// The database derives the columns from the body of the record, so they are right whichever
/// program writes the record. They are `NULL` for other records and for bodies without a start. A
/// body with a start can fail to be an activity. Such a body is not shown. It is only included in
/// the numbers of activities beyond the edges of a part.
enum ActivityTimes {
  /// The condition of activities that last for more than a day, for which there is an index.
  ///
  /// The others are found by their starts.
  static let isLong: SQL = "ends > begins + 86400"
  /// The longest duration of the others, in seconds.
  static let longest = 86_400.0

  /// The seconds after its start at which an activity without an end is over; see
  /// `ActivityDetails.isOver(at:)`.
  private static let length: SQL = "10800"

  /// The step that adds the columns and their indexes.
  ///
  /// - Parameter columns: The statements that add the columns.
  static func migration(columns: SQL) -> Migration {
    Migration(
      "find the activities of a time", columns,
      "CREATE INDEX record_begins ON record (scope, collection, begins)",
      "CREATE INDEX record_long ON record (scope, collection, ends) WHERE \(isLong)")
  }

  static var sqliteColumns: SQL {
    """
    ALTER TABLE record ADD COLUMN begins REAL GENERATED ALWAYS AS (
      \(number("'$.start'"))
    ) VIRTUAL;
    ALTER TABLE record ADD COLUMN ends REAL GENERATED ALWAYS AS (
      coalesce(\(number("'$.finish'")), begins + \(length))
    ) VIRTUAL
    """
  }

  /// A number of an activity's body, on SQLite.
  private static func number(_ path: SQL) -> SQL {
    """
    CASE WHEN collection = 'activities' AND json_valid(body)
    AND json_type(body, \(path)) IN ('integer', 'real')
    AND abs(CAST(json_extract(body, \(path)) AS REAL)) < 1e999
    THEN CAST(json_extract(body, \(path)) AS REAL) END
    """
  }

  /// A cast of a wrong text returns `NULL`, because an error would refuse the write of the record.
  ///
  /// NUL is removed, because no text of PostgreSQL can contain it.
  static var postgresColumns: SQL {
    """
    CREATE FUNCTION activity_time(collection TEXT, body TEXT, name TEXT)
    RETURNS DOUBLE PRECISION LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
      RETURN CASE WHEN collection = 'activities'
        AND json_typeof(replace(body, '\\u0000', '')::json -> name) = 'number'
        THEN (replace(body, '\\u0000', '')::json ->> name)::double precision END;
    EXCEPTION WHEN others THEN RETURN NULL;
    END $$;
    ALTER TABLE record ADD COLUMN begins DOUBLE PRECISION
    GENERATED ALWAYS AS (activity_time(collection, body, 'start')) STORED;
    ALTER TABLE record ADD COLUMN ends DOUBLE PRECISION GENERATED ALWAYS AS (
      coalesce(activity_time(collection, body, 'finish'),
        activity_time(collection, body, 'start') + \(length))
    ) STORED
    """
  }
}
