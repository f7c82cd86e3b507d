/** A user who has just changed something does not see it undone by an older live document. */
import { expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { LiveDocuments } from "#http/server/live.ts";
import type { ServerDeps } from "#views/deps.ts";
import { eventually } from "../../support/servers/eventually.ts";

const DEPS = { clock: systemClock } as ServerDeps;
/** Less than the rest between two versions of a document. */
const AT_ONCE_MS = 700;

test("does not send a document that was created during a user's change", async () => {
  const lock = Promise.withResolvers<void>();
  let state = "approved";
  const live = new LiveDocuments(DEPS, {
    batch: async () => {
      const document = { state };
      await lock.promise;
      return document;
    },
  });
  const sent: string[] = [];
  live.addWatcher("batch:B1", { send: (_topic, text) => void sent.push(text) });
  const loaded = live.documentOf("batch:B1");
  state = "paused";
  live.invalidate("batch:B1");
  lock.resolve();

  expect(await loaded).toEqual({ state: "paused" });
  await eventually("the watcher has a document", async () => sent.length > 0);
  expect(sent).toEqual([JSON.stringify({ state: "paused" })]);
  live.close();
});

test("sends the document at once after a user's change", async () => {
  let state = "approved";
  const live = new LiveDocuments(DEPS, { batch: async () => ({ state }) });
  const sent: string[] = [];
  live.addWatcher("batch:B1", { send: (_topic, text) => void sent.push(text) });
  await eventually("the watcher has a document", async () => sent.length === 1);
  state = "paused";
  live.invalidate("batch:B1");
  await eventually("the watcher has the new one", async () => sent.length === 2, AT_ONCE_MS);
  expect(sent.at(-1)).toBe(JSON.stringify({ state: "paused" }));
  live.close();
});
