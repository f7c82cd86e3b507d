import { afterEach, expect, test } from "vitest";
import {
  discardAnswers,
  findKept,
  keepAnswer,
} from "../../../dashboard/src/server/kept-answers.ts";

afterEach(discardAnswers);

test("keeps the latest answer of each address, until the user changes", () => {
  keepAnswer("/api/batches", { tag: '"1"', document: ["A"] });
  keepAnswer("/api/batches", { tag: '"2"', document: ["A", "B"] });
  expect(findKept("/api/batches")).toEqual({ tag: '"2"', document: ["A", "B"] });
  expect(findKept("/api/batches?limit=5")).toBeNull();

  discardAnswers();
  expect(findKept("/api/batches")).toBeNull();
});

test("discards the oldest answer above the limit", () => {
  for (let place = 0; place < 60; place += 1)
    keepAnswer(`/api/payouts/${place}`, { tag: '"1"', document: place });
  keepAnswer("/api/payouts/0", { tag: '"2"', document: "again" });
  keepAnswer("/api/payouts/60", { tag: '"1"', document: 60 });
  const kept = (place: number) => findKept(`/api/payouts/${place}`)?.document;
  expect([kept(0), kept(1), kept(2), kept(60)]).toEqual(["again", undefined, 2, 60]);
});
