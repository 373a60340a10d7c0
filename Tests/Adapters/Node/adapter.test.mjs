// Runs the scenarios of RecordSpec with the recipe app. Other runs of `node --test` skip it.

import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { Recipes, ServerError } from './recipes.mjs';

const { RECORDSPEC_PORT: port, RECORDSPEC_TOKEN: token } = process.env;

const actions = ['editNote', 'loadMore', 'refresh', 'sync'];

// The state as tables, such as a database has.
function tables({ recipes, cooks, tags, feed }) {
  const all = Object.values(recipes);
  return {
    recipe: all.map(({ id, title, note, pending, cook }) => ({ id, title, note, pending, cook_id: cook })),
    cook: Object.values(cooks),
    tag: Object.values(tags),
    recipe_tag: all.flatMap((recipe) => recipe.tags.map((tag) => ({ recipe_id: recipe.id, tag_id: tag }))),
    feed: feed ? [{ name: 'recipes', next: feed.next }] : [],
  };
}

let app, context;

const commands = {
  hello: () => ({ protocol: 1, token, name: 'recipes-node', version: '1.0', actions, supports: ['reopen'] }),
  async open({ baseURL, folder }) {
    context = { baseURL, folder };
    app = await Recipes.open(context);
  },
  async reopen() {
    app = await Recipes.open(context);
  },
  async call({ name, with: argument }) {
    if (!actions.includes(name)) throw new Error(`unknown action '${name}'`);
    await app[name](argument);
  },
  dump: () => ({ tables: tables(app.state) }),
  close() {},
};

async function answer(message) {
  try {
    return (await commands[message.cmd](message)) ?? { ok: true };
  } catch (error) {
    if (error instanceof ServerError) return { failure: error.message };
    console.error(error);
    return { error: String(error) };
  }
}

test('the recipe app conforms to its scenarios', { skip: !port }, async () => {
  const socket = connect(port, '127.0.0.1');
  for await (const line of createInterface({ input: socket })) {
    const message = JSON.parse(line);
    // Standard output is only a log.
    console.log(message.cmd, message.name ?? message.scenario ?? '');
    socket.write(`${JSON.stringify({ seq: message.seq, ...(await answer(message)) })}\n`);
  }
});
