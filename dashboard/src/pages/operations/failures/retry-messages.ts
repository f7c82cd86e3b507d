import { counted, inLanguage } from "../../../base/language.ts";

const en = {
  fixAndRetry: "Fix and retry",
  openBatch: "Open batch",
  showBatches: "Show batches",
  byUploader: "Only an uploader can fix and retry these payouts, from their batch:",
  payouts: (count: number) => counted(count, "payout", "payouts"),
};

export const messages = inLanguage({ en });
