internal import Foundation

// Prints the public API of a module. scripts/api extracts the symbol graphs and runs this program.

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, let module = arguments.first, let folder = arguments.last else {
  FileHandle.standardError.write(Data("usage: PublicAPI MODULE FOLDER-OF-SYMBOL-GRAPHS\n".utf8))
  exit(64)
}
do throws(SymbolGraph.ReadingError) {
  let api = PublicAPI(try SymbolGraph.graphs(in: URL(fileURLWithPath: folder)))
  print("# The public API of \(module). scripts/api writes this file.\n\n\(api.text)", terminator: "")
} catch {
  FileHandle.standardError.write(Data("error: \(error.message)\n".utf8))
  exit(1)
}
