import type { PayoutEvent, PayoutState } from "#payout/payout-lifecycle.ts";
import { reasonText } from "#payout/reasons.ts";

/** One event of a payout's history, in words. */
export interface TimelineEntry {
  readonly at: Date;
  readonly kind: "change" | "attempt" | "answer" | "status_query" | "callback" | "lease" | "person";
  readonly title: string;
  readonly text: string | null;
  readonly actor: string | null;
  /**
   * `proof`: it says that money has arrived, and the ledger can prove it. `attention`: it needs
   * attention.
   */
  readonly tone: "plain" | "attention" | "proof";
  readonly facts: readonly { readonly name: string; readonly value: string }[];
}

/** The records about a payout (src/ledger/payout/payout-history.ts). */
export interface RecordedPayout {
  readonly state: PayoutState;
  readonly attempts: readonly {
    readonly number: number;
    readonly openedAt: Date;
    readonly keyId: string;
    readonly worker: string;
  }[];
  readonly evidence: readonly {
    readonly kind: string;
    readonly attempt: number | null;
    readonly at: Date;
    readonly facts: Readonly<Record<string, unknown>>;
  }[];
  readonly transitions: readonly {
    readonly event: PayoutEvent;
    readonly reason: string | null;
    readonly actor: string;
    readonly at: Date;
  }[];
}

// biome-ignore format: the columns are the point
const CHANGES: Readonly<Record<PayoutEvent, { title: string; tone: TimelineEntry["tone"] }>> = {
  approve:   { title: "Approved",                                           tone: "plain" },
  cancel:    { title: "Cancelled",                                          tone: "plain" },
  hold_back: { title: "Held back",                                          tone: "attention" },
  release:   { title: "Released",                                           tone: "plain" },
  send:      { title: "Selected for sending",                               tone: "plain" },
  resend:    { title: "Selected for sending again",                         tone: "plain" },
  defer:     { title: "Queued to be sent again",                            tone: "plain" },
  doubt:     { title: "Marked as in doubt: no conclusive response",         tone: "attention" },
  accept:    { title: "Accepted by the gateway",                            tone: "plain" },
  decline:   { title: "Declined by the gateway",                  tone: "attention" },
  settle:    { title: "Settled: reported as completed by the gateway",      tone: "proof" },
  hold:      { title: "Put on hold: a person must decide",                  tone: "attention" },
  return:    { title: "Returned: confirmed as failed or reversed",          tone: "attention" },
  resolve:   { title: "Resolved manually",                                  tone: "plain" },
};

/** Returns the transitions, without the claims for sending that an attempt followed. */
export function withoutClaims({
  attempts,
  transitions,
}: RecordedPayout): RecordedPayout["transitions"] {
  const opened = attempts.map(({ openedAt }) => openedAt.getTime());
  return transitions.filter(({ event, at }, place) => {
    if (event !== "send" && event !== "resend") return true;
    const next = transitions[place + 1]?.at.getTime() ?? Number.POSITIVE_INFINITY;
    return !opened.some((time) => time >= at.getTime() && time <= next);
  });
}

/**
 * Returns all events in order. At the same instant, an answer precedes the change that it caused,
 * and an attempt follows it.
 */
