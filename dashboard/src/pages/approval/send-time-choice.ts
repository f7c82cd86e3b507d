import { readerZone } from "../../base/time-zone.ts";
import { messages } from "./messages.tsx";

/** The send time in the form. The request contains "now" or "2026-12-31 09:00 Asia/Kolkata". */
export interface SendTimeChoice {
  readonly kind: "now" | "at";
  readonly date: string;
  readonly time: string;
  readonly zone: string;
}

type PlannedSendTime = { readonly at: string; readonly says: string } | null;

/** Splits a send time of the ledger into fields. Null: immediately. */
export function choiceOf(says: string | null): SendTimeChoice {
  const [date = "", time = "09:00", zone = readerZone()] = says?.split(" ") ?? [];
  return { kind: says === null ? "now" : "at", date, time, zone };
}

/** Returns the chosen time as the API expects it: "2026-12-31 09:00 Asia/Kolkata". */
export const sendTimeText = ({ date, time, zone }: SendTimeChoice): string =>
  `${date} ${time} ${zone}`;

/** The send time that passed before the last approval; null if there is none. */
export const passedSendTime = (send: PlannedSendTime, nowMs: number): string | null =>
  send !== null && Date.parse(send.at) <= nowMs ? send.says : null;

/** The initial choice of the form. A send time that has passed becomes "now". */
export function initialChoice(send: PlannedSendTime, nowMs: number): SendTimeChoice {
  const planned = choiceOf(send?.says ?? null);
  return passedSendTime(send, nowMs) === null ? planned : { ...planned, kind: "now", date: "" };
}

/**
 * The send time in the approval request. It is always given, because without it the server would
 * approve the time that the batch has by then. A time that has passed sends the batch immediately,
 * and is the time that others have approved.
 */
export const requestedSendTime = (
  chosen: SendTimeChoice,
  late: string | null,
): "now" | { readonly at: string } =>
  chosen.kind === "at" ? { at: sendTimeText(chosen) } : late === null ? "now" : { at: late };

/** Returns the label of the approval button, which states when the payouts will be sent. */
export function approveButtonText(
  payouts: number,
  missing: number,
  chosen: SendTimeChoice,
  late: string | null,
): string {
  const texts = messages.decision;
  if (missing > 1) return texts.approvePartly(payouts, missing - 1);
  if (late !== null && (chosen.kind === "now" || sendTimeText(chosen) === late)) {
    return texts.approveAndSendLate(payouts);
  }
  return chosen.kind === "now" ? texts.approveAndSend(payouts) : texts.approveAndSchedule(payouts);
}
