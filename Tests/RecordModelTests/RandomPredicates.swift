import Foundation
import JSONTree
import TestSupport

@testable import RecordModel

/// Random predicates that use the whole language.
enum RandomPredicates {
  static func tree(depth: Int, using random: inout SeededGenerator) -> PredicateTree {
    switch depth == 0 ? 5 : Int.random(in: 0...9, using: &random) {
    case 0: return .constant(Bool.random(using: &random))
    case 1: return .not(tree(depth: depth - 1, using: &random))
    case 2: return .and(parts(depth, &random))
    case 3: return .or(parts(depth, &random))
    default: return .comparison(comparison(&random))
    }
  }

  private static func parts(_ depth: Int, _ random: inout SeededGenerator) -> [PredicateTree] {
    (0..<Int.random(in: 2...3, using: &random)).map { _ in tree(depth: depth - 1, using: &random) }
  }

  private static func comparison(_ random: inout SeededGenerator) -> PredicateComparison {
    let operation = PredicateOperator.allCases.randomElement(using: &random) ?? .equal
    let modifier: PredicateComparison.Modifier =
      [.direct, .any, .all].randomElement(using: &random) ?? .direct
    let options = PredicateTextOptions(
      rawValue: operation == .between ? 0 : UInt8.random(in: 0...3, using: &random))
    let right: PredicateOperand =
      switch operation {
      case .like, .matches, .beginsWith, .endsWith: .value(.string(text(&random)))
      case .in: .list((0..<Int.random(in: 0...3, using: &random)).map { _ in operand(&random) })
      case .between: .list([operand(&random), operand(&random)])
      default: operand(&random)
      }
    let left: PredicateOperand = modifier == .direct ? operand(&random) : .keyPath([key(&random)])
    return PredicateComparison(
      modifier: modifier, left: left, operator: operation, options: options, right: right)
  }

  private static func operand(_ random: inout SeededGenerator) -> PredicateOperand {
    switch Int.random(in: 0...7, using: &random) {
    case 0: .value(.null)
    case 1: .value(.boolean(Bool.random(using: &random)))
    case 2: .value(.number(JSONNumber(Int64.random(in: -20...20, using: &random))))
    case 3: .value(.string(text(&random)))
    case 4:
      .value(.date(Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -9...9, using: &random)) / 2)))
    case 5: .keyPath([key(&random), "@count"])
    default: .keyPath((0..<Int.random(in: 0...3, using: &random)).map { _ in key(&random) })
    }
  }

  private static func key(_ random: inout SeededGenerator) -> String {
    ["a", "b2", "in", "SELF", "ANY", "x y", "", "\"", "é", "a.b", "1", "nil", "\\"].randomElement(
      using: &random) ?? "a"
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    ["", "a", "it's", "\"", "\\\\", "\n\t\r", "é", "🙂", "a*b?", "[ab]+"].randomElement(using: &random) ?? ""
  }
}
