import { counted, inLanguage } from "../../base/language.ts";
import type { ActionName } from "./action-query.ts";

const payouts = (count: number) => counted(count, "payout", "payouts");

/** The texts of one action. */
interface ActionTexts {
  /** The button in the bar of selected rows. */
  readonly verb: string;
  /** The title of the dialog. */
  readonly title: string;
  /** "The selected payout can be …". */
  readonly participle: string;
  /** The effect on the payouts and their money. */
  readonly effect: string;
  /** The button that applies the action to this number of payouts. */
  readonly apply: (count: number) => string;
  /** The result. */
  readonly done: (count: number) => string;
}

const actions: Readonly<Record<ActionName, ActionTexts>> = {
  hold_back: {
    verb: "Hold back",
    title: "Hold back payouts",
    participle: "held back",
    effect: "payrun will not send these payouts until someone releases them.",
    apply: (count) => `Hold back ${payouts(count)}`,
    done: (count) => `${payouts(count)} held back`,
  },
  release: {
    verb: "Release",
    title: "Release payouts",
    participle: "released",
    effect: "payrun will send these payouts when their turn comes.",
    apply: (count) => `Release ${payouts(count)}`,
    done: (count) => `${payouts(count)} released`,
  },
  cancel: {
    verb: "Cancel payouts",
    title: "Cancel payouts",
    participle: "cancelled",
    effect:
      "payrun will never send these payouts. This cannot be undone. To pay them later, upload their rows in a new file.",
    apply: (count) => `Cancel ${payouts(count)}`,
    done: (count) => `${payouts(count)} cancelled`,
  },
  query: {
    verb: "Query status",
    title: "Query status",
    participle: "queried",
    effect:
      "payrun will query the status at the gateway and record what the responses prove. No money moves.",
    apply: (count) => `Query ${payouts(count)}`,
    done: (count) => `Status query requested for ${payouts(count)}`,
  },
  resolve: {
    verb: "Resolve by statement",
    title: "Resolve by statement",
    participle: "resolved by a statement",
    effect:
      "The line of each payout in an uploaded statement is the evidence of its result. Nothing changes until an approver confirms the proposal.",
    apply: (count) => `Propose ${counted(count, "result", "results")}`,
    done: (count) => `${counted(count, "result", "results")} proposed`,
  },
  assign: {
    verb: "Assign",
    title: "Assign payouts",
    participle: "assigned",
    effect: "The person becomes responsible for these payouts. No payout changes.",
    apply: (count) => `Assign ${payouts(count)}`,
    done: (count) => `${payouts(count)} assigned`,
  },
};

/** "3 of the 5 selected payouts can be held back." */
function canChange(action: ActionName, count: number, selected: number): string {
  const { participle } = actions[action];
  if (selected === 1) {
    return `The selected payout ${count === 1 ? "can" : "cannot"} be ${participle}.`;
  }
  const number = selected.toLocaleString();
  const some = count === 0 ? "None" : count.toLocaleString();
  return count === selected
    ? `All ${number} selected payouts can be ${participle}.`
    : `${some} of the ${number} selected payouts can be ${participle}.`;
}

const en = {
  actions,
  canChange,
  payouts,

  bar: {
    actions: "Actions",
    assigned: "1 payout is assigned to you.",
    taken: "1 payout is already assigned to someone.",
    notNeeded: "1 payout needs no attention.",
    notAssigned: "1 payout could not be assigned. Try again.",
    copy: "Copy codes",
    notCopied: "The browser did not allow copying.",
    copied: (count: number) => `Copied: ${counted(count, "code", "codes")}`,
    tooMany: (max: number) =>
      `Select at most ${max.toLocaleString()} payouts, or all payouts that a filter finds.`,
  },

  dialog: {
    close: "Close",
    checking: "Checking which payouts qualify",
    expiry: "The preview expires at",
    unchanged: (count: number) => `${payouts(count)} will not change`,
    left: (count: number) => `${payouts(count)} did not change`,
    totals: "Payouts and amounts by currency",
    previewAgain: "Preview again",
    show: (count: number) =>
      count === 1 ? "Show this payout and its result" : "Show these payouts and their results",
    assignee: "Assign to",
    nobody: "Nobody (remove the assignment)",
    assigned: (name: string | null, count: number) =>
      name === null
        ? `${payouts(count)} without an assignee`
        : `${payouts(count)} assigned to ${name}`,
    proposed: "An approver must confirm the proposal on Home or on Approvals.",
  },

  totals: { currency: "Currency", payouts: "Payouts", amount: "Amount" },

  page: {
    missing: "Bulk action not found",
    missingText: "There is no such bulk action in this ledger.",
    loading: "Bulk action",
    states: {
      previewed: "Previewed, not applied",
      applied: "Applied",
      proposed: "Awaiting the confirmation of an approver",
      rejected: "Rejected by an approver",
    },
    titles: {
      hold_back: (count: number) => `Hold back ${payouts(count)}`,
      release: (count: number) => `Release ${payouts(count)}`,
      cancel: (count: number) => `Cancel ${payouts(count)}`,
      query: (count: number) => `Query the status of ${payouts(count)}`,
      resolve: (count: number) => `Resolve ${payouts(count)} by statement`,
      assign: (count: number) => `Assign ${payouts(count)}`,
    },
    crumb: "Payouts",
    by: "By",
    at: "Previewed at",
    appliedAt: "Applied at",
    assignedTo: "Assigned to",
    nobody: "Nobody",
    reason: "Reason",
    decidedBy: "Decided by",
    decidedAt: "Decided at",
    rejection: "Reason of the rejection",
    result: "Result",
    decision: "Confirmation",
    explained:
      "Each result comes from a line of an uploaded statement. The payouts change only if you confirm.",
    rows: "Payouts of this action",
    noRows: "This action has no payouts.",
  },

  columns: {
    amount: "Amount",
    before: "State before",
    stateNow: "State now",
    outcome: "Outcome",
    evidence: "Evidence",
    batch: "Batch",
    line: "Line",
  },

  decision: {
    title: (count: number) => `Results of ${payouts(count)}`,
    confirm: "Confirm",
    reject: "Reject",
    confirmSentence: (count: number, sums: string) =>
      `Confirm the results of ${payouts(count)} (${sums}). payrun records them with the lines of the statements as evidence. Payouts that have changed since are left as they are.`,
    confirmVerb: (count: number) => `Confirm ${counted(count, "result", "results")}`,
    rejectSentence: (count: number, sums: string) =>
      `Reject the proposed results of ${payouts(count)} (${sums}). The payouts do not change.`,
    rejectVerb: (count: number) => `Reject ${counted(count, "result", "results")}`,
  },

  proposals: {
    title: "Results to confirm",
    caption: "From statements",
    item: "Proposal",
    link: (count: number) => `Resolve ${payouts(count)} by statement`,
    by: "Proposed by",
    at: "Proposed at",
    reason: "Reason",
    amount: "Amount",
    decision: "Decision",
  },
};

export const messages = inLanguage({ en });
