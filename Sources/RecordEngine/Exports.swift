// Whoever embeds the engine declares models and hands it JSON, and should not have to name three modules for it.
@_exported public import JSONTree
@_exported public import RecordModel
