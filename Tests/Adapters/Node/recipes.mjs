// A recipe app: a feed of recipes and notes about them, in one normalized state as with Redux, kept in a JSON file.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The server did not answer, or answered with an error. */
export class ServerError extends Error {}

const initialState = { recipes: {}, cooks: {}, tags: {}, feed: null };

// A cook that is only an id keeps the known name.
const cookFrom = (item, known) =>
  typeof item === 'object' ? { id: item.id, name: item.name } : { id: item, name: known?.name ?? null };

const recipeFrom = ({ id, title, note, cook, tags }, known) => ({
  id,
  title,
  // `null` clears the note, and a missing note keeps it.
  note: note === undefined ? known?.note ?? null : note,
  pending: known?.pending ?? false,
  cook: cook.id ?? cook,
  tags: tags?.map((tag) => tag.id) ?? known?.tags ?? [],
});

const updateRecipe = (state, id, changes) => ({
  ...state,
  recipes: { ...state.recipes, [id]: { ...state.recipes[id], ...changes } },
});

const reducers = {
  pageAdded(state, page) {
    const recipes = { ...state.recipes };
    const cooks = { ...state.cooks };
    const tags = { ...state.tags };
    for (const item of page.recipes) {
      recipes[item.id] = recipeFrom(item, recipes[item.id]);
      const cook = recipes[item.id].cook;
      cooks[cook] = cookFrom(item.cook, cooks[cook]);
      for (const { id, label } of item.tags ?? []) tags[id] = { id, label };
    }
    return { recipes, cooks, tags, feed: { next: page.next ?? null } };
  },

  feedReplaced(state, page) {
    const { recipes, ...others } = reducers.pageAdded(state, page);
    const listed = page.recipes.map(({ id }) => [id, recipes[id]]);
    return { ...others, recipes: Object.fromEntries(listed) };
  },

  noteEdited: (state, { recipe, note }) => updateRecipe(state, recipe, { note, pending: true }),

  noteSent: (state, { id, note }) => updateRecipe(state, id, { note, pending: false }),
};

export class Recipes {
  /** Opens the app with the state in the folder, or with an empty one. */
  static async open({ baseURL, folder }) {
    const app = new Recipes();
    app.baseURL = baseURL;
    app.path = join(folder, 'recipes.json');
    app.state = await readFile(app.path, 'utf8').then(JSON.parse, (error) => {
      if (error.code === 'ENOENT') return initialState;
      throw error;
    });
    return app;
  }

  /** Loads the first page, and deletes the recipes that it no longer lists. */
  async refresh() {
    await this.#dispatch('feedReplaced', await this.#send('recipes'));
  }

  /** Loads the next page, if there is one. */
  async loadMore() {
    const next = this.state.feed?.next;
    if (next) await this.#dispatch('pageAdded', await this.#send(next));
  }

  /** Stores a note at once, and then sends it. */
  async editNote({ recipe, note }) {
    if (!this.state.recipes[recipe]) throw new Error(`there is no recipe ${recipe}`);
    await this.#dispatch('noteEdited', { recipe, note });
    await this.#sendNote(recipe);
  }

  /** Sends the notes that have not reached the server. */
  async sync() {
    const pending = Object.values(this.state.recipes).filter((recipe) => recipe.pending);
    for (const { id } of pending) await this.#sendNote(id);
  }

  async #sendNote(id) {
    const { note } = this.state.recipes[id];
    await this.#dispatch('noteSent', await this.#send(`recipes/${id}/note`, { note }));
  }

  async #dispatch(action, payload) {
    this.state = reducers[action](this.state, payload);
    await writeFile(this.path, JSON.stringify(this.state));
  }

  /** Sends a GET request, or a POST request with a JSON body. */
  async #send(address, body) {
    const options = body && {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    };
    try {
      const response = await fetch(new URL(address, this.baseURL), options);
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return await response.json();
    } catch (error) {
      throw new ServerError(`${address}: ${error.message}`, { cause: error });
    }
  }
}
