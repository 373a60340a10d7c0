"""A recipe app: a feed of recipes and notes about them, stored in SQLite."""

from __future__ import annotations

import json
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urljoin
from urllib.request import Request, urlopen

from sqlalchemy import Column, ForeignKey, Table, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship


class ServerError(Exception):
    """The server did not answer, or answered with an error."""


class Base(DeclarativeBase):
    pass


recipe_tag = Table(
    "recipe_tag",
    Base.metadata,
    Column("recipe_id", ForeignKey("recipe.id"), primary_key=True),
    Column("tag_id", ForeignKey("tag.id"), primary_key=True),
)


class Cook(Base):
    __tablename__ = "cook"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str | None]


class Tag(Base):
    __tablename__ = "tag"

    id: Mapped[int] = mapped_column(primary_key=True)
    label: Mapped[str]


class Recipe(Base):
    __tablename__ = "recipe"

    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    note: Mapped[str | None]
    pending: Mapped[bool] = mapped_column(default=False)
    cook_id: Mapped[int] = mapped_column(ForeignKey("cook.id"))

    cook: Mapped[Cook] = relationship()
    tags: Mapped[list[Tag]] = relationship(secondary=recipe_tag)


class Feed(Base):
    __tablename__ = "feed"

    name: Mapped[str] = mapped_column(primary_key=True)
    next: Mapped[str | None]


class Recipes:
    """The recipes of a server, and their copies in a database in the given folder."""

    def __init__(self, base_url: str, folder: Path) -> None:
        self.base_url = base_url
        self.path = folder / "recipes.sqlite"
        self.engine = create_engine(f"sqlite:///{self.path}")
        Base.metadata.create_all(self.engine)

    def close(self) -> None:
        self.engine.dispose()

    def refresh(self) -> None:
        """Loads the first page, and deletes the recipes that it no longer lists."""
        page = self._send("recipes")
        listed = [item["id"] for item in page["recipes"]]
        with Session(self.engine) as session, session.begin():
            store_page(session, page)
            for recipe in session.scalars(select(Recipe).where(Recipe.id.not_in(listed))):
                session.delete(recipe)

    def load_more(self) -> None:
        """Loads the next page, if there is one."""
        with Session(self.engine) as session:
            address = session.scalar(select(Feed.next).where(Feed.name == "recipes"))
        if address is None:
            return
        page = self._send(address)
        with Session(self.engine) as session, session.begin():
            store_page(session, page)

    def edit_note(self, recipe: int, note: str | None) -> None:
        """Stores a note at once, and then sends it."""
        with Session(self.engine) as session, session.begin():
            edited = session.get_one(Recipe, recipe)
            edited.note = note
            edited.pending = True
        self._send_note(recipe)

    def sync(self) -> None:
        """Sends the notes that have not reached the server."""
        with Session(self.engine) as session:
            pending = session.scalars(select(Recipe.id).where(Recipe.pending).order_by(Recipe.id)).all()
        for recipe in pending:
            self._send_note(recipe)

    def _send_note(self, recipe: int) -> None:
        with Session(self.engine) as session:
            note = session.get_one(Recipe, recipe).note
        answer = self._send(f"recipes/{recipe}/note", {"note": note})
        with Session(self.engine) as session, session.begin():
            sent = session.get_one(Recipe, answer["id"])
            sent.note = answer["note"]
            sent.pending = False

    def _send(self, address: str, body: dict[str, Any] | None = None) -> Any:
        """Sends a GET request, or a POST request with a JSON body."""
        request = Request(urljoin(self.base_url, address))
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            with urlopen(request, timeout=30) as response:
                return json.load(response)
        except (OSError, HTTPException, json.JSONDecodeError) as error:
            raise ServerError(f"{request.get_method()} {address}: {error!r}") from error


def store_page(session: Session, page: dict[str, Any]) -> None:
    for item in page["recipes"]:
        session.merge(recipe_from(item))
    session.merge(Feed(name="recipes", next=page.get("next")))


def recipe_from(item: dict[str, Any]) -> Recipe:
    """Returns a recipe to merge. Only the values that the item contains are set, so that the others are kept."""
    recipe = Recipe(id=item["id"], title=item["title"], cook=cook_from(item["cook"]))
    if "note" in item:
        recipe.note = item["note"]
    if "tags" in item:
        recipe.tags = [Tag(id=tag["id"], label=tag["label"]) for tag in item["tags"]]
    return recipe


def cook_from(item: dict[str, Any] | int) -> Cook:
    if isinstance(item, int):
        return Cook(id=item)
    return Cook(id=item["id"], name=item["name"])
