import { beforeAll, describe, expect, test } from "vitest";
import { SUBMIT } from "#proof/simulation/gateway/answers.ts";
import { matrixText, type OutcomeResult, runMatrix } from "#proof/simulation/crash-matrix.ts";

let results: OutcomeResult[];
/** Half a minute of work, with room for a busy machine. */
beforeAll(async () => {
  results = await runMatrix();
}, 900_000);

/**
 * Allowed final states after any strike: an accepted payout is settled, and an uncertain one is on
 * hold.
 */
function mayEnd({ outcome, plain }: OutcomeResult): RegExp {
  if (outcome.submit.startsWith("code_") && "declines" in SUBMIT[outcome.submit]) {
    return /^(?:declined|settled|on_hold refused_after_doubt)$/;
  }
  if (plain === "settled") return /^settled$/;
  // Two records with different numbers: a person checks whether it was paid twice.
  if (outcome.status === "status_rivals") return /^(?:settled|on_hold two_records)$/;
  return outcome.status
    ? /^(?:settled|on_hold (?:manual_process|amount_mismatch))$/
    : /^on_hold (?:code_not_ours|amount_mismatch|duplicate_not_shown|not_found_at_gateway)$/;
}

describe("the crash matrix: every call, both sides, three strikes, every answer (F01, F02, F03, F04, F05, F07, F08, F11, F12, F34, F35, F36, F37, F39, F40, F41, F42, F44, F45, F47, F48, F50, F51, F52, F59, F76, F114)", () => {
  test("breaks no invariant", () => {
    expect(results.flatMap(({ broken }) => broken)).toEqual([]);
  });

  test("covers all existing calls", () => {
    const cases = results.reduce((sum, result) => sum + result.cases, 0);
    process.stdout.write(`${matrixText(results)}\n`);
    expect(results.length).toBeGreaterThan(60);
    expect(Math.min(...results.map((result) => result.cases))).toBeGreaterThan(120);
    expect(cases).toBeGreaterThan(11_000);
  });

  test.each([
    ["ingest", ["begin batch", "codes in use", "add payouts", "add rejected", "commit batch"]],
    ["approve", ["find batch", "approve"]],
  ])("strikes at every call of %s", (_flow, calls) => {
    for (const result of results) {
      expect(result.calls).toEqual(expect.arrayContaining(calls.map((call) => `office ${call}`)));
    }
  });

  test.each([
    [
      "dispatch",
      ["working batches", "expire leases", "due work", "finish batch", "add payrun-submit"],
    ],
    ["submit", ["claim", "payout", "move", "stop lane", "end trial"]],
    ["resolve", ["take questions", "status", "claim again", "question about"]],
  ])("strikes at every call of %s", (_flow, calls) => {
    const struck = new Set(results.flatMap((result) => result.calls));
    expect([...struck]).toEqual(expect.arrayContaining(calls.map((call) => `worker ${call}`)));
  });

  test("keeps every certain result the same under a strike", () => {
    const odd = results.flatMap((result) =>
      [result.plain, ...Object.keys(result.ends)]
        .filter((end) => !mayEnd(result).test(end))
        .map((end) => `${result.outcome.submit} ${result.outcome.status ?? ""}: ${end}`),
    );
    expect(odd).toEqual([]);
  });
});
