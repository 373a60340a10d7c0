import Foundation

/// A Boolean value that indicates whether long tests test all of their cases, instead of some. `FULL_TESTS=1` asks for all.
package let isTestingAll = ProcessInfo.processInfo.environment["FULL_TESTS"] == "1"
