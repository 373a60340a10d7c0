import Foundation
import Testing

@testable import AdapterConnection
@testable import RecordSpec
@testable import RecordSpecCommand

/// Tests for `recordspec run --adapter`, with an adapter in bash that can misbehave.
struct AdapterTests {
  /// An adapter whose app has one table. Each `call` adds a row. `$1` says what goes wrong, and when.
  private static let adapter = #"""
    exec 3<>"/dev/tcp/127.0.0.1/$RECORDSPEC_PORT"
    fault="$1"
    echo "noise on standard output"
    answer() { printf '{"seq":%s,%s}\n' "$seq" "$1" >&3; }
    rows=0
    while IFS= read -r line <&3; do
      echo "log of $line"
      [[ "$line" =~ \"seq\":([0-9]+),\"cmd\":\"([a-z]+)\" ]]
      seq="${BASH_REMATCH[1]}" command="${BASH_REMATCH[2]}"
      [ "$fault" != "wrong seq at $command" ] || seq=$((seq + 1))
      case "$fault" in
        "exit at $command") exit 7 ;;
        "kill at $command") kill -9 $$ ;;
        "hang at $command") sleep 60 ;;
        "close at $command") exec 3>&-; sleep 60 ;;
        "half a line at $command") printf '{"seq":%s,"ok"' "$seq" >&3; exit 0 ;;
        "garbage at $command") echo "Loaded 2 posts" >&3; continue ;;
        "error at $command") answer '"error":"out of order"'; continue ;;
        "no answer form at $command") answer '"done":true'; continue ;;
        "other error at $command") answer '"ok":true,"failure":503'; continue ;;
      esac
      case "$command" in
        hello)
          [ "$fault" != "other protocol" ] || { answer '"protocol":2,"token":"","actions":[]'; continue; }
          [ "$fault" != "other token" ] || RECORDSPEC_TOKEN=x
          answer "\"protocol\":1,\"token\":\"$RECORDSPEC_TOKEN\",\"actions\":[\"add\",\"fail\"],\"supports\":[\"reopen\"]" ;;
        open)
          [ "$fault" = "kept state" ] || rows=0
          answer '"ok":true' ;;
        call)
          if [[ "$line" == *'"name":"fail"'* ]]; then answer '"failure":"HTTP 503"'; continue; fi
          rows=$((rows + 1))
          answer '"ok":true' ;;
        dump)
          [ "$fault" != "row that is no object" ] || { answer '"tables":{"post":[1]}'; continue; }
          [ "$fault" != "missing file" ] || { answer '"sqlite":"/no/such/file"'; continue; }
          list=""
          for ((i = 1; i <= rows; i++)); do list="$list{\"id\":$i},"; done
          answer "\"tables\":{\"post\":[${list%,}]}" ;;
        *) answer '"ok":true' ;;
      esac
    done
    """#

  private static let scenario = """
    title: A post is added
    tables: {post: id}
    steps:
      - call: add
        expect: {inserted: [post/1]}
      - call: fail
        expect: {failure: {}}
      - reopen
    expect: {graph: {post: {count: 1}}}
    """

  private static func suite(
    fault: String = "", _ scenarios: [String: String] = ["a": scenario]
  ) throws -> CommandSuite {
    let suite = try CommandSuite(scenarios)
    try suite.folder.write(adapter, to: "adapter.sh")
    try suite.folder.write(
      """
      adapters:
        app: {command: [bash, adapter.sh, '\(fault.isEmpty ? "none" : fault)'], timeout: 2s}
        other: {command: [bash, adapter.sh]}
      """, to: ".recordspec.yaml")
    return suite
  }

  @Test func aScenarioOfAnAppIsBlessedRunAndShown() async throws {
    let suite = try Self.suite()
    #expect(
      await suite.recordspec("bless", "--adapter", "app").output.hasSuffix(
        "1 blessed, 0 unchanged, 0 refused\n"))
    #expect(suite.folder.tree["Golden/a.json"]?.contains(#""failure": true"#) == true)
    #expect(
      await suite.recordspec("run", "--adapter", "app")
        == .init(status: 0, output: "1 passed, 0 failed, 0 skipped\n", errors: ""))
    let shown = await suite.recordspec("show", "a", "--adapter", "app")
    #expect(shown.status == 0)
    #expect(shown.output.contains("call add"))
  }

  @Test func aFailedScenarioOfAnAppIsShownFromItsKeptResult() async throws {
    let suite = try Self.suite(["a": Self.scenario.replacing("count: 1", with: "count: 2")])
    let outcome = await suite.recordspec("run", "--adapter", "app", "--keep", suite.path("results"))
    #expect(outcome.status == 1)
    let shown = await suite.recordspec("show", "a", "--from", suite.path("results"))
    #expect(shown.status == 0)
    #expect(shown.output.contains("call add") && shown.output.contains("post/1"))
  }

  @Test func aSignalEndsAnAdapterThatHangs() async throws {
    let suite = try Self.suite(fault: "hang at open")
    try suite.folder.makeFolder("temporary")
    try suite.folder.write(
      "echo $$ > identifier.new; mv identifier.new identifier\n" + Self.adapter, to: "adapter.sh")
    try suite.folder.write(
      "adapters: {app: {command: [bash, adapter.sh, hang at open], timeout: 1d}}", to: ".recordspec.yaml")
    let command = try suite.start("run --adapter app")
    var text: String?
    for _ in 0..<600 where text == nil {
      text = try? suite.folder.read("identifier")
      try await Task.sleep(for: .milliseconds(100))
    }
    let line = try #require(text).split(separator: "\n").first
    let identifier = try #require(line.flatMap { Int32($0) })
    command.send(SIGTERM)
    #expect(command.endUnread() == 143)
    // The process that receives the children of ended processes may need a moment to take note of their end.
    var isRunning = true
    for _ in 0..<100 where isRunning {
      isRunning = kill(identifier, 0) == 0
      if isRunning { try await Task.sleep(for: .milliseconds(100)) }
    }
    #expect(!isRunning)
  }

  @Test func aPortThatIsInUseIsNamed() async throws {
    let socket = try ListeningSocket()
    let outcome = try await Self.suite().recordspec("run", "--attach", "\(socket.port)")
    #expect(outcome.status == 3)
    #expect(outcome.errors.hasPrefix("waiting for an adapter to connect to 127.0.0.1:\(socket.port)\n"))
    #expect(
      outcome.output.contains(
        "cannot listen on port \(socket.port): Address already in use\n  choose another port with '--attach'\n"
      ))
  }

  @Test func withoutAnAdapterNothingRunsAndNothingPasses() async throws {
    let suite = try Self.suite()
    let outcome = await suite.recordspec("run")
    #expect(outcome.status == 4)
    #expect(
      outcome.output == """
        skip  a: it runs an app, and no adapter is named
        0 passed, 0 failed, 1 skipped
        1 scenario did not run, because it runs an app; name an adapter: 'recordspec run --adapter app'

        """)
    let both = try Self.suite(["a": Self.scenario, "b": RecordSpecTests.scenario()])
    await both.recordspec("bless", "b")
    #expect(await both.recordspec("run").status == 0)
  }

  @Test func anUnknownAdapterIsRefusedWithTheNearestName() async throws {
    let outcome = try await Self.suite().recordspec("run", "--adapter", "ap")
    #expect(
      outcome
        == .init(
          status: 64, output: "", errors: "error: there is no adapter 'ap'\nhelp: did you mean 'app'?\n"))
  }

  @Test func severalAdaptersShareTheGoldenFiles() async throws {
    let suite = try Self.suite()
    await suite.recordspec("bless", "--adapter", "app", "--adapter", "other")
    let outcome = await suite.recordspec("run", "-v", "--adapter", "app", "--adapter", "other")
    #expect(
      outcome.output == """
        pass  a [app]: A post is added
        pass  a [other]: A post is added
        2 passed, 0 failed, 0 skipped

        """)
  }

  @Test func aKnownFailureIsMarkedForItsAdapter() async throws {
    let scenario = Self.scenario.replacing("count: 1", with: "count: 2")
    let marked = scenario + "\nxfail: {reason: Rows are lost, issue: APP-12, adapters: [other]}"
    let suite = try Self.suite(["a": marked])
    let both = await suite.recordspec("run", "-v", "--adapter", "app", "--adapter", "other")
    #expect(both.output.hasPrefix("xfail a [other]: Rows are lost\n"))
    #expect(both.output.contains("FAIL  a [app]: A post is added\n"))
    #expect(both.status == 1)
    let passing = try Self.suite(["a": Self.scenario + "\nxfail: {reason: Rows are lost, adapters: [other]}"])
    await passing.recordspec("bless", "--adapter", "app")
    #expect(await passing.recordspec("run", "--adapter", "app").status == 0)
    let outcome = await passing.recordspec("run", "--adapter", "other")
    #expect(outcome.output.hasPrefix("XPASS a: A post is added\n"))
  }

  @Test func differentResultsAreNotBlessed() async throws {
    let suite = try Self.suite(["a": "title: A\ntables: {post: id}\nsteps: [{call: add}]"])
    try suite.folder.write(
      Self.adapter.replacing("rows=$((rows + 1))", with: "rows=$((rows + 2))"), to: "two.sh")
    try suite.folder.write(
      "adapters: {one: {command: [bash, adapter.sh]}, two: {command: [bash, two.sh]}}",
      to: ".recordspec.yaml")
    let outcome = await suite.recordspec("bless", "--adapter", "one", "--adapter", "two")
    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains(
        "a is not blessed: the adapters have different results: post/2 differs between 'a [one]' and 'a [two]'"
      )
    )
    #expect(suite.folder.tree["Golden/a.json"] == nil)
  }

  @Test(arguments: [
    ("exit at call", "the adapter ended with exit code 7 during 'call add'"),
    ("exit at hello", "the adapter ended with exit code 7 during 'hello'"),
    ("kill at dump", "the adapter ended with signal 9 during 'dump'"),
    ("hang at call", "the adapter did not answer 'call add' within 2s"),
    ("half a line at call", "the adapter ended with exit code 0 in the middle of a line during 'call add'"),
    (
      "garbage at call",
      "the adapter answered 'call add' with a line that is not a JSON object: Loaded 2 posts"
    ),
    ("wrong seq at dump", "the answer to 'dump' has 'seq' 4, not 3"),
    ("error at open", "the adapter failed in 'open': out of order"),
    ("error at dump", "the adapter failed in 'dump': out of order"),
    ("error at close", "the adapter failed in 'close': out of order"),
    (
      "other error at call", "the 'failure' in the answer to 'call add' must be a text, without '\"ok\"': 503"
    ),
    (
      "no answer form at call",
      "the answer to 'call add' has neither '\"ok\": true' nor 'failure' nor 'error'"
    ),
    ("no answer form at dump", "the answer to 'dump' has neither 'tables' nor 'sqlite'"),
    ("row that is no object", "a row of 'post' is not an object: 1"),
    ("missing file", "the dump is '/no/such/file', and there is no such file"),
    ("other protocol", "the adapter uses protocol 2, not 1"),
    ("other token", "the adapter did not answer 'hello' with the token in RECORDSPEC_TOKEN"),
  ])
  func whatAnAdapterDoesWrongBreaksTheScenario(fault: String, message: String) async throws {
    let suite = try Self.suite(fault: fault)
    var outcome = await suite.recordspec("run", "--adapter", "app")
    #expect(outcome.status == 3)
    // What happens during a step is located there.
    #expect(outcome.output.contains("Scenarios/a.yaml:4:5: ") == fault.hasSuffix("at call"))
    outcome.output.replace("Scenarios/a.yaml:4:5: ", with: "")
    #expect(outcome.output.hasPrefix("BROKEN a: A post is added\n\n  \(message)"), "\(outcome.output)")
    #expect(outcome.output.hasSuffix("1 broken: 0 passed, 1 failed, 0 skipped\n"))
  }

  @Test func aBrokenAdapterShowsItsLogAndIsStartedAgain() async throws {
    let suite = try Self.suite(fault: "exit at call", ["a": Self.scenario, "b": Self.scenario])
    let outcome = await suite.recordspec("run", "--adapter", "app", "-j", "1")
    #expect(outcome.output.contains("  | noise on standard output\n  | log of {\"seq\":1"))
    #expect(outcome.output.contains("2 broken: 0 passed, 2 failed"))
  }

  @Test func afterThreeBrokenScenariosTheAdapterIsNotStartedAgain() async throws {
    let names = ["a", "b", "c", "d"]
    let suite = try Self.suite(
      fault: "exit at hello", Dictionary(uniqueKeysWithValues: names.map { ($0, Self.scenario) }))
    let outcome = await suite.recordspec("run", "--adapter", "app", "-j", "1")
    #expect(
      outcome.output.contains(
        "BROKEN d: A post is added\n\n  the adapter is not started again, because the first 3 scenarios broke\n"
      ))
  }

  @Test func stateThatStaysBetweenScenariosBreaksTheNext() async throws {
    let suite = try Self.suite(fault: "kept state", ["a": Self.scenario, "b": Self.scenario])
    await suite.recordspec("bless", "a", "--adapter", "other")
    let outcome = await suite.recordspec("run", "--adapter", "app", "-j", "1")
    #expect(
      outcome.output.contains(
        "BROKEN b: A post is added\n\n  the app's store is not empty at the start: it has 1 row, such as post/1\n"
      ))
  }

  @Test func whatAnAdapterDoesNotSupportIsSaidBeforeTheRun() async throws {
    let suite = try Self.suite(["a": "title: A\ntables: {post: id}\nsteps: [{advance: 1s}, {call: ad}]"])
    let outcome = await suite.recordspec("run", "--adapter", "app")
    #expect(
      outcome.output.contains(
        """
          Scenarios/a.yaml:3:31: the adapter has no action 'ad'
              3 | steps: [{advance: 1s}, {call: ad}]
                |                               ^^
          did you mean 'add'?

        """), "\(outcome.output)")
    try suite.folder.write(
      "title: A\ntables: {post: id}\nsteps: [{call: add}, {advance: 1s}]", to: "Scenarios/a.yaml")
    let other = await suite.recordspec("run", "--adapter", "app")
    #expect(
      other.output.contains("  the scenario has a step 'advance', which the adapter does not support\n"))
  }

  @Test func aProgramThatCannotBeStartedOrEndsIsNamed() async throws {
    let suite = try Self.suite()
    try suite.folder.write("adapters: {app: {command: [no-such-program]}}", to: ".recordspec.yaml")
    let outcome = await suite.recordspec("run", "--adapter", "app")
    #expect(outcome.status == 3)
    #expect(outcome.output.contains("the adapter 'app' ended with exit code 127 before it connected\n"))
  }

  @Test func newAndImportWriteScenariosOfAnApp() async throws {
    let suite = try Self.suite([:])
    try suite.folder.write("", to: "Scenarios/.keep")
    try suite.folder.write(#"[{"id": 1}]"#, to: "posts.json")
    let new = await suite.recordspec(
      "new", "x", "--adapter", "app", "--call", "add", "--call", "fail", "--response",
      "posts?page=1=\(suite.folder.path)/posts.json")
    #expect(new.status == 0)
    #expect(new.output.hasPrefix("wrote Scenarios/x.yaml: 1 response, 2 calls, 1 table\n"))
    #expect(new.output.hasSuffix("next: recordspec run --adapter app x\n"))
    #expect(
      new.errors == "warning: the action 'fail' failed: HTTP 503\nhelp: expect it with 'failure: {}'\n")
    let text = try #require(suite.folder.tree["Scenarios/x.yaml"])
    #expect(
      text.hasSuffix(
        """
        title: The app stores what the server sends
        tables: {post: id}

        responses:
          posts?page=1: {bodyFile: "../posts.json"}

        steps:
          - {call: add}
          - {call: fail}

        """), "\(text)")
    try suite.folder.write(
      "HTTP/1.1 200 OK\nContent-Type: application/json\n\n[{\"id\": 1}]\n", to: "session.txt")
    let imported = await suite.recordspec(
      "import", "\(suite.folder.path)/session.txt", "--url", "https://api.test/posts", "--adapter", "app",
      "--call", "add")
    #expect(imported.status == 0, "\(imported.errors)")
    let session = try #require(suite.folder.tree["Scenarios/session.yaml"])
    #expect(session.contains("tables: {post: id}\n"))
    #expect(session.contains("steps:\n  - {call: add}\n"))
    #expect(suite.folder.tree.keys.allSatisfy { !$0.hasSuffix(".model.yaml") })
  }

  @Test(arguments: [
    (["new", "x", "--call", "add"], "'--call' needs the adapter of the app; name it with '--adapter'"),
    (["new", "x", "--adapter", "app"], "'--adapter' needs an action of the app; name it with '--call'"),
    (
      ["new", "x", "--adapter", "app", "--call", "add", "--infer-model"],
      "'--call' cannot be combined with '--infer-model', because an app has its own model"
    ),
  ])
  func callsOfNewScenariosNeedAnAdapter(arguments: [String], message: String) async throws {
    let outcome = await (try Self.suite()).recordspec(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasPrefix("error: \(message)\n"))
  }

  @Test func theTraceShowsMessagesAndAnswers() async throws {
    let suite = try Self.suite()
    let outcome = await suite.recordspec("run", "--adapter", "app", "--trace")
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.first == #"→ {"seq":1,"cmd":"hello","protocol":1}"#)
    #expect(lines.contains(#"← {"seq":3,"tables":{"post":[]}}"#))
    #expect(lines.suffix(2).map { $0.prefix(2) } == ["→ ", "← "])
  }

  @Test func whatNeedsTheEngineIsRefused() async throws {
    let suite = try Self.suite()
    let explained = await suite.recordspec("explain", "a")
    #expect(
      explained.errors.hasPrefix("error: 'a' runs an app, and only the engine knows where values come from\n")
    )
    #expect(explained.status == 64)
    let reduced = await suite.recordspec("reduce", "a")
    #expect(reduced.errors.hasPrefix("error: 'a' runs an app, which would have to run thousands of times\n"))
    let shown = await suite.recordspec("show", "a")
    #expect(shown.status == 4)
  }
}
