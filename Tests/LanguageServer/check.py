"""Edits scenarios with the YAML language server, as an editor does, with the schemas of `recordspec schema`.

scripts/language-server installs the server and runs this program with the paths of `recordspec`, of the server, and of the
folder of scenarios.
"""

import json
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import zlib

SECONDS = 60


class Server:
    """The language server, over its standard input and output."""

    def __init__(self, program, folder):
        self.process = subprocess.Popen(
            ["node", program, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.answers = queue.Queue()
        self.diagnostics = {}
        self.last = 0
        threading.Thread(target=self.read, daemon=True).start()
        self.request("initialize", {
            "processId": None, "rootUri": folder.as_uri(), "workspaceFolders": None,
            "capabilities": {"textDocument": {
                "completion": {"completionItem": {"snippetSupport": True}}, "hover": {"contentFormat": ["markdown"]}}}})
        self.notify("initialized", {})
        self.notify("workspace/didChangeConfiguration", {"settings": {"yaml": {
            "validate": True, "hover": True, "completion": True, "schemaStore": {"enable": False}}}})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def read(self):
        stream = self.process.stdout
        while header := stream.readline():
            if not header.lower().startswith(b"content-length:"):
                continue
            length = int(header.split(b":")[1])
            while stream.readline() != b"\r\n":
                pass
            message = json.loads(stream.read(length))
            if message.get("method") == "textDocument/publishDiagnostics":
                self.diagnostics.setdefault(message["params"]["uri"], queue.Queue()).put(message["params"]["diagnostics"])
            elif "method" in message and "id" in message:
                self.send({"id": message["id"], "result": None})
            elif "id" in message:
                self.answers.put(message)

    def notify(self, method, parameters):
        self.send({"method": method, "params": parameters})

    def request(self, method, parameters):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": parameters})
        answer = self.answers.get(timeout=SECONDS)
        if answer["id"] != self.last or "error" in answer:
            raise ValueError(f"{method}: {answer}")
        return answer["result"]

    def open(self, uri, text):
        self.diagnostics[uri] = queue.Queue()
        self.notify("textDocument/didOpen", {
            "textDocument": {"uri": uri, "languageId": "yaml", "version": 1, "text": text}})

    def problems(self, uri):
        return [(problem["range"]["start"]["line"], problem["message"])
                for problem in self.diagnostics[uri].get(timeout=SECONDS)]


ENTITY = "title: A\nmodel:\n  entities:\n    Post:\n      "
BOOK = """\
title: A
model:
  entities:
    Post: {primaryKey: id, attributes: {id: int64}}
steps:
  - request: Post
    urn: posts
"""

# A scenario with the cursor at `|`, the completions that must be offered, and those that must not.
COMPLETIONS = [
    ("|", ["title", "model", "steps", "expect"], ["entities", "schema"]),
    ("title: A\nmodel:\n  |", ["entities", "file", "nulls"], ["title", "schemaVersion"]),
    (ENTITY + "|", ["primaryKey", "attributes", "usedWhen"], ["type", "to"]),
    (ENTITY + "attributes:\n        id:\n          |", ["type", "from", "optional"], ["to", "primaryKey"]),
    (ENTITY + "relationships:\n        user:\n          to: User\n          deleteRule: |",
     ["nullify", "cascade", "deny", "noAction"], ["clear"]),
    (BOOK + "  - |", ["request", "fetch", "save", "advance"], ["urn", "expect"]),
    (BOOK + "    |", ["method", "options", "as", "expect"], ["fetch", "save", "where", "urn"]),
    (BOOK + "    options:\n      |", ["responseKeyPath", "orphans", "timeout"], ["dateFormat", "urn"]),
    (BOOK + "    expect:\n      |", ["records", "inserted", "served"], ["stored", "code"]),
    (BOOK + "    expect:\n      failure: |", ["http-status", "offline"], ["records"]),
    (BOOK + "  - save:\n    expect:\n      |", ["inserted", "graph"], ["records", "served", "more"]),
    (BOOK + "responses:\n  posts:\n    |", ["body", "bodyFile", "status", "delay"], ["urn"]),
    (BOOK + "responses:\n  posts:\n    error: |", ["timeout", "offline"], ["http-status"]),
    (BOOK + "paging: |", ["none", "linkHeader"], ["cursor"]),
    (BOOK + "covers:\n  - |", ["identity.attribute-key", "mapping.name"], ["identity"]),
]

# A scenario with the cursor at `|`, and a part of the text that the editor shows there.
HOVERS = [
    ("title: A\nmo|del:\n  entities: {}\n", "The entities"),
    (BOOK.replace("urn", "u|rn"), "The address, with or without a query"),
    (BOOK.replace("primaryKey", "primary|Key"), "Default: the parent's"),
]

# A scenario, and its problems with their lines. The comment is line 0.
PROBLEMS = [
    (BOOK, []),
    (BOOK.replace("primaryKey: id", "primaryKey: id, null: keep"), []),
    (BOOK + "  - save\n  - nextPage\n", []),
    (BOOK.replace("urn", "unr"), [(6, 'Missing property "urn".'), (7, "Property unr is not allowed.")]),
    (BOOK.replace("title: A\n", ""), [(1, 'Missing property "title".')]),
    (BOOK + "nothing: 1\n", [(8, "Property nothing is not allowed.")]),
    (BOOK.replace("Post\n", "7\n"), [(6, 'Incorrect type. Expected "string".')]),
    (BOOK + "  - fetch: Post\n    urn: posts\n", [(9, "Property urn is not allowed.")]),
    (BOOK + "  - urn: posts\n", [(8, 'Missing property "request".')]),
]


def main(recordspec, program, scenarios):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="recordspec-"))
    comments = {}
    for file in ["scenario", "model"]:
        path = folder / f"{file}.schema.json"
        path.write_bytes(subprocess.run([recordspec, "schema", file], check=True, stdout=subprocess.PIPE).stdout)
        # This version of the server knows no relative paths.
        comments[file] = f"# yaml-language-server: $schema={path.as_uri()}\n"
    server = Server(program, folder)
    failures = []
    count = 0

    def position(text):
        before = text[:text.index("|")]
        return {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}

    def ask(method, text):
        nonlocal count
        count += 1
        uri = (folder / f"{count}.yaml").as_uri()
        text = comments["scenario"] + text
        server.open(uri, text.replace("|", "", 1))
        return server.request(method, {"textDocument": {"uri": uri}, "position": position(text)})

    for text, wanted, unwanted in COMPLETIONS:
        answer = ask("textDocument/completion", text)
        labels = [item["label"] for item in (answer["items"] if isinstance(answer, dict) else answer)]
        missing = [label for label in wanted if label not in labels]
        extra = [label for label in unwanted if label in labels]
        if missing or extra:
            failures.append(f"completion of {text!r}: missing {missing}, unexpected {extra}, found {labels}")

    for text, wanted in HOVERS:
        # The server escapes punctuation for Markdown.
        shown = json.dumps(ask("textDocument/hover", text)).replace("\\\\", "")
        if wanted not in shown:
            failures.append(f"hover in {text!r}: expected {wanted!r}, found {shown}")

    opened = []
    for text, wanted in PROBLEMS:
        count += 1
        opened.append(((folder / f"{count}.yaml").as_uri(), text, wanted))
    files = sorted(pathlib.Path(scenarios).glob("**/*.yaml"))
    # About one file in ten, because the server waits before it validates a file. They are selected by a hash of their paths, so
    # that a new file does not change the selection.
    for path in [path for path in files if zlib.crc32(str(path).encode()) % 10 == 0]:
        opened.append(((folder / path).as_uri(), path.read_text(encoding="utf-8"), []))
    for uri, text, _ in opened:
        server.open(uri, comments["model" if ".model." in uri else "scenario"] + text)
    for uri, text, wanted in opened:
        problems = server.problems(uri)
        if problems != wanted:
            failures.append(f"problems of {uri}: expected {wanted}, found {problems}\n{text}")

    server.process.kill()
    for failure in failures:
        print(failure)
    total = len(COMPLETIONS) + len(HOVERS) + len(opened)
    print(f"{total - len(failures)} passed, {len(failures)} failed")
    return 1 if failures or len(files) < 100 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
