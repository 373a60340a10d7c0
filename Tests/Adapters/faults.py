#!/usr/bin/env python3
"""Plants faults in the Python app and its adapter, and checks that the scenarios detect each of them.

    Tests/Adapters/faults.py COMMAND [ARGUMENT ...]

The command runs all scenarios with the adapter, for example `.build/debug/recordspec run --adapter python`. Its working folder
is a copy of this one. It must succeed without a fault, and fail with each fault.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parent
SECONDS = 120

APP = "Python/recipes.py"
ADAPTER = "Python/adapter.py"


class Fault(NamedTuple):
    name: str
    file: str
    old: str
    new: str
    # A text that the output of the command must contain.
    text: str


FAULTS = [
    # What the app stores.
    Fault(
        "nothing is pruned", APP,
        "session.delete(recipe)",
        "pass",
        text="= expected: recipe/11",
    ),
    Fault(
        "rows of a join table are left behind", APP,
        "session.delete(recipe)",
        "session.execute(Recipe.__table__.delete().where(Recipe.id == recipe.id))",
        text="= expected: recipe_tag/11,1",
    ),
    Fault(
        "a tag that is removed from a recipe is left", APP,
        "session.merge(recipe_from(item))",
        "recipe = recipe_from(item)\n"
        "        known = session.get(Recipe, recipe.id)\n"
        "        recipe.tags += known.tags if known else []\n"
        "        session.merge(recipe)",
        text="recipe_tag/12,1: unexpected record",
    ),
    Fault(
        "missing tags are no tags", APP,
        'if "tags" in item:\n        recipe.tags = [Tag(id=tag["id"], label=tag["label"]) for tag in item["tags"]]',
        'recipe.tags = [Tag(id=tag["id"], label=tag["label"]) for tag in item.get("tags", [])]',
        text="recipe_tag/11,1: unexpected entry in 'deleted'",
    ),
    Fault(
        "a reference is not stored", APP,
        'title=item["title"], cook=cook_from(item["cook"]))\n',
        'title=item["title"], cook_id=0)\n',
        text="recipe/11: 'cook_id' has a different value",
    ),
    Fault(
        "a stub empties a name", APP,
        "return Cook(id=item)",
        "return Cook(id=item, name=None)",
        text="cook/7: 'name' has a different value",
    ),
    Fault(
        "null is ignored", APP,
        'if "note" in item:\n        recipe.note = item["note"]',
        'if note := item.get("note"):\n        recipe.note = note',
        text="recipe/12: 'note' has a different value",
    ),
    Fault(
        "a missing note is null", APP,
        'if "note" in item:\n        recipe.note = item["note"]',
        'recipe.note = item.get("note")',
        text="recipe/11: 'note' has a different value",
    ),
    Fault(
        "keys are made up by the store", APP,
        'Recipe(id=item["id"], title=',
        "Recipe(title=",
        text="recipe/1: unexpected entry in 'inserted'",
    ),
    Fault(
        "a row is lost", APP,
        'for item in page["recipes"]:',
        'for item in page["recipes"][:-1]:',
        text="an entry of 'inserted' is missing",
    ),
    Fault(
        "a number is stored as text", APP,
        'cook_id: Mapped[int] = mapped_column(ForeignKey("cook.id"))',
        'cook_id: Mapped[str] = mapped_column(__import__("sqlalchemy").Text, ForeignKey("cook.id"))',
        text='actual:   string "7"',
    ),
    # What the app requests.
    Fault(
        "the end of the pages is not stored", APP,
        'session.merge(Feed(name="recipes", next=page.get("next")))',
        'if "next" in page and page["next"]:\n        session.merge(Feed(name="recipes", next=page["next"]))',
        text="feed/recipes: 'next' has a different value",
    ),
    Fault(
        "the next page is always page 2", APP,
        "page = self._send(address)",
        'page = self._send("recipes?page=2")',
        text="'recipes?page=2' is requested again",
    ),
    Fault(
        "a request has a parameter too many", APP,
        'self._send("recipes")',
        'self._send("recipes?limit=20")',
        text="extra:    recipes?limit=20",
    ),
    Fault(
        "a call does nothing", APP,
        '"""Sends the notes that have not reached the server."""',
        "return",
        text="the step did not fail",
    ),
    # What the app does with failures.
    Fault(
        "a failing status is an empty page", APP,
        'raise ServerError(f"{request.get_method()} {address}: {error!r}") from error',
        'if hasattr(error, "code"):\n'
        '                return {"recipes": []}\n'
        '            raise ServerError("no answer") from error',
        text="the step did not fail",
    ),
    Fault(
        "a lost connection is an empty page", APP,
        'raise ServerError(f"{request.get_method()} {address}: {error!r}") from error',
        'if isinstance(error, HTTPException):\n'
        '                return {"recipes": []}\n'
        '            raise ServerError("no answer") from error',
        text="the step did not fail",
    ),
    Fault(
        "a note that could not be sent is not pending", APP,
        "edited.pending = True",
        "edited.pending = False",
        text="recipe/12: 'updated' has a different value",
    ),
    Fault(
        "a note is stored only when it is sent", APP,
        "edited.note = note\n",
        "edited.note = edited.note\n",
        text='the request has json {"note":"Simmer"}',
    ),
    # The process.
    Fault(
        "the process exits in a call", APP,
        '"""Loads the next page, if there is one."""',
        'import os; os._exit(0)',
        text="the adapter ended with exit code 0 during 'call loadMore'",
    ),
    Fault(
        "the process is killed in a call", APP,
        '"""Loads the next page, if there is one."""',
        'import os, signal; os.kill(os.getpid(), signal.SIGKILL)',
        text="the adapter ended with signal 9 during 'call loadMore'",
    ),
    Fault(
        "a call hangs", APP,
        '"""Sends the notes that have not reached the server."""',
        'import time; time.sleep(600)',
        text="the adapter did not answer 'call sync' within 10s",
    ),
    # What the adapter answers.
    Fault(
        "a dump without tables", ADAPTER,
        'return {"sqlite": str(self.app.path)}',
        'return {"tables": {}}',
        text="the dump has no table 'recipe', which 'tables' describes",
    ),
    Fault(
        "a dump without rows", ADAPTER,
        'return {"sqlite": str(self.app.path)}',
        'return {"tables": {"recipe": [], "cook": [], "tag": [], "recipe_tag": [], "feed": []}}',
        text="an entry of 'inserted' is missing",
    ),
    Fault(
        "a dump of the step before", ADAPTER,
        'return {"sqlite": str(self.app.path)}',
        "import shutil\n"
        '        now, before = self.context[1] / "now.sqlite", self.context[1] / "before.sqlite"\n'
        "        shutil.copy(now if now.exists() else self.app.path, before)\n"
        "        shutil.copy(self.app.path, now)\n"
        '        return {"sqlite": str(before)}',
        text="cook/7: unexpected entry in 'inserted'",
    ),
    Fault(
        "all scenarios share a database", ADAPTER,
        'Path(message["folder"])',
        "Path(__file__).parent",
        text="the app's store is not empty at the start",
    ),
    Fault(
        "a failure of the app is a success", ADAPTER,
        'return {"failure": str(error)}',
        'return {"ok": True}',
        text="the step did not fail",
    ),
    Fault(
        "half a line, then the end", ADAPTER,
        'connection.sendall(json.dumps(reply).encode() + b"\\n")',
        'if message["cmd"] == "call":\n'
        "            connection.sendall(json.dumps(reply).encode()[:9])\n"
        "            os._exit(0)\n"
        '        connection.sendall(json.dumps(reply).encode() + b"\\n")',
        text="in the middle of a line during 'call refresh'",
    ),
    Fault(
        "a line that is not JSON", ADAPTER,
        'connection.sendall(json.dumps(reply).encode() + b"\\n")',
        'if message["cmd"] == "call":\n'
        '            connection.sendall(b"Loaded 2 recipes\\n")\n'
        "            continue\n"
        '        connection.sendall(json.dumps(reply).encode() + b"\\n")',
        text="with a line that is not a JSON object: Loaded 2 recipes",
    ),
    Fault(
        "a wrong seq", ADAPTER,
        '{"seq": message["seq"], **answer(adapter, message)}',
        '{"seq": message["seq"] - (message["cmd"] == "dump"), **answer(adapter, message)}',
        text="the answer to 'dump' has 'seq' 2, not 3",
    ),
]


def plant(fault: Fault, folder: Path) -> None:
    file = folder / fault.file
    source = file.read_text()
    count = source.count(fault.old)
    if count != 1:
        raise ValueError(f"the text to replace occurs {count} times in {fault.file}")
    source = source.replace(fault.old, fault.new)
    # Code that does not even compile would be detected by any scenario.
    compile(source, fault.file, "exec")
    file.write_text(source)


def run(command: list[str], fault: Fault | None) -> tuple[int | None, str]:
    """Returns the exit code of the command, or None if it took too long, and its output."""
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / "Adapters"
        shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
        if fault:
            plant(fault, copy)
        # The output is a file, because a process that outlives the command would keep a pipe open.
        with tempfile.TemporaryFile("w+") as output:
            process = subprocess.Popen(
                command, cwd=copy, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True)
            try:
                code = process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                code = None
            output.seek(0)
            return code, output.read()


def problem(command: list[str], fault: Fault) -> str | None:
    """Returns why the fault is not detected, or None if it is."""
    try:
        code, output = run(command, fault)
    except (ValueError, SyntaxError) as error:
        return f"cannot be planted: {error}"
    if code is None:
        return f"the command did not end in {SECONDS} s:\n{output}"
    if code == 0:
        return f"not detected:\n{output}"
    if fault.text not in output:
        return f"the output does not contain {fault.text!r}:\n{output}"
    return None


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 64
    # The command runs in another folder.
    program = shutil.which(sys.argv[1])
    if program is None:
        print(f"{sys.argv[1]}: not found", file=sys.stderr)
        return 64
    command = [os.path.abspath(program), *sys.argv[2:]]

    code, output = run(command, None)
    if code != 0:
        print(f"the command fails without a fault, with exit code {code}:\n{output}")
        return 1

    undetected = 0
    for fault in FAULTS:
        start = time.monotonic()
        reason = problem(command, fault)
        undetected += reason is not None
        print(f"{time.monotonic() - start:5.1f} s  {fault.name}" + (f": {reason}" if reason else ""), flush=True)
    print(f"{len(FAULTS)} faults, {undetected} not detected")
    return 1 if undetected else 0


if __name__ == "__main__":
    sys.exit(main())
