import { describe, expect, test } from "vitest";
import { rowsOf } from "../../../proof/chaos/checker/campaign.ts";
import { check } from "../../../proof/chaos/checker/check.ts";
import { smallCampaign } from "./small-campaign.ts";

type Small = ReturnType<typeof smallCampaign>;

/** Checks that fail when the small campaign is manipulated, each with its subject. */
function complaintsAbout(doctor: (campaign: Small) => void): string[] {
  const campaign = smallCampaign();
  doctor(campaign);
  return check(campaign).violations.map(({ check: name, about }) => `${name}: ${about}`);
}

const [SETTLED, DECLINED, HELD, DAILY, WAITS, REST] = [0, 1, 2, 3, 4, 6] as const;
const at = <T>(list: readonly T[], place: number): T => list[place] as T;
const change = <T extends object>(thing: T, fields: { [Key in keyof T]?: unknown }) =>
  Object.assign(thing, fields);

/** The period in which the operators' commands apply. */
const lateIn = (campaign: Small) => at(at(campaign.payouts, SETTLED).attempts, 1).opened_at;
/** Its first claim, from its start, while such a command applies. */
const claimLate = (campaign: Small, payout: number) => {
  const { attempts, transitions } = at(campaign.payouts, payout);
  change(at(attempts, 0), { opened_at: lateIn(campaign) });
  change(at(transitions, 1), { at: lateIn(campaign) });
};

test("finds no violation in a correct campaign, and reports its figures", () => {
  const { violations, figures } = check(smallCampaign());
  expect(violations).toEqual([]);
  expect(figures).toMatchObject({
    rows: 7,
    states: { settled: 2, declined: 3, on_hold: 1, approved: 1 },
    sums: {
      INR: { rows: "120.05", states: { settled: "100.05", declined: "20" }, paid: "100.05" },
      THB: { rows: "7.5", states: { on_hold: "7.5" }, paid: "7.5", paidAndHeld: "7.5" },
    },
    held: [{ code: "HELD", paid: true }],
    gateway: { requests: 7, questions: 10, ambiguous: 1, duplicates: 0, at_once_max: 2 },
    payoutsSentAgain: 1,
    auditLines: 7,
    canaries: { settled: 1, released: 0 },
    textsRead: 1,
  });
});

