import { type Campaign, readCampaign } from "./campaign.ts";
import { checkInDoubtLimits, checkCanaries } from "./circuit-breakers.ts";
import { checkAttemptsFirst, checkTransitions, checkEvidence } from "./history.ts";
import { checkLaneOrders } from "./lanes.ts";
import {
  checkAltered,
  logByCode,
  type CurrencySums,
  checkLost,
  checkPaidTwice,
  checkSums,
} from "./money.ts";
import { checkAuditChain, checkLeaks, checkLoad } from "./records.ts";
import { checkSendTimes, checkOccurrences } from "./times.ts";
import type { Violation } from "./violation.ts";

/** Output of the checker. */
export interface Verdict {
  readonly violations: readonly Violation[];
  readonly figures: Figures;
}

export interface Figures {
  readonly rows: number;
  readonly states: Readonly<Record<string, number>>;
  readonly sums: Readonly<Record<string, CurrencySums>>;
  /** Payouts that a person must check, with the transaction log's view. */
  readonly held: readonly {
    readonly code: string;
    readonly reason: string;
    readonly paid: boolean;
  }[];
  readonly gateway: {
    readonly requests: number;
    readonly questions: number;
    /** Requests with an ambiguous answer or none. */
    readonly ambiguous: number;
    /** Answered with error 111: the same code again. */
    readonly duplicates: number;
    readonly at_once_max: number;
    readonly per_second_max: number;
  };
  readonly payoutsSentAgain: number;
  /** Attempts whose worker died or froze before it could record an answer. */
  readonly leasesRunOut: number;
  readonly auditLines: number;
  /** Operators' commands for lanes, with their durations. */
  readonly lanes: readonly { readonly kind: string; readonly seconds: number }[];
  /**
   * Batches and lanes whose rest followed because all of the canary had settled, or because a
   * person released it.
   */
  readonly canaries: { readonly settled: number; readonly released: number };
  /** How often payrun took its ledger for an older copy. */
  readonly freezes: number;
  readonly textsRead: number;
  readonly bytesRead: number;
}

/** Runs every check on one campaign. A campaign with nothing to check has not passed. */
export function check(campaign: Campaign): Verdict {
  let textsRead = 0;
  let bytesRead = 0;
  const texts = (function* () {
    for (const each of campaign.texts) {
      textsRead += 1;
      bytesRead += each.text.length;
      yield each;
    }
  })();
  const { violations: sumViolations, byCurrency } = checkSums(campaign);
  const violations = [
    ...checkPaidTwice(campaign),
    ...checkLost(campaign),
    ...checkAltered(campaign),
    ...sumViolations,
    ...checkTransitions(campaign),
    ...checkEvidence(campaign),
    ...checkAuditChain(campaign),
    ...checkLeaks({ ...campaign, texts }),
    ...checkLoad(campaign),
    ...checkAttemptsFirst(campaign),
    ...checkOccurrences(campaign),
    ...checkSendTimes(campaign),
    ...checkLaneOrders(campaign),
    ...checkCanaries(campaign),
    ...checkInDoubtLimits(campaign),
  ];
  const figures = { ...figuresOf(campaign, byCurrency), textsRead, bytesRead };
  return { violations: [...violations, ...nothingSeen(figures)], figures };
}

function nothingSeen({
  rows,
  gateway,
  auditLines,
  textsRead,
  states,
  lanes,
  canaries,
}: Figures): Violation[] {
  const seen = {
    rows,
    requests: gateway.requests,
    auditLines,
    textsRead,
    settled: states["settled"],
    lanes: lanes.length,
    canaries: canaries.settled + canaries.released,
  };
  return Object.entries(seen).flatMap(([about, count]) =>
    (count ?? 0) === 0
      ? [{ check: "nothing seen", about, text: "the campaign contained nothing to check" }]
      : [],
  );
}

const counted = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(names.toSorted(), (name) => name)].map(([name, all]) => [name, all.length]),
  );

function figuresOf(
  campaign: Campaign,
  byCurrency: Record<string, CurrencySums>,
): Omit<Figures, "textsRead" | "bytesRead"> {
  const { rows, payouts, book, audit, bounds } = campaign;
  const booked = logByCode(campaign);
  const requests = book.filter(({ event }) => /^(accepted|refused|request)$/.test(event));
  const releases = audit.filter(({ action }) => action === "release_canary");
  const seconds = counted(requests.map(({ at }) => String(Math.floor(at / 1000))));
  return {
    rows: rows.length,
    states: counted(payouts.map(({ state }) => state)),
    sums: byCurrency,
    held: payouts
      .filter(({ state }) => state === "on_hold")
      .map(({ transaction_code: code, reason }) => ({
        code,
        reason: reason ?? "",
        paid: booked.get(code)?.settled === true,
      })),
    gateway: {
      requests: requests.length,
      questions: book.reduce((sum, { questions }) => sum + questions, 0),
      ambiguous: requests.filter(({ event, fault }) => event !== "refused" && isAmbiguous(fault))
        .length,
      duplicates: requests.filter(({ code }) => code === "111").length,
      at_once_max: book.reduce((most, line) => Math.max(most, line.at_once), 0),
      per_second_max: Object.values(seconds).reduce((most, count) => Math.max(most, count), 0),
    },
    payoutsSentAgain: payouts.filter(({ attempts }) => attempts.length > 1).length,
    leasesRunOut: payouts.flatMap(({ evidence }) => evidence).filter(({ kind }) => kind === "lease")
      .length,
    auditLines: audit.length,
    canaries: {
      settled: releases.filter(({ facts }) => facts.includes('"reason":null')).length,
      released: releases.filter(({ facts }) => !facts.includes('"reason":null')).length,
    },
    lanes: bounds.lanes.map(({ kind, from, to }) => ({ kind, seconds: (to - from) / 1_000 })),
    freezes: audit.filter(({ action }) => action === "freeze").length,
  };
}

/** A slow answer counts as an answer. */
const isAmbiguous = (fault: string | undefined): boolean => fault !== undefined && fault !== "slow";

/**
 * `node proof/chaos/checker/check.ts FOLDER`: prints the verdict as JSON, and each violation on
 * stderr.
 */
if (import.meta.main) {
  const verdict = check(readCampaign(process.argv[2] ?? "."));
  for (const { check: name, about, text } of verdict.violations) {
    process.stderr.write(`${name}: ${about}: ${text}\n`);
  }
  process.stdout.write(`${JSON.stringify(verdict)}\n`);
  process.exitCode = verdict.violations.length === 0 ? 0 : 1;
}
