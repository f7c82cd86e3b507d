import { beforeEach, expect, test, vi } from "vitest";
import { type Paging, paging } from "../../../dashboard/src/base/list/paging.ts";

/** The state that a tab keeps while it is open, even across a reload. */
beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  });
});

/** A list of three pages as the reader turns them. */
function walk(list: string, from?: string) {
  const nexts = new Map<string | undefined, string | null>([
    [undefined, "b"],
    ["b", "c"],
    ["c", null],
  ]);
  let cursor = from;
  const pages = (): Paging =>
    paging([list], { cursor, next: nexts.get(cursor) }, (to) => {
      cursor = to;
    });
  return {
    turn: (how: keyof Paging) => {
      pages()[how]?.();
      return cursor;
    },
    offered: () => Object.entries(pages()).flatMap(([name, turn]) => (turn ? [name] : [])),
  };
}

test("turns pages forward, back along the same path, and to the start", () => {
  const { turn, offered } = walk("three pages");
  expect(offered()).toEqual(["onNext"]);
  expect([turn("onNext"), turn("onNext")]).toEqual(["b", "c"]);
  expect(offered()).toEqual(["onFirst", "onPrevious"]);
  expect([turn("onPrevious"), turn("onPrevious")]).toEqual(["b", undefined]);
  expect([turn("onNext"), turn("onNext"), turn("onFirst")]).toEqual(["b", "c", undefined]);
});

test("offers no previous page for a page opened by its address, nor for the same position of another list", () => {
  walk("came this way").turn("onNext");
  expect(walk("came this way", "b").offered()).toContain("onPrevious");
  expect(walk("another list", "b").offered()).toEqual(["onFirst", "onNext"]);
});
