import Foundation

/// Checks an input. libFuzzer calls this function.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  chosenTarget.check(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// Creates an input from another one. libFuzzer calls this function. Half of the inputs come from the mutator of lines
/// and words, and half from libFuzzer's own mutators.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ maximum: Int, _ seed: CUnsignedInt)
  -> Int
{
  var mutator = TextMutator(seed: UInt64(seed))
  let input = Array(UnsafeBufferPointer(start: data, count: count))
  guard let mutated = mutator.mutated(input), mutated.count <= maximum else {
    return mutateBytes(data, count, maximum)
  }
  _ = UnsafeMutableBufferPointer(start: data, count: maximum).update(fromContentsOf: mutated)
  return mutated.count
}

/// Calls libFuzzer's own mutators.
@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ maximum: Int) -> Int

/// The target whose name is in `FUZZ_TARGET`.
// Unsafe: libFuzzer calls from one thread.
nonisolated(unsafe) private let chosenTarget: any FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
  do {
    guard let target = try FuzzTargets.target(named: name) else {
      preconditionFailure("no target '\(name)'; FUZZ_TARGET is one of \(FuzzTargets.names)")
    }
    return target
  } catch {
    preconditionFailure("the target '\(name)' cannot start: \(error)")
  }
}()
