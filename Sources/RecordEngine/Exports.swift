// Code that embeds the engine declares models and passes JSON to it, and should need only one import.
@_exported public import JSONTree
@_exported public import RecordModel
