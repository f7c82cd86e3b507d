import type { ReactNode } from "react";

/** The codes as a list, "…" where it is cut. */
const codesText = (codes: readonly string[], isCut: boolean): string =>
  `${codes.join(", ")}${isCut ? ", …" : ""}`;

/** The English texts about a frozen ledger. */
export const frozen = {
  title: "The ledger is frozen",
  since: (reason: string, time: ReactNode) => (
    <>
      {reason}, since {time}.
    </>
  ),
  lane: "Lane",
  inProgress: "Payouts in progress",
  notQueried: "Not queried yet",
  explanation:
    "The ledger may have lost records of payouts that were sent. payrun sends no payout until it has queried the status of every payout in progress and an operator unfreezes the ledger.",
  caption: "Payouts in progress, and those not queried since the freeze",
  unfreeze: "Unfreeze",
  allQueried: "payrun has queried the status of every payout in progress.",
  stillToQuery: (payouts: string) =>
    `payrun has not queried the status of ${payouts} yet. Keep the workers running.`,
  olderEpoch: (epoch: number) =>
    `This server uses the LEDGER_EPOCH of an earlier epoch. If this is the correct ledger, set LEDGER_EPOCH to ${epoch}.`,
  onHold: (payouts: string, codes: readonly string[], isCut: boolean) =>
    `On hold since the freeze: ${payouts} (${codesText(codes, isCut)}). The page Failures lists every payout on hold.`,
  strayCodes: (count: string, codes: readonly string[], isCut: boolean) =>
    `Unknown transaction codes in callbacks: ${count} (${codesText(codes, isCut)}). The records of these payouts may be lost.`,
  lost: (file: string, batch: string, time: ReactNode, payouts: string, amounts: string) => (
    <>
      The records of {file} (batch {batch}) are lost. It was uploaded {time} and contains {payouts},{" "}
      {amounts}, which may have been paid.
    </>
  ),
  quarantined: (file: string, batch: string, time: ReactNode, payouts: string) => (
    <>
      {file} (batch {batch}), uploaded {time}, is in quarantine: {payouts} may have been paid.
    </>
  ),
  memoryCovers:
    "The restore memory of this server covers the time since the backup. It knows only the batches that this machine handled: run payrun doctor on every other machine that has handled batches.",
  memoryDoesNotCover:
    "The restore memory of this server does not cover the time since the backup. payrun may not recognise a file that was paid in that time when it is uploaded again. Compare the gateway's records of that time before you upload such a file.",
  acknowledgeLost: (file: string, batch: string) =>
    `I understand that the records of ${file} (batch ${batch}) are lost`,
  batch: (file: string, batch: string) => `${file} (batch ${batch})`,
  keep: "Keep in quarantine",
  release: "Release: none of its payouts was paid",
  acknowledgeMemory:
    "I understand that payrun may not recognise files that were paid since the backup",
  dialogTitle: "Unfreeze the ledger",
  dialogAllQueried:
    "payrun has queried the status of every payout in progress. It then sends the approved payouts that the gateway does not know.",
  dialogNotQueried: (payouts: string, isOne: boolean) =>
    `payrun has not queried the status of ${payouts} yet. You can unfreeze the ledger only if you put ${isOne ? "it" : "them"} on hold.`,
  holdNotQueried: (payouts: string) => `Put ${payouts} that payrun has not queried on hold`,
  alreadyUnfrozen: "The ledger is no longer frozen.",
  frozenAgain: "The ledger has been frozen again.",
};
