import { describe, expect, test } from "vitest";
import { GroupCommit } from "#ledger/store/group-commit.ts";

describe("many transitions, one commit", () => {
  test("share the next commit when they arrive during a flush, and get individual answers", async () => {
    const groups: number[][] = [];
    const commit = new GroupCommit<number, number>(
      async (entries) => {
        groups.push([...entries]);
        await new Promise((done) => setTimeout(done, 5));
        return entries.map((entry) => entry * 10);
      },
      { sizeMax: 3 },
    );
    const answers = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((entry) => commit.add(entry)));
    expect(answers).toEqual([10, 20, 30, 40, 50, 60, 70]);
    expect(groups).toEqual([[1], [2, 3, 4], [5, 6, 7]]);
  });

  test("are not answered before the commit", async () => {
    let committed = false;
    const commit = new GroupCommit<number, boolean>(async () => {
      await new Promise((done) => setTimeout(done, 10));
      committed = true;
      return [true];
    });
    await commit.add(1);
    expect(committed).toBe(true);
  });

  test("all receive the failure of their group, and the next group continues", async () => {
    let flushes = 0;
    const commit = new GroupCommit<number, number>(async (entries) => {
      flushes += 1;
      await new Promise((done) => setTimeout(done, 2));
      if (flushes === 2) throw new Error("disk full");
      return [...entries];
    });
    const settled = await Promise.allSettled([1, 2, 3].map((entry) => commit.add(entry)));
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(await commit.add(4)).toBe(4);
  });
});
