import { SENTENCES } from "./sentences.ts";

/**
 * Statements of the specification that each file implements or depends on, as ids and ranges of ids
 * without their prefix.
 */
const STATEMENTS_OF: Readonly<Record<string, string>> = {
  "src/base/ids.ts": "R01 R06 R41 L03",
  "src/deposit/decide-outcome.ts": "S01-S04",
  "src/deposit/lifecycle.ts": "S01-S04",
  "src/deposit/requirements.ts": "R12 R14 R15 R17 R18 L04 L06 E13",
  "src/gateway/callback.ts": "V01-V03",
  "src/gateway/deposit-answers.ts": "R19-R33 R37-R39 X01 X04 X05",
  "src/gateway/deposit-client.ts": "E03-E06 E13",
  "src/gateway/deposit-messages.ts": "R03-R33 R34-R39",
  "src/gateway/deposit-requests.ts": "R04-R16 R34-R36",
  "src/gateway/error-codes.ts": "X02 X05",
  "src/gateway/payout-answers.ts": "R59 R60 X01-X03 X05",
  "src/gateway/requests.ts": "R40-R58 E12",
  "src/gateway/status-answer.ts": "R02 R61 R62 R67 R68 R70-R72 X01 X05",
  "src/gateway/transaction-states.ts": "R67 R72 S03 S04",
  "src/gateway/wire/cipher.ts": "A02 A04",
  "src/gateway/wire/endpoints.ts": "E01-E02 E04-E11 A03",
  "src/gateway/wire/expiry.ts": "R24 R25",
  "src/gateway/wire/keyring.ts": "A01 R09 R18 R43",
  "src/gateway/wire/layout.ts": "R58 E02 A02",
  "src/gateway/wire/messages.ts": "R40-R58 R61-R72 V03",
  "src/gateway/wire/timestamp-freshness.ts": "R07 R42 L01 L02 L07",
  "src/payout/lane/rate-limit.ts": "L08",
  "src/payout/rules/bank-codes/bank-codes.ts": "R18 R51 R52",
  "src/payout/rules/currency-rules.ts": "R45 R47-R58 L05 L08",
  "src/payout/rules/formats.ts": "R15 R49 R50 R57 L04 L05",
};

const RANGE = /^([A-Z])(\d+)(?:-[A-Z](\d+))?$/;

/** Expands "R04-R06 X01" to full ids. */
function idsIn(ranges: string): string[] {
  return ranges.split(" ").flatMap((range) => {
    const [, letter, first, last = first] = RANGE.exec(range) ?? [];
    return SENTENCES.map(({ id }) => id).filter((id) => {
      const number = Number(id.slice("SPEC-R".length));
      return id[5] === letter && number >= Number(first) && number <= Number(last);
    });
  });
}

/** The source files of each statement, by its id. */
export const SOURCES: ReadonlyMap<string, readonly string[]> = new Map(
  SENTENCES.map(({ id }) => [
    id,
    Object.keys(STATEMENTS_OF).filter((path) => idsIn(STATEMENTS_OF[path] ?? "").includes(id)),
  ]),
);
