import type { ReactNode } from "react";
import { counted, inLanguage } from "../../../base/language.ts";

/** Makes a link of the text. */
type LinkOf = (text: string) => ReactNode;

const en = {
  title: "Home",

  yourTasks: {
    title: "Your tasks",
    alarms: (alarms: readonly string[]) => `Act now: ${alarms.join("; ")}`,
    toApprove: (batches: number) =>
      `${counted(batches, "batch is", "batches are")} waiting for your approval`,
    toCorrect: (batches: number) =>
      `${counted(batches, "batch", "batches")} you uploaded ${batches === 1 ? "needs" : "need"} correction`,
    resolution: "A colleague has proposed a result for this payout. Confirm or reject it.",
    waitEnding:
      "A colleague has proposed ending the wait before this payout is sent again. Confirm or reject the proposal.",
    onHold: (payouts: number) => `${counted(payouts, "payout is", "payouts are")} on hold`,
    onHoldForOperators: "Find out the result of each payout and record it.",
    onHoldForOthers: "An operator must decide what to do with these payouts.",
    empty: "You have no open tasks.",
  },

  inDoubt: {
    title: "In doubt",
    payouts: (payouts: number) => counted(payouts, "payout", "payouts"),
    advice:
      "The gateway has not returned a conclusive result for these payouts. Do not pay them again.",
    oldest: "Oldest:",
    empty: "No payouts are in doubt.",
  },

  recentBatches: {
    caption: "Batches from the last seven days",
    batch: "Batch",
    state: "State",
    payouts: "Payouts",
    payoutsOf: (batch: string) => `Payouts in ${batch}`,
    total: "Total",
    uploadedBy: "Uploaded by",
    uploadedAt: "Uploaded",
    empty: "No files were uploaded in the last seven days.",
  },

  lately: {
    caption: "Batches in progress or finished in the last 24 hours",
    currency: "Currency",
    empty: "No payouts were sent in the last 24 hours.",
  },

  firstSteps: {
    title: "Pay your first batch in three steps",
    template: (link: LinkOf) => (
      <>{link("Download a template")} for your currency and fill in the rows.</>
    ),
    upload: (link: LinkOf) => (
      <>
        {link("Upload the file")}. payrun shows every problem and how to correct it. No money moves
        yet.
      </>
    ),
    approve: "Ask another person to approve the batch. payrun will then send each payout once.",
    secondPerson:
      "You cannot approve a batch you uploaded. Invite a second person as an approver first.",
  },
};

export const messages = inLanguage({ en });
