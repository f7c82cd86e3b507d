import { messages } from "./messages.tsx";

/** The send time in the form. The request contains "now" or "2026-12-31 09:00 Asia/Kolkata". */
export interface Chosen {
  readonly kind: "now" | "at";
  readonly date: string;
  readonly time: string;
  readonly zone: string;
}

type Standing = { readonly at: string; readonly says: string } | null;

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Splits a send time of the ledger into fields. Null: immediately. */
export function chosenOf(says: string | null): Chosen {
  const [date = "", time = "09:00", zone = HERE] = says?.split(" ") ?? [];
  return { kind: says === null ? "now" : "at", date, time, zone };
}

export const momentOf = ({ date, time, zone }: Chosen): string => `${date} ${time} ${zone}`;

/** The send time that passed before the last approval; null if there is none. */
export const lateTime = (send: Standing, nowMs: number): string | null =>
  send !== null && Date.parse(send.at) <= nowMs ? send.says : null;

/** The initial choice of the form. A send time that has passed becomes "now". */
export function standingChoice(send: Standing, nowMs: number): Chosen {
  const standing = chosenOf(send?.says ?? null);
  return lateTime(send, nowMs) === null ? standing : { ...standing, kind: "now", date: "" };
}

/**
 * The send time in the approval request. It is always given, because without it the server would
 * approve the time that the batch has by then. A time that has passed sends the batch immediately,
 * and is the time that others have approved.
 */
export const sendOf = (chosen: Chosen, late: string | null): "now" | { readonly at: string } =>
  chosen.kind === "at" ? { at: momentOf(chosen) } : late === null ? "now" : { at: late };

export function approveVerb(
  payouts: number,
  missing: number,
  chosen: Chosen,
  late: string | null,
): string {
  const texts = messages.decision;
  if (missing > 1) return texts.approvePartly(payouts, missing - 1);
  if (late !== null && (chosen.kind === "now" || momentOf(chosen) === late)) {
    return texts.approveAndSendLate(payouts);
  }
  return chosen.kind === "now" ? texts.approveAndSend(payouts) : texts.approveAndSchedule(payouts);
}
