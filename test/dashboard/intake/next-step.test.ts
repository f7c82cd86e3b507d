import { expect, test } from "vitest";
import { batchName, otherNamesOf } from "../../../dashboard/src/base/text.ts";
import { nextStepOf, type Reader } from "../../../dashboard/src/pages/intake/batch/next-step.ts";
import { statusSentence } from "../../../dashboard/src/pages/intake/batch/status-sentence.ts";
import type { BatchView } from "../../../dashboard/src/pages/intake/batch-view.ts";

type Parts = Partial<Record<BatchView["equation"][number]["parts"][number]["part"], number>>;

/** A batch with these payouts by state, and the other fields that the functions read. */
const batchWith = (given: object, counts: Parts = {}) =>
  ({
    state: "finished_with_exceptions",
    reason: null,
    rejected: 0,
    rows: 40,
    payouts: 40,
    maker: { actor: "user:U1", name: "Asha Rao" },
    approved_at: "2026-11-30T10:00:00Z",
    quarantine: [],
    cancelling: false,
    cancelled: null,
    frozen: null,
    send: null,
    lanes: [],
    needs_duplicate_reason: false,
    policy: { missing: 0, why: "", blocked: null, possible_approvers: [], approvals: [] },
    you: {
      approve: { may: false },
      request_approval: { may: false },
      resume: { may: false },
    },
    equation: [
      {
        currency: "INR",
        parts: Object.entries(counts).map(([part, count]) => ({ part, count, amount: "1.00" })),
      },
    ],
    ...given,
  }) as unknown as BatchView;

const UPLOADER: Reader = { actor: "user:U2", mayUpload: true, mayOperate: false };
const OPERATOR: Reader = { actor: "user:U3", mayUpload: false, mayOperate: true };

test("counts the settled payouts and says who can retry the declined ones", () => {
  const batch = batchWith({}, { settled: 38, declined: 2 });
  expect(statusSentence(batch)).toBe("38 of 40 settled. 2 were declined.");
  expect(nextStepOf(batch, UPLOADER, 2)).toEqual({
    says: ["You can retry the 2 declined payouts."],
    button: { kind: "retry", payouts: 2 },
  });
  expect(nextStepOf(batch, OPERATOR, 1)).toEqual({
    says: ["Asha Rao or another uploader can retry 1 of the declined payouts."],
    button: null,
  });
  expect(nextStepOf(batch, UPLOADER, 0)).toBeNull();
});

test("offers payouts on hold before a retry", () => {
  const batch = batchWith({}, { settled: 37, declined: 2, on_hold: 1 });
  expect(nextStepOf(batch, OPERATOR, 2)?.button).toEqual({ kind: "on_hold", payouts: 1 });
  expect(nextStepOf(batch, UPLOADER, 2)).toEqual({
    says: ["An operator must propose a result for the payout on hold."],
    button: null,
  });
});

test("names who can approve, to everyone else", () => {
  const policy = {
    missing: 1,
    why: "",
    blocked: null,
    possible_approvers: ["Chen Wei", "Priya Raman"],
    approvals: [],
  };
  const waiting = { state: "awaiting_approval", approved_at: null, policy };
  const able = { approve: { may: true }, request_approval: { may: false } };
  expect(nextStepOf(batchWith({ ...waiting, you: able }), OPERATOR, 0)).toEqual({
    says: ["You can approve this batch."],
    button: { kind: "approve" },
  });
  const own = { ...UPLOADER, actor: "user:U1" };
  expect(nextStepOf(batchWith(waiting), own, 0)?.says).toEqual([
    "Chen Wei or Priya Raman can approve this batch.",
    "You uploaded this batch, so another person must approve it.",
  ]);
});

test("offers no approval of a batch in quarantine", () => {
  const able = { approve: { may: true }, request_approval: { may: false } };
  const batch = batchWith({ state: "awaiting_approval", quarantine: ["lost"], you: able });
  expect(nextStepOf(batch, OPERATOR, 0)).toEqual({ says: [], button: { kind: "review" } });
});

test("titles a batch by its name, then its purpose, then its file", () => {
  const file = "a.csv";
  expect(batchName({ name: "Wages", purpose: "May", file })).toBe("Wages");
  expect(otherNamesOf({ name: "Wages", purpose: "May", file })).toEqual([file, "May"]);
  expect(batchName({ name: null, purpose: "May", file })).toBe("May");
  expect(otherNamesOf({ name: null, purpose: "May", file })).toEqual([file]);
  expect(batchName({ name: null, purpose: null, file })).toBe(file);
  expect(otherNamesOf({ name: null, purpose: null, file })).toEqual([]);
});
