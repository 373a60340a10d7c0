// A test of scenarios should need only one import.
@_exported public import RecordSpec
@_exported public import RecordSpecAdapter
