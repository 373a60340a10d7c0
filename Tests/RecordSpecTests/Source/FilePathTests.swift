import Testing

@testable import ScenarioFormat

struct FilePathTests {
  @Test(arguments: [
    ("a", "", "a"), ("é", "", "é"), (".", "", "."), ("a/", "", "a"), ("b//", "", "b"), ("ab", "", "ab"),
    ("a/b", "a", "b"), ("a/b/", "a", "b"), ("a//b", "a", "b"), ("/a", "/", "a"), ("/a/b", "/a", "b"),
    ("../a", "..", "a"), ("/", "/", ""), ("", "", ""),
  ])
  func aPathHasAFolderAndAName(path: String, folder: String, name: String) {
    #expect(FilePath.folder(of: path) == folder)
    #expect(FilePath.name(of: path) == name)
  }

  @Test(arguments: [
    ("a", "a"), ("./a", "a"), ("a//b/", "a/b"), ("a/./b/.", "a/b"), ("/", "/"), ("//a", "/a"), (".", "."),
    ("./", "."), ("", ""), ("../a/../b", "../a/../b"),
  ])
  func aPathIsSimplified(path: String, simple: String) {
    #expect(FilePath.simplified(path) == simple)
  }
}
