/// The singular and plural forms of English nouns, as keys and addresses contain them.
///
/// A plural follows the rules of spelling unless a table has it. Tables of irregular nouns also apply at the end of a
/// longer word: `bookshelves`.
enum Nouns {
  /// Returns the singular of a word in lower case; the word itself if it is no plural.
  static func singular(_ word: String) -> String {
    if unchanged.contains(word) || word.count < 3 { return word }
    for (plural, singular) in irregular where word.hasSuffix(plural) {
      let isWhole = word.count == plural.count
      if isWhole || plural.count >= 6 { return word.dropLast(plural.count) + singular }
    }
    guard word.hasSuffix("s") else { return word }
    if word.hasSuffix("ss") || word.hasSuffix("us") && !hasSuffix(word, in: regularAfterU) { return word }
    if word.hasSuffix("is") { return hasSuffix(word, in: regularAfterI) ? String(word.dropLast()) : word }
    if singularsInS.contains(word) { return word }
    guard word.hasSuffix("es") else { return String(word.dropLast()) }
    let withoutES = String(word.dropLast(2))
    if word.hasSuffix("ies") {
      return word.count <= 4 || hasSuffix(word, in: regularAfterIE)
        ? String(word.dropLast()) : withoutES.dropLast() + "y"
    }
    if word.hasSuffix("oes") {
      let isRegular = word.hasSuffix("shoes") || regularAfterOE.contains(word)
      return isRegular ? String(word.dropLast()) : withoutES
    }
    if singularsInS.contains(withoutES) { return withoutES }
    if word.hasSuffix("uses") {
      let isRegular = word.hasSuffix("auses") || word.hasSuffix("ouses") || regularAfterUSE.contains(word)
      return isRegular ? String(word.dropLast()) : withoutES
    }
    if word.hasSuffix("ches") {
      return hasSuffix(word, in: regularAfterCHE) ? String(word.dropLast()) : withoutES
    }
    for ending in ["sses", "shes", "xes", "zzes", "tzes"] where word.hasSuffix(ending) { return withoutES }
    return String(word.dropLast())
  }

  /// Returns the plural of a word in lower case.
  static func plural(_ word: String) -> String {
    if unchanged.contains(word) { return word }
    for (plural, singular) in irregular where word.hasSuffix(singular) {
      let isWhole = word.count == singular.count
      if isWhole || plural.count >= 6 { return word.dropLast(singular.count) + plural }
    }
    if word.hasSuffix("y"), let before = word.dropLast().last, !"aeiou".contains(before) {
      return word.dropLast() + "ies"
    }
    if word.hasSuffix("o") { return word + (inOES.contains(word) ? "es" : "s") }
    for ending in ["s", "x", "z", "ch", "sh"] where word.hasSuffix(ending) { return word + "es" }
    return word + "s"
  }

  private static func hasSuffix(_ word: String, in endings: [String]) -> Bool {
    endings.contains(where: word.hasSuffix)
  }

  /// Plurals that no rule of spelling leads to their singular, longer ones before those in which they end.
  private static let irregular: [(plural: String, singular: String)] = [
    ("people", "person"), ("children", "child"), ("women", "woman"), ("men", "man"), ("feet", "foot"),
    ("teeth", "tooth"), ("geese", "goose"), ("mice", "mouse"), ("oxen", "ox"),
    ("shelves", "shelf"), ("wolves", "wolf"), ("knives", "knife"), ("thieves", "thief"), ("scarves", "scarf"),
    ("leaves", "leaf"), ("halves", "half"), ("calves", "calf"), ("loaves", "loaf"), ("wives", "wife"),
    ("lives", "life"), ("selves", "self"), ("elves", "elf"), ("hooves", "hoof"),
    ("indices", "index"), ("matrices", "matrix"), ("vertices", "vertex"), ("vortices", "vortex"),
    ("appendices", "appendix"),
    ("analyses", "analysis"), ("crises", "crisis"), ("diagnoses", "diagnosis"),
    ("axes", "axis"), ("oases", "oasis"), ("synopses", "synopsis"), ("ellipses", "ellipsis"),
    ("prognoses", "prognosis"), ("neuroses", "neurosis"),
    ("criteria", "criterion"), ("phenomena", "phenomenon"), ("bacteria", "bacterium"),
    ("curricula", "curriculum"), ("alumni", "alumnus"), ("radii", "radius"), ("nuclei", "nucleus"),
    ("stimuli", "stimulus"), ("syllabi", "syllabus"), ("fungi", "fungus"), ("cacti", "cactus"),
    ("quizzes", "quiz"), ("movies", "movie"),
  ]

  /// Words with one form, or with a plural that names a whole.
  private static let unchanged: Set<String> = [
    "news", "series", "species", "means", "data", "media", "info", "metadata", "analytics", "physics",
    "mathematics", "economics", "politics", "ethics", "diabetes", "headquarters", "chassis", "corps", "chess",
    "this", "its", "has", "was", "always", "sms", "mms", "gps", "dns", "dhcps", "https", "css", "rss", "aws",
    "ios",
    "macos", "tvos", "os", "js", "tls", "cors", "pos", "cms", "crs", "tos",
  ]

  /// Singulars that end with `s`, besides those in `ss`, `us` and `is`.
  private static let singularsInS: Set<String> = [
    "alias", "bias", "canvas", "atlas", "gas", "pancreas", "lens", "iris", "trellis", "pelvis", "tennis",
    "christmas",
    "texas",
  ]

  /// Words in `us` and `is` that are plurals.
  private static let regularAfterU = [
    "menus", "gurus", "emus", "eaus", "iglus", "tofus", "haikus", "cpus", "gpus", "skus",
  ]
  private static let regularAfterI = [
    "taxis", "skis", "kiwis", "apis", "uris", "guis", "emojis", "wikis", "rabbis", "pois", "kpis", "alibis",
    "bikinis", "safaris", "uis",
  ]

  /// Plurals whose singular is the word without `s`, although words with this ending usually lose more.
  private static let regularAfterIE = [
    "cookies", "zombies", "calories", "selfies", "rookies", "brownies", "hoodies", "smoothies", "genies",
    "pixies",
    "prairies", "sorties", "hippies", "newbies", "eyries", "collies", "birdies", "walkies", "neckties",
    "cuties",
    "boogies", "indies", "foodies", "goalies", "veggies",
  ]
  private static let regularAfterOE: Set<String> = [
    "toes", "canoes", "foes", "hoes", "oboes", "aloes", "floes", "roes", "does", "woes",
  ]
  private static let regularAfterCHE = [
    "caches", "niches", "avalanches", "aches", "psyches", "quiches", "creches", "moustaches", "mustaches",
    "pastiches", "brioches", "cliches",
  ]
  private static let regularAfterUSE: Set<String> = [
    "uses", "reuses", "abuses", "excuses", "fuses", "muses", "refuses", "recluses", "misuses", "ruses",
  ]

  /// Words in `o` with a plural in `oes`.
  private static let inOES: Set<String> = [
    "hero", "potato", "tomato", "echo", "veto", "torpedo", "superhero", "embargo", "volcano", "tornado",
  ]
}
