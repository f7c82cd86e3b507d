import type { DepositEvent, DepositState } from "#deposit/lifecycle.ts";
import { depositReasonText } from "#deposit/reasons.ts";
import {
  evidenceEntry,
  type TimelineEntry,
  type RecordedPayout,
  workerHost,
} from "#payout/timeline.ts";

/** The records about a deposit (src/ledger/deposit/history.ts). */
export interface RecordedDepositHistory extends Pick<RecordedPayout, "evidence"> {
  readonly state: DepositState;
  readonly attempts: readonly {
    readonly number: number;
    readonly kind: keyof typeof ATTEMPTS;
    readonly openedAt: Date;
    readonly keyId: string;
    readonly worker: string;
  }[];
  readonly transitions: readonly {
    readonly event: DepositEvent;
    readonly reason: string | null;
    readonly actor: string;
    readonly at: Date;
  }[];
}

// biome-ignore format: the columns are the point
const CHANGES: Readonly<Record<DepositEvent, { title: string; tone: TimelineEntry["tone"] }>> = {
  repeat:                { title: "Not accepted; requested again with the same transaction code",           tone: "plain" },
  resend:                { title: "Unknown to the gateway; requested again with the same transaction code",   tone: "plain" },
  doubt:                 { title: "In doubt: no conclusive response",                                  tone: "attention" },
  request_account:       { title: "Accepted: the payer must enter the account they will pay from",           tone: "plain" },
  send_account:          { title: "Payer's account sent",                                tone: "plain" },
  request_account_again: { title: "The payer can enter their account details again",                      tone: "attention" },
  accept:                { title: "Accepted: the gateway is waiting for the payment",                        tone: "plain" },
  complete:              { title: "Reported as completed by the gateway",                          tone: "proof" },
  expire:                { title: "Expired: the payment deadline has passed",                                tone: "plain" },
  decline:               { title: "Declined: no payment received",                               tone: "attention" },
  hold:                  { title: "On hold: manual decision required",                                    tone: "attention" },
  resolve:               { title: "Resolved manually",                                                tone: "plain" },
};

const ATTEMPTS = {
  request: "Request",
  account: "Payer's account: request",
  reference: "Payer's reference: request",
} as const;

/**
 * Returns the history of a deposit in order. At the same instant, an answer precedes the change
 * that it caused.
 */
export function depositTimeline(recorded: RecordedDepositHistory): TimelineEntry[] {
  return [
    ...recorded.attempts.map(({ number, kind, openedAt, keyId, worker }) => ({
      at: openedAt,
      kind: "attempt" as const,
      title: `${ATTEMPTS[kind]} ${number} recorded before sending`,
      text: null,
      actor: null,
      tone: "plain" as const,
      facts: [
        { name: "key", value: keyId },
        { name: "worker", value: workerHost(worker) },
      ],
    })),
    ...recorded.evidence.map((each) => evidenceEntry(each, recorded.state === "completed")),
    ...recorded.transitions.map(({ event, reason, actor, at }) => ({
      at,
      kind: "change" as const,
      ...CHANGES[event],
      text: reason && depositReasonText(reason),
      actor,
      facts: [],
    })),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime());
}