export function payoutTimeline(recorded: RecordedPayout): TimelineEntry[] {
  const hasArrived = recorded.state === "settled" || recorded.state === "returned";
  const fees = feeReports(recorded.evidence);
  const changes = new Map(
    fees
      .slice(1)
      .map(({ each, fee }, place) => [
        each,
        `The reported fee changed from ${fees[place]?.fee} to ${fee}.`,
      ]),
  );
  return [
    ...recorded.evidence.map((each) => {
      const entry = evidenceEntry(each, hasArrived);
      const text = changes.get(each);
      return text === undefined ? entry : { ...entry, text };
    }),
    ...recorded.transitions.map(transitionEntry),
    ...recorded.attempts.map(attemptEntry(answeredAttempts(recorded.evidence))),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

/**
 * Returns the status answers that report a fee which differs from the one before. The decimals 1.5
 * and 1.50 are the same fee.
 */
function feeReports(evidence: RecordedPayout["evidence"]) {
  const all = evidence.flatMap((each) => {
    const { fee } = each.facts;
    const isFee = each.kind === "status" && typeof fee === "string" && !NO_FEE.has(fee);
    return isFee ? [{ each, fee }] : [];
  });
  return all.filter(({ fee }, place) => plainFee(fee) !== plainFee(all[place - 1]?.fee ?? ""));
}

const NO_FEE: ReadonlySet<string> = new Set(["", "null"]);
const plainFee = (fee: string): string => fee.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");

/** Returns the fee that the gateway reported before the latest one. Null: it has not changed. */
export const earlierFee = (evidence: RecordedPayout["evidence"]): string | null =>
  feeReports(evidence).at(-2)?.fee ?? null;

/** The gateway's text of a reason such as "refused: bank not found". */
const REFUSAL = /^refused: (.+)$/;

function transitionEntry({
  event,
  reason,
  actor,
  at,
}: RecordedPayout["transitions"][number]): TimelineEntry {
  const { title, tone } = CHANGES[event];
  const said = event === "decline" ? REFUSAL.exec(reason ?? "")?.[1] : undefined;
  return {
    at,
    kind: "change",
    title: said === undefined ? title : `Declined by the gateway: ${said}`,
    tone,
    text:
      said === undefined
        ? reason && reasonText(reason)
        : "The gateway reports that it will not pay.",
    actor,
    facts: [],
  };
}

/** Returns the host of a process from its ID, which also has a process ID and a random part. */
export const workerHost = (id: string): string => id.replace(/-\d+-[0-9a-f]{6}$/, "");

/** Returns the numbers of the attempts that the gateway answered, so that they have arrived. */
const answeredAttempts = (evidence: RecordedPayout["evidence"]): ReadonlySet<number | null> =>
  new Set(
    evidence
      .filter(({ kind, facts }) => kind === "answer" && facts["httpStatus"] !== null)
      .map(({ attempt }) => attempt),
  );

/** An attempt is recorded before it is sent, so only an answer proves that it was. */
const attemptEntry =
  (answered: ReadonlySet<number | null>) =>
  ({ number, openedAt, keyId, worker }: RecordedPayout["attempts"][number]) =>
    ({
      at: openedAt,
      kind: "attempt",
      title: answered.has(number)
        ? `Sent to the gateway${number > 1 ? `, attempt ${number}` : ""}`
        : `Attempt ${number} recorded`,
      text: null,
      actor: null,
      tone: "plain",
      facts: [
        { name: "attempt", value: String(number) },
        { name: "key", value: keyId },
        { name: "worker", value: workerHost(worker) },
      ],
    }) satisfies TimelineEntry;

/** Converts recorded evidence into an entry of the timeline. */
export function evidenceEntry(
  { kind, attempt, at, facts }: RecordedPayout["evidence"][number],
  hasArrived: boolean,
): TimelineEntry {
  // A callback is a hint: the status query after it proves what it says.
  const saysArrived = kind !== "callback" && facts["state"] === "completed";
  return {
    at,
    ...evidenceTitle(kind, attempt, facts),
    text: textOf(facts),
    actor: null,
    tone: saysArrived && hasArrived ? "proof" : "plain",
    facts: Object.entries(facts).flatMap(([name, value]) =>
      value === null || value === "" || typeof value === "object"
        ? []
        : [
            {
              name: name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase(),
              value: shown(value),
            },
          ],
    ),
  };
}

const shown = (value: unknown): string =>
  typeof value === "number" ? String(Math.round(value)) : String(value);

const OUTCOMES: Readonly<Record<string, string>> = {
  accepted: "accepted, no result yet",
  awaiting_bank: "accepted, payer's account required",
  taken: "accepted",
  duplicate: "transaction code already used",
  declined: "declined",
  deferred: "not accepted this time",
  in_doubt: "inconclusive",
};

/**
 * Returns the gateway's text, or the amount of its record, whose state is in the title. The text of
 * an acceptance speaks of success although no money has moved yet, so it is only listed with the
 * facts.
 */
const textOf = (facts: Readonly<Record<string, unknown>>): string | null => {
  const { outcome, answer, amount, currency } = facts;
  if (outcome === "accepted") return null;
  if (answer === "found" && amount && currency) return `${shown(amount)} ${shown(currency)}`;
  const said = facts["message"] ?? facts["text"];
  return typeof said === "string" && said !== "" ? said : null;
};

function evidenceTitle(
  kind: string,
  attempt: number | null,
  facts: Readonly<Record<string, unknown>>,
): Pick<TimelineEntry, "kind" | "title"> {
  switch (kind) {
    case "answer": {
      const outcome = OUTCOMES[String(facts["outcome"])];
      // Without an answer, an attempt is deferred only if it is proven that it was not sent.
      if (facts["httpStatus"] === null && facts["outcome"] === "deferred") {
        return { kind, title: "Not sent to the gateway" };
      }
      const to = attempt !== null && attempt > 1 ? ` to attempt ${attempt}` : "";
      const what = facts["httpStatus"] === null ? "No response" : "Response";
      return { kind, title: `${what}${to}${outcome === undefined ? "" : `: ${outcome}`}` };
    }
    case "lease":
      return { kind, title: "No response was recorded in time" };
    case "callback":
      return { kind, title: "Callback received; payrun queries the status" };
    default: {
      const answer = facts["answer"];
      if (answer === "found") {
        const says = facts["says"];
        const state = shown(facts["state"]);
        const title = says
          ? `Status queried: ${state} (gateway status: ${shown(says)})`
          : `Status queried: the gateway reported ${state}`;
        return { kind: "status_query", title };
      }
      if (answer === "not_found") {
        return { kind: "status_query", title: "Status queried: not found at the gateway" };
      }
      return { kind: "status_query", title: "Status queried: no usable response" };
    }
  }
}
