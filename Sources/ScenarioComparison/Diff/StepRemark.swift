package import ScenarioFormat

/// A remark on a response that may explain a failure, such as a redirect.
package struct StepRemark: Sendable {
  /// The step, from 1.
  package let step: Int
  /// The location of the step.
  package let span: SourceSpan
  package let text: String

  package init(step: Int, span: SourceSpan, text: String) {
    (self.step, self.span, self.text) = (step, span, text)
  }
}
