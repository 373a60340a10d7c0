import Foundation

/// The responses of a server, for the programs `Tracker` and `TrackerWithGRDB`.
public enum TrackerResponses {
  /// The issues on the first day.
  public static let firstDay = """
    [
      {
        "number": 1, "title": "Crash at launch", "state": "open", "comments": 4,
        "created_at": "2031-05-01T08:00:00Z", "user": {"login": "ada", "name": "Ada"},
        "labels": [{"name": "bug"}, {"name": "urgent"}]
      },
      {
        "number": 2, "title": "Dark mode", "state": "open", "comments": 9,
        "created_at": "2031-05-02T09:30:00Z", "user": {"login": "grace", "name": "Grace"},
        "labels": [{"name": "idea"}]
      },
      {
        "number": 3, "title": "Typo in the help", "state": "closed", "comments": 0,
        "created_at": "2031-05-03T10:00:00Z", "user": {"login": "ada"}, "labels": []
      }
    ]
    """

  /// The issues on the second day. The first issue has more comments and other labels, and is mentioned without its
  /// title. The second is closed. The fourth is new.
  public static let secondDay = """
    [
      {"number": 1, "comments": 12, "user": {"login": "ada"}, "labels": [{"name": "bug"}]},
      {"number": 2, "state": "closed", "user": {"login": "grace", "name": "Grace H."}},
      {
        "number": 4, "title": "Slow search", "state": "open", "comments": 1,
        "created_at": "2031-05-04T07:15:00Z", "user": {"login": "grace"}, "labels": [{"name": "bug"}]
      }
    ]
    """
}
