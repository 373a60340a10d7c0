"""Runs the scenarios of RecordSpec with the recipe app."""

import json
import os
import socket
import traceback
from pathlib import Path
from typing import Any

from recipes import Recipes, ServerError

Message = dict[str, Any]

ACTIONS = {
    "editNote": Recipes.edit_note,
    "loadMore": Recipes.load_more,
    "refresh": Recipes.refresh,
    "sync": Recipes.sync,
}


class Adapter:
    """The commands, by their names in the protocol."""

    def hello(self, message: Message) -> Message:
        token = os.environ["RECORDSPEC_TOKEN"]
        return {"protocol": 1, "token": token, "name": "recipes-python", "version": "1.0",
                "actions": list(ACTIONS), "supports": ["reopen"]}

    def open(self, message: Message) -> None:
        self.context = message["baseURL"], Path(message["folder"])
        self.app = Recipes(*self.context)

    def reopen(self, message: Message) -> None:
        self.app.close()
        self.app = Recipes(*self.context)

    def call(self, message: Message) -> None:
        ACTIONS[message["name"]](self.app, **message.get("with", {}))

    def dump(self, message: Message) -> Message:
        return {"sqlite": str(self.app.path)}

    def close(self, message: Message) -> None:
        self.app.close()


def answer(adapter: Adapter, message: Message) -> Message:
    try:
        command = getattr(adapter, message["cmd"])
        return command(message) or {"ok": True}
    except ServerError as error:
        return {"failure": str(error)}
    except Exception as error:
        traceback.print_exc()
        return {"error": repr(error)}


adapter = Adapter()
with socket.create_connection(("127.0.0.1", int(os.environ["RECORDSPEC_PORT"]))) as connection:
    for line in connection.makefile(encoding="utf-8"):
        message = json.loads(line)
        reply = {"seq": message["seq"], **answer(adapter, message)}
        connection.sendall(json.dumps(reply).encode() + b"\n")
