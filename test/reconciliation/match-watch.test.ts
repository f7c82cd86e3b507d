/** Tests of the comparison while it runs, and of how it ends its sources. */
import { expect, test } from "vitest";
import { type MatchWatcher, matchSorted, NotSorted } from "#reconciliation/match.ts";
import { type LedgerRecord, noCode, type StatementRecord } from "#reconciliation/records.ts";
import { line, payout, source } from "./records.ts";

async function watch(ledger: readonly LedgerRecord[], statement: readonly StatementRecord[]) {
  const seen: string[] = [];
  const watcher: MatchWatcher = {
    payout: ({ code }) => seen.push(`payout ${code}`),
    line: ({ code }) => seen.push(`line ${code}`),
    completed: ({ code }, { line: number }) => seen.push(`completed ${code} ${number}`),
  };
  const breaks = [];
  for await (const each of matchSorted(source(ledger), source(statement), watcher)) {
    breaks.push(each.class);
  }
  return { seen, breaks };
}

test("sees every record once, and each agreed payout that was completed", async () => {
  const ledger = [payout("A"), payout("B"), payout("C", { state: "declined" }), payout("D")];
  const statement = [line("A", { line: 5 }), line("C", { status: "failed" }), line("D"), line("E")];
  expect(await watch(ledger, statement)).toEqual({
    // biome-ignore format: the order is easier to read on two lines
    seen: [
      "payout A", "line A", "completed A 5", "payout B", "payout C", "line C",
      "payout D", "line D", "completed D 2", "line E",
    ],
    breaks: ["missing_at_gateway", "missing_in_ledger"],
  });
});

test("sees the completed line among several that agree", async () => {
  const pending = line("A", { status: "pending", line: 2 });
  const record = payout("A", { wasInProgress: true });
  const { seen, breaks } = await watch([record], [pending, line("A", { line: 3 })]);
  expect({ seen, breaks }).toEqual({
    seen: ["payout A", "line A", "line A", "completed A 3"],
    breaks: [],
  });
});

test("sees no completed payout where there is a break, or none was completed", async () => {
  const twice = [line("A"), line("A", { line: 3 })];
  const failed = [line("B", { status: "failed" }), line("B", { status: "pending" })];
  const declined = payout("B", { state: "declined", wasInProgress: true });
  const { seen, breaks } = await watch([payout("A"), declined], [...twice, ...failed]);
  expect(breaks).toEqual(["listed_twice"]);
  expect(seen.filter((each) => each.startsWith("completed"))).toEqual([]);
});

test("a watcher may leave out what it does not need", async () => {
  const matches = matchSorted(
    source([payout("A"), payout("B")]),
    source([line("A"), line("B"), line("B")]),
    {},
  );
  expect(await Array.fromAsync(matches)).toHaveLength(1);
});

test("ends both sources if the comparison is left early", async () => {
  const ended: string[] = [];
  async function* closing<Value>(name: string, values: readonly Value[]) {
    try {
      yield* source(values);
    } finally {
      ended.push(name);
    }
  }
  const matches = matchSorted(
    closing("ledger", [payout("A"), payout("B"), payout("C")]),
    closing("statement", [line("X"), line("Y"), line("Z")]),
  );
  await matches.next();
  expect(ended).toEqual([]);
  await matches.return({ payouts: 0, lines: 0, matched: 0 });
  expect(ended.toSorted()).toEqual(["ledger", "statement"]);
});

test("accepts sources that cannot be ended", async () => {
  const plain = <Value>(values: readonly Value[]): AsyncIterable<readonly Value[]> => ({
    [Symbol.asyncIterator]() {
      let isRead = false;
      return {
        async next() {
          if (isRead) return { done: true, value: undefined };
          isRead = true;
          return { done: false, value: values };
        },
      };
    },
  });
  const matches = matchSorted(plain([payout("A")]), plain([line("A"), line("B")]));
  expect(await Array.fromAsync(matches)).toMatchObject([{ class: "missing_in_ledger" }]);
});

test("names the codes that are out of order", async () => {
  const matches = matchSorted(source([payout("B"), payout("A")]), source([]));
  await expect(Array.fromAsync(matches)).rejects.toEqual(new NotSorted("A comes after B"));
});

test("a line without a code has one that no payout has", () => {
  expect(noCode("WD1")).toBe("#WD1");
});
