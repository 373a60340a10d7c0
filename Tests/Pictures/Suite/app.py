"""The app of the README, with a table of recipes and one of their tags, and its adapter."""

import json
import os
import socket
import sqlite3
from urllib.error import URLError
from urllib.request import urlopen

SCHEMA = """
CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT);
CREATE TABLE recipe_tag (recipe_id INTEGER, tag_id INTEGER, PRIMARY KEY (recipe_id, tag_id));
"""


class Recipes:
    """The recipes of a server, and their copies in a database in the given folder."""

    def __init__(self, base_url, folder):
        self.base_url = base_url
        self.path = os.path.join(folder, "recipes.sqlite")
        self.database = sqlite3.connect(self.path)
        self.database.executescript(SCHEMA)

    def refresh(self):
        """Stores the recipes of the server, and deletes those that it no longer lists."""
        with urlopen(f"{self.base_url}recipes", timeout=30) as response:
            listed = json.load(response)["recipes"]
        with self.database as database:
            database.execute("DELETE FROM recipe")
            database.execute("DELETE FROM recipe_tag")
            for item in listed:
                database.execute("INSERT INTO recipe VALUES (?, ?)", (item["id"], item["title"]))
                for tag in item["tags"]:
                    database.execute("INSERT OR IGNORE INTO recipe_tag VALUES (?, ?)", (item["id"], tag))


class Adapter:
    """The commands, by their names in the protocol."""

    def hello(self, message):
        token = os.environ["RECORDSPEC_TOKEN"]
        return {"protocol": 1, "token": token, "name": "recipes", "version": "1.0", "actions": ["refresh"], "supports": []}

    def open(self, message):
        self.app = Recipes(message["baseURL"], message["folder"])

    def call(self, message):
        try:
            self.app.refresh()
        except URLError as error:
            return {"failure": str(error)}

    def dump(self, message):
        return {"sqlite": self.app.path}

    def close(self, message):
        self.app.database.close()


adapter = Adapter()
with socket.create_connection(("127.0.0.1", int(os.environ["RECORDSPEC_PORT"]))) as connection:
    for line in connection.makefile(encoding="utf-8"):
        message = json.loads(line)
        answer = getattr(adapter, message["cmd"])(message) or {"ok": True}
        connection.sendall(json.dumps({"seq": message["seq"], **answer}).encode() + b"\n")
