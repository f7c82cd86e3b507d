import { describe, expect, test } from "vitest";
import { STATUS_QUERY_RANK, RequestSlots, withSlot } from "#flows/request-slots.ts";

describe("I13 request slots", () => {
  test("grant free slots up to the requested number, and never more than exist", async () => {
    const slots = new RequestSlots(5);
    expect(await slots.acquire(3)).toBe(3);
    expect(await slots.acquire(9)).toBe(2);
    slots.release(5);
    expect(await slots.acquire(9)).toBe(5);
  });

  test("F23 serve waiting workers in turn, so a large one does not starve a small one", async () => {
    const slots = new RequestSlots(2);
    await slots.acquire(2);
    const served: string[] = [];
    const waiting = ["large", "small", "large again"].map((name) =>
      slots.acquire(name === "small" ? 1 : 200).then((count) => {
        served.push(`${name} ${count}`);
        return count;
      }),
    );
    slots.release(1);
    slots.release(1);
    slots.release(1);
    await Promise.all(waiting);
    expect(served).toEqual(["large 1", "small 1", "large again 1"]);
  });

  test("F23 serve the first priority before others that wait longer, and every fourth time the longest waiting", async () => {
    const slots = new RequestSlots(1);
    await slots.acquire(1);
    const served: string[] = [];
    const wait = async (name: string, rank: number) => {
      await slots.acquire(1, rank);
      served.push(name);
    };
    const large = Array.from({ length: 8 }, (_, each) => wait(`large ${each}`, 1));
    const urgent = Array.from({ length: 6 }, (_, each) => wait(`urgent ${each}`, 0));
    for (let each = 0; each < 14; each += 1) slots.release(1);
    await Promise.all([...large, ...urgent]);
    const early = served.slice(0, 8);
    expect(early.filter((name) => name.startsWith("urgent"))).toHaveLength(6);
    expect(early.filter((name) => name.startsWith("large"))).toEqual(["large 0", "large 1"]);
  });

  test("F23 reserve a quarter for sending when the gateway does not answer queries", async () => {
    const slots = new RequestSlots(8);
    expect(await slots.acquire(200, STATUS_QUERY_RANK)).toBe(6);
    const more = slots.acquire(200, STATUS_QUERY_RANK);
    expect(await slots.acquire(200)).toBe(2);
    slots.release(2);
    expect(await slots.acquire(1)).toBe(1);
    slots.release(1, STATUS_QUERY_RANK);
    expect(await more).toBe(1);
    const last = slots.acquire(1, STATUS_QUERY_RANK);
    slots.release(1);
    expect(slots.inUse).toBe(6);
    slots.release(6, STATUS_QUERY_RANK);
    expect(await last).toBe(1);
    expect(slots.inUse).toBe(1);
  });

  test.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [32, 24],
  ])("of %i, queries use at most %i", async (size, most) => {
    expect(await new RequestSlots(size).acquire(200, STATUS_QUERY_RANK)).toBe(most);
  });

  test("serve status queries first", async () => {
    const slots = new RequestSlots(1);
    const first = await slots.acquire(1);
    const served: string[] = [];
    const waiting = [0, STATUS_QUERY_RANK].map(async (rank) => {
      await slots.acquire(1, rank);
      served.push(rank === STATUS_QUERY_RANK ? "question" : "payout");
    });
    slots.release(first);
    slots.release(1, STATUS_QUERY_RANK);
    await Promise.all(waiting);
    expect(served).toEqual(["question", "payout"]);
  });

  test("are released by failing work, and running work counts as in flight", async () => {
    const slots = new RequestSlots(2);
    const seen: unknown[] = [];
    const work = withSlot({ slots }, async () => {
      seen.push(slots.inUse, slots.isInFlight);
      throw new Error("broke");
    });
    await expect(work).rejects.toThrow("broke");
    seen.push(slots.inUse, slots.isInFlight);
    expect(seen).toEqual([1, true, 0, false]);
  });
});
