"""Imports the feed into a database file without the engine. Writes only records that are new or that differ.

    python3 peers.py PEER FEED DATABASE SETUP

PEER is `sqlite-json`, `orjson` or `duckdb`. FEED is a file with the response. DATABASE is created if it is missing.
SETUP is the SQL of the benchmark's settings and tables, for SQLite.

Prints one line of JSON: `processor` and `wall`, the seconds from opening the database to the end of the commit;
`written`, the number of rows inserted and updated; and for DuckDB `rows`, the number of rows of each table.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import time
from datetime import datetime
from operator import itemgetter
from pathlib import Path
from typing import Any, Iterable


class Clock:
    """The processor time of all threads, and the elapsed time."""

    def __init__(self) -> None:
        self.start = (time.process_time(), time.perf_counter())

    def stop(self, written: int) -> dict[str, Any]:
        end = (time.process_time(), time.perf_counter())
        return {"processor": end[0] - self.start[0], "wall": end[1] - self.start[1], "written": written}


# The key of each table, and its other columns.
TABLES = {
    "user": (
        "id", "username name about locale timezone avatarURL coverURL createdAt verified kind reputation".split()),
    "counts": ("user", "following followers posts stars".split()),
    "source": ("clientID", ["name", "link"]),
    "tag": ("slug", ["label"]),
    "post": (
        "id",
        "text createdAt editedAt threadID replyTo language replies reposts stars machineOnly score canonicalURL"
        " user source".split()),
}


def upsert(table: str, rows: str) -> str:
    """Returns a statement that inserts rows, and updates those with the same key that differ."""
    key, columns = TABLES[table]
    names = ", ".join(f'"{column}"' for column in [key, *columns])
    changes = ", ".join(f'"{column}" = excluded."{column}"' for column in columns)
    differs = " OR ".join(f'"{table}"."{column}" IS DISTINCT FROM excluded."{column}"' for column in columns)
    return f"""
        INSERT INTO "{table}" ({names}) {rows}
        ON CONFLICT ("{key}") DO UPDATE SET {changes} WHERE {differs}
    """


# SQLite

def open_sqlite(path: str, setup: str) -> sqlite3.Connection:
    """Opens a file, or creates it with its tables."""
    database = sqlite3.connect(path, isolation_level=None)
    database.executescript(setup)
    return database


# SQLite's JSON functions. Temporary tables keep what is used more than once, because 'json_each' creates the text of a
# value at each use.

JSON_ITEMS = """
    CREATE TEMP TABLE item AS
    WITH element AS MATERIALIZED (SELECT value FROM json_each(CAST(? AS TEXT), '$.data'))
    SELECT
      value ->> '$.id' AS id, value ->> '$.text' AS text, unixepoch(value ->> '$.created_at') AS createdAt,
      unixepoch(value ->> '$.edited_at') AS editedAt, value ->> '$.thread_id' AS threadID,
      value ->> '$.reply_to' AS replyTo, value ->> '$.language' AS language, value ->> '$.num_replies' AS replies,
      value ->> '$.num_reposts' AS reposts, value ->> '$.num_stars' AS stars, value ->> '$.machine_only' AS machineOnly,
      value ->> '$.score' AS score, value ->> '$.canonical_url' AS canonicalURL, value ->> '$.user.id' AS userID,
      value ->> '$.source.client_id' AS clientID, value -> '$.user' AS user, value -> '$.source' AS source,
      value -> '$.tags' AS tags
    FROM element