describe("finds one manipulation of a correct campaign", () => {
  const twice = (campaign: Small) => ({
    ...at(campaign.book, 3),
    seq: 8,
    at: at(campaign.book, 5).at,
  });

  // biome-ignore format: one line for each thing that must not be
  test.each<[string, (campaign: Small) => void, string[]]>([
    ["a code paid twice (I1)", (c) => c.book.push(twice(c)), ["paid twice: SETTLED", "attempt first: SETTLED"]],
    ["a payout that is not in the export (I2)", (c) => c.payouts.splice(DECLINED, 1), ["lost: one.csv line 3", "sums: INR"]],
    ["a row that became two payouts (I2)", (c) => c.payouts.push({ ...at(c.payouts, DECLINED), transaction_code: "AGAIN" }), ["lost: one.csv line 3", "sums: INR"]],
    ["two rows with one code (I5)", (c) => change(at(c.payouts, HELD), { transaction_code: "DECLINED" }), ["lost: DECLINED", "lost: HELD", "sums: THB"]],
    ["a payout without a row", (c) => change(at(c.payouts, DECLINED), { line: 9 }), ["lost: one.csv line 3", "lost: DECLINED"]],
    ["a payout without a final state (I2)", (c) => change(at(c.payouts, HELD), { state: "accepted", transitions: at(c.payouts, HELD).transitions.slice(0, 3) }), ["lost: HELD", "sums: THB"]],
    ["money for a code that the export lacks", (c) => c.book.push({ ...twice(c), transaction_code: "STRANGER" }), ["lost: STRANGER"]],
    ["another amount at the gateway (I7)", (c) => change(at(c.book, 3), { amount: "1000.05" }), ["altered: SETTLED"]],
    ["another amount in the export (I7)", (c) => change(at(c.payouts, DECLINED), { amount: "20.01" }), ["altered: DECLINED", "sums: INR"]],
    ["another account at the gateway (I7)", (c) => change(at(c.book, 2), { payee: "0000000000000000" }), ["altered: HELD"]],
    ["reported settled without payment (I3, I9)", (c) => c.book.splice(5, 1), ["sums: SETTLED", "sums: INR"]],
    ["declined, and paid (I3)", (c) => { c.book.push({ ...at(c.book, 5), seq: 8, transaction_code: "DECLINED", amount: "20" }); }, ["sums: DECLINED", "sums: INR"]],
    ["declined while in progress at the gateway (I9)", (c) => { c.book.push({ ...at(c.book, 3), seq: 8, at: at(c.book, 5).at, transaction_code: "DECLINED", amount: "20", payee: "aa52d81b1c7cb1f5" }); }, ["altered: DECLINED", "sums: DECLINED", "attempt first: DECLINED"]],
    ["a settlement of another amount (I3)", (c) => change(at(c.book, 5), { amount: "100.06" }), ["sums: INR"]],
    ["a missing transition (I8)", (c) => change(at(c.payouts, SETTLED), { transitions: at(c.payouts, SETTLED).transitions.toSpliced(2, 1) }), ["transitions: SETTLED", "transitions: SETTLED", "transitions: SETTLED", "transitions: SETTLED"]],
    ["an illegal transition (I8)", (c) => change(at(at(c.payouts, DECLINED).transitions, 2), { event: "settle" }), ["transitions: DECLINED"]],
    ["a state without its transition (I8)", (c) => change(at(c.payouts, HELD), { state: "settled", evidence: at(c.payouts, HELD).evidence }), ["transitions: HELD", "unproven: HELD"]],
    ["settled without an answer (I9)", (c) => change(at(c.payouts, SETTLED), { evidence: [] }), ["unproven: SETTLED"]],
    ["settled on an answer about another amount (I9)", (c) => change(at(at(c.payouts, SETTLED).evidence, 0), { facts: { answer: "found", state: "completed", currency: "INR", amount: "100.06" } }), ["unproven: SETTLED"]],
    ["declined without an answer (I9)", (c) => change(at(c.payouts, DECLINED), { evidence: [] }), ["unproven: DECLINED"]],
    ["a changed audit line (I12)", (c) => change(at(c.audit, 0), { facts: '{"payouts":4}' }), ["audit: audit line 1"]],
    ["a removed audit line (I12)", (c) => c.audit.shift(), ["audit: audit line 2", ...[2, 3, 4, 5, 6, 7].map((line) => `audit: audit line ${line}`)]],
    ["a batch without a recorded approval (I12)", (c) => c.audit.splice(3, 2), ["audit: audit line 6", "audit: audit line 6", "audit: audit line 7", "audit: B3", "early: daily 1.csv", "early: DAILY"]],
    ["an account number in a log (I14)", (c) => change(at(c.texts, 0), { text: "to 73169500000003" }), ["leak: worker.log"]],
    ["a key in a dump (I14)", (c) => change(at(c.texts, 0), { text: "demo-secret-INR" }), ["leak: worker.log"]],
    ["more concurrent requests than allowed (I13)", (c) => change(at(c.book, 1), { at_once: 5 }), ["load: transaction log line 2"]],
    ["a request before its attempt (I4)", (c) => change(at(at(c.payouts, SETTLED).attempts, 1), { opened_at: "2026-01-01T00:00:00.000Z" }), ["attempt first: SETTLED"]],
    ["an attempt without a transition (I4)", (c) => change(at(c.payouts, HELD), { attempts: at(c.payouts, HELD).attempts.concat({ number: 3, opened_at: "2027-01-01T00:00:00.000Z" }) }), ["attempt first: HELD", "attempt first: HELD"]],
    ["two batches of one occurrence (I11)", (c) => c.batches.push({ ...at(c.batches, 1), state: "cancelled" }), ["occurrence: daily 1.csv"]],
    ["no batch of an occurrence (I11)", (c) => change(at(c.bounds.occurrences, 0), { file: "daily 3.csv" }), ["occurrence: daily 3.csv"]],
    ["sent before its release (I7)", (c) => change(at(c.book, 6), { at: at(c.book, 0).at }), ["early: DAILY", "attempt first: DAILY"]],
    ["claimed before its release (I7)", (c) => change(at(at(c.payouts, DAILY).attempts, 0), { opened_at: at(c.audit, 0).at }), ["early: DAILY"]],
    ["sent before its day (I7)", (c) => change(at(c.payouts, WAITS), { state: "submitting", transitions: at(c.payouts, DAILY).transitions.slice(0, 2), attempts: at(c.payouts, DAILY).attempts }), ["early: WAITS", "lost: WAITS"]],
    ["held before its day", (c) => change(at(c.payouts, WAITS), { state: "on_hold", transitions: [{ seq: 1, event: "approve", from: "awaiting_approval", to: "approved" }, { seq: 2, event: "hold", from: "approved", to: "on_hold" }] }), ["early: WAITS"]],
    ["released twice", (c) => change(at(c.audit, 3), { action: "release", object: "B2" }), ["audit: audit line 4", "audit: B3", "early: daily 1.csv"]],
    ["an attempt while its lane is frozen (I13)", (c) => claimLate(c, HELD), ["attempt first: HELD", "lanes: THB"]],
    ["a claim in flight when its lane was frozen", (c) => change(at(at(c.payouts, HELD).attempts, 0), { opened_at: lateIn(c) }), ["attempt first: HELD"]],
    ["a batch that begins while its lane is drained (I13)", (c) => { for (const payout of [SETTLED, DECLINED]) claimLate(c, payout); }, ["attempt first: DECLINED", "attempt first: SETTLED", "lanes: INR"]],
    ["more attempts than the limit of the lane (I13)", (c) => change(at(c.payouts, DECLINED), { attempts: Array.from({ length: 6 }, (_, place) => ({ number: place + 1, opened_at: at(at(c.payouts, DECLINED).attempts, 0).opened_at })) }), ["attempt first: DECLINED", "lanes: INR"]],
    ["claimed before the canary of its batch had settled (I7)", (c) => change(at(at(c.payouts, REST).attempts, 0), { opened_at: at(at(c.payouts, DECLINED).attempts, 0).opened_at }), ["canary: REST"]],
    ["requested before the gateway had settled the canary (I7)", (c) => change(at(c.book, 8), { at: at(c.book, 9).at + 1 }), ["canary: REST"]],
    ["a canary that settles late, and the rest released by a person", (c) => { change(at(c.book, 8), { at: at(c.book, 9).at + 1 }); change(at(c.audit, 6), { facts: '{"lanes":["M1/MYR"],"reason":"looked at"}' }); }, ["audit: audit line 7"]],
    ["a canary without a release of the rest", (c) => c.audit.pop(), ["nothing seen: canaries"]],
    ["sent with too many in doubt (I13)", (c) => { const { at: heldAt } = at(c.book, 2); change(at(at(c.payouts, DECLINED).transitions, 1), { at: new Date(heldAt).toISOString() }); change(at(c.book, 1), { at: heldAt }); }, ["ceiling: DECLINED"]],
    ["more requests than the limit of the lane (I13)", (c) => { for (let seq = 7; seq < 27; seq += 1) c.book.push({ ...at(c.book, 1), seq }); }, ["lanes: INR", ...Array.from({ length: 20 }, () => "attempt first: DECLINED")]],
    ["no command of operators", (c) => change(c.bounds, { lanes: [] }), ["nothing seen: lanes"]],
    ["nothing to check", (c) => change(c, { texts: [] }), ["nothing seen: textsRead"]],
  ])("%s", (_what, doctor, expected) => {
    expect(complaintsAbout(doctor).toSorted()).toEqual(expected.toSorted());
  });
});

test("refuses a file with a quote, because its line numbers would be guesses", () => {
  expect(() => rowsOf("quoted.csv", 'a,b\n"1,2",3\n')).toThrow("quote");
});
