// The public declarations of these modules are part of the library.
@_exported public import ScenarioComparison
@_exported public import ScenarioFormat
@_exported public import ScenarioReport
@_exported public import ScenarioRun
