/** Users take turns: however much one sends, others wait for at most one of its tasks. */
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { UploadTurns } from "#intake/text/upload-turns.ts";

/** Work that continues until the test ends it. */
function scene(places: number) {
  const turns = new UploadTurns(places);
  const began: string[] = [];
  const endings = new Map<string, () => void>();
  const send = (sender: string, name: string) =>
    turns.runInTurn(sender, async () => {
      began.push(name);
      await new Promise<void>((end) => endings.set(name, end));
    });
  const end = async (name: string) => {
    endings.get(name)?.();
    await setImmediate();
  };
  return { send, end, began };
}

test("gives one sender one slot and starts another sender's work immediately", async () => {
  const { send, began } = scene(2);
  for (const name of ["a1", "a2", "a3"]) void send("a", name);
  void send("b", "b1");
  await setImmediate();
  expect(began).toEqual(["a1", "b1"]);
});

test("gives a free slot to the sender whose last turn was longest ago", async () => {
  const { send, end, began } = scene(1);
  for (const name of ["a1", "a2", "a3"]) void send("a", name);
  void send("b", "b1");
  void send("c", "c1");
  await setImmediate();
  for (const name of ["a1", "b1", "c1", "a2"]) await end(name);
  expect(began).toEqual(["a1", "b1", "c1", "a2", "a3"]);
});

test("keeps the order of one sender's work", async () => {
  const { send, end, began } = scene(2);
  for (const name of ["a1", "a2", "a3"]) void send("a", name);
  await setImmediate();
  for (const name of ["a1", "a2"]) await end(name);
  expect(began).toEqual(["a1", "a2", "a3"]);
});

test("frees the slot of work that fails", async () => {
  const turns = new UploadTurns(1);
  await expect(turns.runInTurn("a", () => Promise.reject(new Error("broken")))).rejects.toThrow(
    "broken",
  );
  expect(await turns.runInTurn("b", async () => "b")).toBe("b");
});