"""
JSON_STATEMENTS = [
    "CREATE TEMP TABLE person AS SELECT DISTINCT user AS value FROM item",
    """
    CREATE TEMP TABLE link AS
    SELECT item.id AS post, tag.value ->> '$.slug' AS slug, tag.value ->> '$.label' AS label
    FROM item, json_each(item.tags) AS tag
    """,
    upsert(
        "user",
        """
        SELECT
          value ->> '$.id', value ->> '$.username', value ->> '$.name', value ->> '$.description', value ->> '$.locale',
          value ->> '$.timezone', value ->> '$.avatar_url', value ->> '$.cover_url',
          unixepoch(value ->> '$.created_at'), value ->> '$.verified', value ->> '$.type', value ->> '$.reputation'
        FROM person WHERE true
        """),
    upsert(
        "counts",
        """
        SELECT
          user.pk, value ->> '$.counts.following', value ->> '$.counts.followers', value ->> '$.counts.posts',
          value ->> '$.counts.stars'
        FROM person JOIN user ON user.id = value ->> '$.id' WHERE true
        """),
    upsert(
        "source",
        """
        SELECT value ->> '$.client_id', value ->> '$.name', value ->> '$.link'
        FROM (SELECT DISTINCT source AS value FROM item) WHERE true
        """),
    upsert("tag", "SELECT DISTINCT slug, label FROM link WHERE true"),
    upsert(
        "post",
        """
        SELECT
          item.id, text, item.createdAt, editedAt, threadID, replyTo, language, replies, reposts, stars, machineOnly,
          score, canonicalURL, user.pk, source.pk
        FROM item JOIN user ON user.id = userID JOIN source USING (clientID) WHERE true
        """),
    """
    INSERT INTO postTag (post, tag)
    SELECT post.pk, tag.pk FROM link JOIN post ON post.id = link.post JOIN tag USING (slug) WHERE true
    ON CONFLICT DO NOTHING
    """,
]


def import_with_sqlite_json(feed: Path, path: str, setup: str) -> dict[str, Any]:
    response = feed.read_bytes()
    clock = Clock()
    database = open_sqlite(path, setup)
    database.execute("BEGIN IMMEDIATE")
    database.execute(JSON_ITEMS, [response])
    for statement in JSON_STATEMENTS:
        database.execute(statement)
    database.execute("COMMIT")
    report = clock.stop(database.total_changes)
    database.close()
    return report


# orjson and executemany


def import_with_orjson(feed: Path, path: str, setup: str) -> dict[str, Any]:
    import orjson

    response = feed.read_bytes()
    clock = Clock()
    database = open_sqlite(path, setup)
    database.execute("BEGIN IMMEDIATE")
    posts = {post["id"]: post for post in orjson.loads(response)["data"]}.values()
    users = {post["user"]["id"]: post["user"] for post in posts}.values()
    sources = {post["source"]["client_id"]: post["source"] for post in posts}.values()
    tags = {tag["slug"]: tag for post in posts for tag in post["tags"]}.values()

    def seconds(date: str | None) -> float | None:
        return datetime.fromisoformat(date.replace("Z", "+00:00")).timestamp() if date else None

    def put(table: str, rows: Iterable[tuple]) -> None:
        values = ", ".join("?" * (1 + len(TABLES[table][1])))
        database.executemany(upsert(table, f"VALUES ({values})"), rows)

    def primary_keys(table: str) -> dict:
        return dict(database.execute(f"SELECT {TABLES[table][0]}, pk FROM {table}"))

    texts = itemgetter("id", "username", "name", "description", "locale", "timezone", "avatar_url", "cover_url")
    rest = itemgetter("verified", "type", "reputation")
    put("user", ((*texts(user), seconds(user["created_at"]), *rest(user)) for user in users))
    user_keys = primary_keys("user")
    numbers = itemgetter("following", "followers", "posts", "stars")
    put("counts", ((user_keys[user["id"]], *numbers(user["counts"])) for user in users))
    put("source", map(itemgetter("client_id", "name", "link"), sources))
    put("tag", map(itemgetter("slug", "label"), tags))
    source_keys, tag_keys = primary_keys("source"), primary_keys("tag")
    rest = itemgetter(
        "thread_id", "reply_to", "language", "num_replies", "num_reposts", "num_stars", "machine_only", "score",
        "canonical_url")
    put(
        "post",
        (
            (
                post["id"], post["text"], seconds(post["created_at"]), seconds(post["edited_at"]), *rest(post),
                user_keys[post["user"]["id"]], source_keys[post["source"]["client_id"]])
            for post in posts))
    post_keys = primary_keys("post")
    database.executemany(
        "INSERT INTO postTag (post, tag) VALUES (?, ?) ON CONFLICT DO NOTHING",
        ((post_keys[post["id"]], tag_keys[tag["slug"]]) for post in posts for tag in post["tags"]))
    database.execute("COMMIT")
    report = clock.stop(database.total_changes)
    database.close()
    return report


# DuckDB. References are the keys of the records that they refer to, so that no record has a number beside its key.

DUCKDB_TABLES = """
    CREATE TABLE IF NOT EXISTS "user" (
      id BIGINT PRIMARY KEY, username TEXT, name TEXT, about TEXT, locale TEXT, timezone TEXT, avatarURL TEXT,
      coverURL TEXT, createdAt TIMESTAMP, verified BOOLEAN, kind TEXT, reputation DOUBLE);
    CREATE TABLE IF NOT EXISTS counts (
      "user" BIGINT PRIMARY KEY, following BIGINT, followers BIGINT, posts BIGINT, stars BIGINT);
    CREATE TABLE IF NOT EXISTS source (clientID TEXT PRIMARY KEY, name TEXT, link TEXT);
    CREATE TABLE IF NOT EXISTS tag (slug TEXT PRIMARY KEY, label TEXT);
    CREATE TABLE IF NOT EXISTS post (
      id BIGINT PRIMARY KEY, text TEXT, createdAt TIMESTAMP, editedAt TIMESTAMP, threadID BIGINT, replyTo BIGINT,
      language TEXT, replies BIGINT, reposts BIGINT, stars BIGINT, machineOnly BOOLEAN, score DOUBLE,
      canonicalURL TEXT, "user" BIGINT, source TEXT);
    CREATE TABLE IF NOT EXISTS postTag (post BIGINT, tag TEXT, PRIMARY KEY (post, tag));
