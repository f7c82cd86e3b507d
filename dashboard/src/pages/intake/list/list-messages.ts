import { counted, inLanguage } from "../../../base/language.ts";

type Exclusion = "drafts" | "cancelled" | "retries";

const en = {
  caption: "Batches found",
  found: (count: number) => counted(count, "batch", "batches"),
  notSummed: ({ drafts, cancelled, retries }: Readonly<Record<Exclusion, number>>) => {
    const kinds = [
      ...(drafts === 0 ? [] : [counted(drafts, "draft", "drafts")]),
      ...(cancelled === 0 ? [] : [`${cancelled.toLocaleString()} cancelled`]),
      ...(retries === 0 ? [] : [counted(retries, "retry", "retries")]),
    ];
    return kinds.length === 0 ? null : `without ${kinds.join(", ")}`;
  },
  emptyFiltered: "No batches match these filters.",
  empty: "No files have been uploaded yet.",
  emptyView: (view: string) => `No batches in “${view}”.`,

  views: {
    all: "All",
    drafts: "Drafts",
    toCorrect: "Needs correction",
    waiting: "Awaiting approval",
    running: "In progress",
    finished: "Finished",
    attention: "Needs attention",
  },

  filters: {
    form: "Batches",
    text: "Name, purpose, file or batch ID",
    state: "State",
    task: "Your tasks",
    anyTask: "All batches",
    tasks: {
      duplicates: "Give a reason for exact duplicates",
      retry: "Retry declined payouts",
    },
    uploadedBy: "Uploaded by",
    uploadedByHint: "part of a name",
    uploaded: "Uploaded",
  },

  columns: {
    batch: "Batch",
    state: "State",
    rows: "Rows",
    rejected: (rows: number) => counted(rows, "row has a problem", "rows have problems"),
    total: "Total",
    payouts: "Progress",
    payoutsOf: (file: string) => `Payouts in ${file}`,
    waiting: (payouts: number) => counted(payouts, "payout", "payouts"),
    notSent: "Not sent for approval",
    duplicates: "Exact duplicates need a reason",
    uploadedBy: "Uploaded by",
    uploadedAt: "Uploaded",
    file: "Source",
    purpose: "Purpose",
    approvedAt: "Approved",
    finishedAt: "Finished",
    action: "Next step",
  },

  /** The people who take the next step, where the reader may not. */
  actors: {
    uploader: "Uploader",
    approver: "Approver",
    otherApprover: "Another approver",
    operator: "Operator",
  },

  actions: {
    correct: "Correct",
    send: "Open draft",
    review: "Review",
    giveReason: "Give a reason",
    retry: "Retry",
    resume: "Resume",
    decide: "Decide",
  },
};

export const messages = inLanguage({ en });
