import { plural } from "../../words.ts";

/** As the form holds it; sent as "2026-12-31 09:00 Asia/Kolkata". */
export interface Chosen {
  readonly kind: "now" | "at";
  readonly date: string;
  readonly time: string;
  readonly zone: string;
}

type Standing = { readonly at: string; readonly says: string } | null;

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** What stands in the ledger; else at once. */
export function chosenOf(says: string | null): Chosen {
  const [date = "", time = "09:00", zone = HERE] = says?.split(" ") ?? [];
  return { kind: says === null ? "now" : "at", date, time, zone };
}

export const momentOf = ({ date, time, zone }: Chosen): string => `${date} ${time} ${zone}`;

/** The time that came before everybody had approved; null: there is none. */
export const lateTime = (send: Standing, nowMs: number): string | null =>
  send !== null && Date.parse(send.at) <= nowMs ? send.says : null;

/** What the form shows until somebody chooses; a time that is over is none to begin with. */
export function standingChoice(send: Standing, nowMs: number): Chosen {
  const standing = chosenOf(send?.says ?? null);
  return lateTime(send, nowMs) === null ? standing : { ...standing, kind: "now", date: "" };
}

/**
 * The time that is approved, always said: left out, it would be whichever stands by then. One that is over lets the batch
 * go at once, and is still the one that others have approved.
 */
export const sendOf = (chosen: Chosen, late: string | null): "now" | { readonly at: string } =>
  chosen.kind === "at" ? { at: momentOf(chosen) } : late === null ? "now" : { at: late };

export function approveVerb(
  payouts: number,
  missing: number,
  chosen: Chosen,
  late: string | null,
): string {
  const many = plural(payouts, "payout");
  if (missing > 1) return `Approve ${many}; ${plural(missing - 1, "approval")} will be missing`;
  if (late !== null && (chosen.kind === "now" || momentOf(chosen) === late)) {
    return `Approve ${many} to go out at once`;
  }
  return chosen.kind === "now" ? `Approve and send ${many}` : `Approve ${many} to go out then`;
}
