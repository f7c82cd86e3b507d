import { createHash } from "node:crypto";
import type { LogLine, Campaign, FileRow, PayoutRecord } from "./campaign.ts";
import { decimal, exact, type Violation } from "./violation.ts";

/** Where a payout may rest: in a final state, or with a person. */
const FINAL = new Set(["settled", "declined", "cancelled", "returned"]);
const WITH_PERSON = new Set(["on_hold"]);

/** The gateway's handling of one code, from its own transaction log. */
interface LoggedCode {
  readonly accepted: readonly LogLine[];
  readonly settled: boolean;
  readonly ended: boolean;
}

/** Groups the gateway's transaction log by code. */
export function logByCode({ book }: Pick<Campaign, "book">): Map<string, LoggedCode> {
  const lines = Map.groupBy(book, (line) => line.transaction_code);
  const booked = [...lines].map(([code, of]): [string, LoggedCode] => {
    const events = of.map(({ event }) => event);
    return [
      code,
      {
        accepted: of.filter(({ event }) => event === "accepted"),
        settled: events.includes("settled"),
        ended: events.includes("settled") || events.includes("failed"),
      },
    ];
  });
  return new Map(booked);
}

/** I1: the gateway has accepted no code twice. */
export function checkPaidTwice(campaign: Campaign): Violation[] {
  return [...logByCode(campaign)].flatMap(([code, { accepted }]) =>
    accepted.length > 1
      ? [{ check: "paid twice", about: code, text: `accepted ${accepted.length} times` }]
      : [],
  );
}

/** Each row of the files with its payouts in the export. */
function payoutsOfRows({
  rows,
  batches,
  payouts,
}: Campaign): { row: FileRow; payouts: readonly PayoutRecord[] }[] {
  const fileOf = new Map(batches.map(({ batch_id, file }) => [batch_id, file]));
  const placed = Map.groupBy(payouts, ({ batch_id, line }) => `${fileOf.get(batch_id)} ${line}`);
  return rows.map((row) => ({ row, payouts: placed.get(`${row.file} ${row.line}`) ?? [] }));
}

/**
 * I2, I3: every row is exactly one payout that is final or with a person, and every paid code is a
 * row.
 */
export function checkLost(campaign: Campaign): Violation[] {
  const violation = (about: string, text: string): Violation => ({ check: "lost", about, text });
  const found: Violation[] = [];
  const known = new Set<string>();
  const waiting = new Set(
    campaign.bounds.occurrences.filter(({ sent }) => !sent).map(({ file }) => file),
  );
  for (const { row, payouts } of payoutsOfRows(campaign)) {
    const place = `${row.file} line ${row.line}`;
    if (payouts.length !== 1) {
      const codes = payouts.map(({ transaction_code: code }) => code).join(", ");
      found.push(violation(place, `is ${payouts.length} payouts in the export: ${codes}`));
    }
    for (const { transaction_code: code, state, reason } of payouts) {
      if (known.has(code)) found.push(violation(code, "is the code of two rows"));
      known.add(code);
      const waits = state === "approved" && waiting.has(row.file);
      if (!FINAL.has(state) && !WITH_PERSON.has(state) && !waits) {
        found.push(
          violation(code, `is neither final nor on hold: ${state} (${reason ?? "no reason"})`),
        );
      }
    }
  }
  for (const { transaction_code: code, batch_id, line } of campaign.payouts) {
    if (!known.has(code)) found.push(violation(code, `${batch_id} line ${line} is in no file`));
  }
  for (const [code, { accepted }] of logByCode(campaign)) {
    if (accepted.length > 0 && !known.has(code)) {
      found.push(violation(code, "was paid, and the export does not know it"));
    }
  }
  return found;
}