"""
# The members of the objects, in the order of the columns.
DUCKDB_RESPONSE = """
    STRUCT(
      id BIGINT, text TEXT, created_at TIMESTAMP, edited_at TIMESTAMP, thread_id BIGINT, reply_to BIGINT,
      language TEXT, num_replies BIGINT, num_reposts BIGINT, num_stars BIGINT, machine_only BOOLEAN, score DOUBLE,
      canonical_url TEXT,
      "user" STRUCT(
        id BIGINT, username TEXT, name TEXT, description TEXT, locale TEXT, timezone TEXT, avatar_url TEXT,
        cover_url TEXT, created_at TIMESTAMP, verified BOOLEAN, type TEXT, reputation DOUBLE,
        counts STRUCT(following BIGINT, followers BIGINT, posts BIGINT, stars BIGINT)),
      source STRUCT(client_id TEXT, name TEXT, link TEXT),
      tags STRUCT(slug TEXT, label TEXT)[])[]
"""
DUCKDB_STATEMENTS = [
    upsert("user", 'SELECT DISTINCT ON (id) * EXCLUDE counts FROM (SELECT unnest("user") FROM item)'),
    upsert("counts", 'SELECT DISTINCT ON (id) id, unnest(counts) FROM (SELECT unnest("user") FROM item)'),
    upsert("source", "SELECT DISTINCT ON (client_id) * FROM (SELECT unnest(source) FROM item)"),
    upsert("tag", "SELECT DISTINCT ON (slug) slug, label FROM link"),
    upsert(
        "post",
        """
        SELECT DISTINCT ON (id) * EXCLUDE tags REPLACE ("user".id AS "user", source.client_id AS source) FROM item
        """),
    "INSERT INTO postTag SELECT DISTINCT post, slug FROM link ON CONFLICT DO NOTHING",
]


def import_with_duckdb(feed: Path, path: str, setup: str) -> dict[str, Any]:
    import duckdb

    size = feed.stat().st_size
    clock = Clock()
    database = duckdb.connect(path)
    database.execute(DUCKDB_TABLES)
    database.execute("BEGIN")
    # Without 'records', DuckDB detects the format, which takes longer than the whole import.
    database.execute(
        f"""
        CREATE TEMP TABLE item AS SELECT unnest(post) FROM (
          SELECT unnest(data) AS post
          FROM read_json(?, columns = {{data: '{DUCKDB_RESPONSE}'}}, records = true, maximum_object_size = {size + 1}))
        """,
        [str(feed)])
    database.execute("CREATE TEMP TABLE link AS SELECT id AS post, unnest(tags, recursive := true) FROM item")
    written = sum(database.execute(statement).fetchone()[0] for statement in DUCKDB_STATEMENTS)
    database.execute("COMMIT")
    report = clock.stop(written)
    report["rows"] = {
        table: database.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] for table in [*TABLES, "postTag"]}
    database.close()
    return report


PEERS = {
    "sqlite-json": import_with_sqlite_json,
    "orjson": import_with_orjson,
    "duckdb": import_with_duckdb,
}

if __name__ == "__main__":
    if len(sys.argv) != 5 or sys.argv[1] not in PEERS:
        sys.exit(__doc__)
    print(json.dumps(PEERS[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])))
