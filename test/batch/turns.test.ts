/** People take turns: however much one sends, another waits for one piece of work of theirs at most. */
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { Turns } from "#batch/turns.ts";

/** Work that goes on until it is told to end. */
function scene(places: number) {
  const turns = new Turns(places);
  const began: string[] = [];
  const endings = new Map<string, () => void>();
  const send = (sender: string, name: string) =>
    turns.with(sender, async () => {
      began.push(name);
      await new Promise<void>((end) => endings.set(name, end));
    });
  const end = async (name: string) => {
    endings.get(name)?.();
    await setImmediate();
  };
  return { send, end, began };
}

test("one sender has one place, and another sender's work begins at once", async () => {
  const { send, began } = scene(2);
  for (const name of ["a1", "a2", "a3"]) void send("a", name);
  void send("b", "b1");
  await setImmediate();
  expect(began).toEqual(["a1", "b1"]);
});

test("a free place goes to the sender whose last turn was the longest ago", async () => {
  const { send, end, began } = scene(1);
  for (const name of ["a1", "a2", "a3"]) void send("a", name);
  void send("b", "b1");
  void send("c", "c1");
  await setImmediate();
  for (const name of ["a1", "b1", "c1", "a2"]) await end(name);
  expect(began).toEqual(["a1", "b1", "c1", "a2", "a3"]);
});

test("the work of one sender keeps its order", async () => {
  const { send, end, began } = scene(2);
  for (const name of ["a1", "a2", "a3"]) void send("a", name);
  await setImmediate();
  for (const name of ["a1", "a2"]) await end(name);
  expect(began).toEqual(["a1", "a2", "a3"]);
});

test("work that fails gives its place back", async () => {
  const turns = new Turns(1);
  await expect(turns.with("a", () => Promise.reject(new Error("broken")))).rejects.toThrow(
    "broken",
  );
  expect(await turns.with("b", async () => "b")).toBe("b");
});
