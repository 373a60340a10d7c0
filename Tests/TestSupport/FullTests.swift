import Foundation

/// A Boolean value that indicates whether long tests test all of their cases, instead of some. `FULL_TESTS=1` asks for all.
package let isTestingAll = ProcessInfo.processInfo.environment["FULL_TESTS"] == "1"

/// Returns some of the cases of a long test, evenly spaced and with the first one, or all of them if all are tested.
package func sampled<Case>(_ cases: [Case], every step: Int = 4) -> [Case] {
  cases.enumerated().filter { isTestingAll || $0.offset % step == 0 }.map(\.element)
}
