import CSQLite
import GRDB
import RecordEngine

@main struct Main {
  static func main() { print(sqlite3_libversion_number(), Configuration().label ?? "-") }
}
