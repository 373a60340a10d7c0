// This file is copied into every module that has mutants. It is not part of the product.

import Foundation

/// The active mutant, and the record of the mutants that would have changed a value.
private struct PlantedState {
  let active: Int
  let reached: UnsafeMutablePointer<UInt8>?

  init() {
    let environment = ProcessInfo.processInfo.environment
    active = environment["RECORDSPEC_MUTANT"].flatMap { Int($0) } ?? -1
    reached = environment["RECORDSPEC_REACHED"].flatMap(Self.map)
  }

  /// Maps a file with one byte for each mutant, which all modules and the tool share.
  private static func map(_ path: String) -> UnsafeMutablePointer<UInt8>? {
    let file = open(path, O_RDWR)
    let size = lseek(file, 0, SEEK_END)
    guard file >= 0, size > 0,
      let memory = mmap(nil, Int(size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), memory != MAP_FAILED
    else {
      FileHandle.standardError.write(Data("error: cannot map '\(path)'\n".utf8))
      _exit(64)
    }
    return memory.assumingMemoryBound(to: UInt8.self)
  }
}

nonisolated(unsafe) private let state = PlantedState()

/// Returns whether the mutant is active. Records the mutant as reached if `isDifferent`.
private func planted(_ number: Int, if isDifferent: Bool) -> Bool {
  if let reached = state.reached, isDifferent { reached[number] = 1 }
  return number == state.active
}

func planted(_ number: Int) -> Bool { planted(number, if: true) }

func plantedTrue(_ number: Int, _ value: Bool) -> Bool { planted(number, if: !value) ? true : value }

func plantedFalse(_ number: Int, _ value: Bool) -> Bool { planted(number, if: value) ? false : value }

func plantedLess<T: Comparable>(_ number: Int, _ left: T, _ right: T) -> Bool {
  planted(number, if: left == right) ? left <= right : left < right
}

func plantedLessOrEqual<T: Comparable>(_ number: Int, _ left: T, _ right: T) -> Bool {
  planted(number, if: left == right) ? left < right : left <= right
}

func plantedGreater<T: Comparable>(_ number: Int, _ left: T, _ right: T) -> Bool {
  planted(number, if: left == right) ? left >= right : left > right
}

func plantedGreaterOrEqual<T: Comparable>(_ number: Int, _ left: T, _ right: T) -> Bool {
  planted(number, if: left == right) ? left > right : left >= right
}

func plantedPlus<T: AdditiveArithmetic>(_ number: Int, _ left: T, _ right: T) -> T {
  planted(number, if: right != .zero) ? left - right : left + right
}

func plantedMinus<T: AdditiveArithmetic>(_ number: Int, _ left: T, _ right: T) -> T {
  planted(number, if: right != .zero) ? left + right : left - right
}

func plantedOneLess<T: Strideable>(_ number: Int, _ bound: T) -> T where T.Stride: SignedInteger {
  planted(number) ? bound.advanced(by: -1) : bound
}

func plantedFallback<T>(_ number: Int, _ value: T?, _ fallback: @autoclosure () throws -> T) rethrows -> T {
  guard let value, !planted(number) else { return try fallback() }
  return value
}

func plantedFallback<T>(_ number: Int, _ value: T?, _ fallback: @autoclosure () throws -> T?) rethrows -> T? {
  guard let value, !planted(number) else { return try fallback() }
  return value
}

func plantedNil<T>(_ number: Int, _ value: T?) -> T? {
  guard let value, !planted(number) else { return nil }
  return value
}

func plantedEmpty<T: ExpressibleByArrayLiteral & Collection>(_ number: Int, _ value: T) -> T {
  planted(number, if: !value.isEmpty) ? [] : value
}

func plantedEmpty<T: ExpressibleByDictionaryLiteral & Collection>(_ number: Int, _ value: T) -> T {
  planted(number, if: !value.isEmpty) ? [:] : value
}