/** I7: the amounts and accounts at the gateway and in payrun's export match the file. */
export function checkAltered(campaign: Campaign): Violation[] {
  const booked = logByCode(campaign);
  return payoutsOfRows(campaign).flatMap(({ row, payouts }) =>
    payouts.flatMap((payout) => {
      const code = payout.transaction_code;
      const wrong = (text: string): Violation => ({ check: "altered", about: code, text });
      const wished = `${row.currency} ${row.amount}`;
      const is = (currency: string | undefined, amount: string | undefined) =>
        currency === row.currency && exact(amount) === exact(row.amount);
      const told = is(payout.currency, payout.amount)
        ? []
        : [wrong(`the file has ${wished}, the export ${payout.currency} ${payout.amount}`)];
      const taken = booked.get(code)?.accepted ?? [];
      return [
        ...told,
        ...taken.flatMap((line) => [
          ...(is(line.currency, line.amount)
            ? []
            : [
                wrong(
                  `the file has ${wished}, the gateway accepted ${line.currency} ${line.amount}`,
                ),
              ]),
          ...(line.payee === beneficiaryOf(row)
            ? []
            : [wrong("went to an account other than the file's")]),
        ]),
      ];
    }),
  );
}

/**
 * How the simulated gateway's transaction log writes an account that it must not store:
 * docs/start/simulator.md, Transaction log.
 */
const beneficiaryOf = ({ account, bank }: FileRow): string =>
  createHash("sha256").update(`${bank}\n${account}`).digest("hex").slice(0, 16);

export interface CurrencySums {
  /** Sum of the files. */
  readonly rows: string;
  /** By the states of the export. */
  readonly states: Readonly<Record<string, string>>;
  /** Sum that the transaction log has settled. */
  readonly paid: string;
  /** The part of it that payrun holds for a person. */
  readonly paidAndHeld: string;
}

/**
 * I3, I9: reported settled means paid, reported declined or cancelled means not paid, per currency
 * and to the last digit.
 */
export function checkSums(campaign: Campaign): {
  violations: Violation[];
  byCurrency: Record<string, CurrencySums>;
} {
  const booked = logByCode(campaign);
  const violations: Violation[] = [];
  for (const { transaction_code: code, state } of campaign.payouts) {
    const { settled = false, ended = false, accepted = [] } = booked.get(code) ?? {};
    const wrong = (text: string) => violations.push({ check: "sums", about: code, text });
    if (state === "settled" && !settled)
      wrong("reported settled, and the transaction log has not paid it");
    if ((state === "declined" || state === "cancelled") && settled) {
      wrong(`reported ${state}, and the transaction log has paid it`);
    } else if ((state === "declined" || state === "cancelled") && accepted.length > 0 && !ended) {
      wrong(`reported ${state}, and it is still in progress at the gateway`);
    }
  }

  const byCurrency: Record<string, CurrencySums> = {};
  for (const currency of new Set(campaign.rows.map((row) => row.currency))) {
    const sum = (amounts: readonly (string | undefined)[]) =>
      amounts.reduce((total, amount) => total + (exact(amount) ?? 0n), 0n);
    const ours = campaign.payouts.filter((payout) => payout.currency === currency);
    const inState = (state: string) =>
      sum(ours.filter((payout) => payout.state === state).map(({ amount }) => amount));
    const held = ours.filter(
      ({ state, transaction_code: code }) =>
        state === "on_hold" && booked.get(code)?.settled === true,
    );
    const asked = sum(
      campaign.rows.filter((row) => row.currency === currency).map(({ amount }) => amount),
    );
    const paid = sum(
      campaign.book
        .filter((line) => line.event === "settled" && line.currency === currency)
        .map(({ amount }) => amount),
    );
    const paidAndHeld = sum(held.map(({ amount }) => amount));
    const states = [...new Set(ours.map(({ state }) => state))].sort();
    const told = states.reduce((total, state) => total + inState(state), 0n);
    const differs = (text: string) => violations.push({ check: "sums", about: currency, text });
    if (asked !== told) differs(`the files have ${decimal(asked)}, the export ${decimal(told)}`);
    // The log has paid a returned payout before its money came back.
    if (inState("settled") + inState("returned") + paidAndHeld !== paid) {
      differs(
        `reported settled ${decimal(inState("settled"))} and on hold although paid ${decimal(paidAndHeld)}, the transaction log has paid ${decimal(paid)}`,
      );
    }
    byCurrency[currency] = {
      rows: decimal(asked),
      states: Object.fromEntries(states.map((state) => [state, decimal(inState(state))])),
      paid: decimal(paid),
      paidAndHeld: decimal(paidAndHeld),
    };
  }
  return { violations, byCurrency };
}
