import type { ReactNode } from "react";

/** The codes as a list, "…" where it is cut. */
const codesText = (codes: readonly string[], isCut: boolean): string =>
  `${codes.join(", ")}${isCut ? ", …" : ""}`;

/** The English texts about a frozen ledger. */
export const frozenMessages = {
  title: "The ledger is frozen",
  notSending: "This server is not sending payouts",
  since: (reason: string, time: ReactNode) => (
    <>
      {reason}, since {time}.
    </>
  ),
  lane: "Lane",
  inProgress: "Payouts in progress",
  notQueried: "Not yet queried",
  explanation:
    "The ledger may have lost records of sent payouts. payrun will not send any payouts until it has queried the status of every payout in progress and an operator has unfrozen the ledger.",
  caption: "Payouts in progress, including those not yet queried since the freeze",
  unfreeze: "Unfreeze",
  allQueried: "payrun has queried the status of every payout in progress.",
  stillToQuery: (payouts: string) =>
    `payrun has not yet queried the status of ${payouts}. Keep the workers running.`,
  olderEpoch: (epoch: number) =>
    `This server's LEDGER_EPOCH refers to an earlier epoch. If this is the correct ledger, set LEDGER_EPOCH to ${epoch}.`,
  removedStandby:
    "The removed standby could still be promoted without the latest payouts. payrun will resume sending by itself. To resume now, add the standby to synchronous_standby_names again.",
  onHold: (payouts: string, codes: readonly string[], isCut: boolean) =>
    `On hold since the freeze: ${payouts} (${codesText(codes, isCut)}). The Failures page lists every payout on hold.`,
  strayCodes: (count: string, codes: readonly string[], isCut: boolean) =>
    `Unknown transaction codes in callbacks: ${count} (${codesText(codes, isCut)}). The records of the payouts with these codes may be lost.`,
  lost: (file: string, batch: string, time: ReactNode, payouts: string, amounts: string) => (
    <>
      The records of {file} (batch {batch}) are lost. The file was uploaded {time} and contains{" "}
      {payouts} ({amounts}), which may have been paid.
    </>
  ),
  quarantined: (file: string, batch: string, time: ReactNode, payouts: string) => (
    <>
      {file} (batch {batch}), uploaded {time}, is in quarantine: {payouts} may have been paid.
    </>
  ),
  memoryCovers:
    "This server's record of batches, which is kept outside the ledger, covers the period since the backup. It contains only the batches that this machine has handled. Run payrun doctor on every other machine that has handled batches.",
  memoryDoesNotCover:
    "This server's record of batches, which is kept outside the ledger, does not cover the period since the backup. If a file that was paid during that period is uploaded again, payrun may not recognise it. Before you upload a file from that period, check the gateway's records.",
  acknowledgeLost: (file: string, batch: string) =>
    `I understand that the records of ${file} (batch ${batch}) are lost`,
  batch: (file: string, batch: string) => `${file} (batch ${batch})`,
  keep: "Keep in quarantine",
  release: "Release the batch: none of its payouts has been paid",
  acknowledgeMemory: "I understand that payrun may not recognise files paid since the backup",
  dialogTitle: "Unfreeze the ledger",
  dialogAllQueried:
    "payrun has queried the status of every payout in progress. After you unfreeze the ledger, payrun will send the approved payouts that are unknown to the gateway.",
  dialogNotQueried: (payouts: string, isOne: boolean) =>
    `payrun has not yet queried the status of ${payouts}. To unfreeze the ledger now, you must put ${isOne ? "it" : "them"} on hold.`,
  holdNotQueried: (payouts: string) => `Put ${payouts} on hold (not yet queried)`,
  alreadyUnfrozen: "The ledger is no longer frozen.",
  frozenAgain: "The ledger has been frozen again.",
};
