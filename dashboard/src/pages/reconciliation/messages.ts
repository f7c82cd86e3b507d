import { counted, inLanguage } from "../../base/language.ts";

/** Maximum number of approvers that are named. */
const NAMES_MAX = 5;

const en = {
  title: "Reconciliation",
  upload: "Upload a statement",
  days: "Daily close",
  caption: "Breaks found",
  explained:
    "A break is a difference between a statement of the gateway and the ledger, payrun's own records.",
  unresolved: (count: number) => counted(count, "unresolved break", "unresolved breaks"),
  found: (count: number) => counted(count, "break", "breaks"),
  ofFirst: (count: number) => `First ${count}:`,
  payoutDifferences: "Differences of payouts:",
  movements: "Movements of the balance:",
  /** A missing payout is in both sums. */
  movementsToo: "Movements of the balance, which may include them:",
  empty: "There are no unresolved breaks. Upload the next statement to compare it.",
  notCompared:
    "No statement has been compared yet. Upload the gateway's statement of a day to find differences from the ledger.",
  noMatches: "No breaks match these filters.",

  lanes: {
    title: "Lanes",
    lane: "Lane",
    statement: "Last statement",
    closed: "Closed up to",
    open: "Days to close",
    breaks: "Unresolved breaks",
    none: "None",
    noBreaks: "None",
    notCompared: "not compared",
    notStarted: "Not started",
    others: (lanes: readonly string[]) => `No statement and no closed day yet: ${lanes.join(", ")}`,
  },

  classes: {
    missing_at_gateway: "Not in the statement",
    missing_in_ledger: "Not in the ledger",
    listed_twice: "Listed twice",
    amount: "Amount",
    currency: "Currency",
    gateway_number: "Gateway number",
    fee: "Fee",
    status: "Status",
    late_return: "Late return",
    unexplained_movement: "Unexplained movement",
  },
  /** The next step for an open break of each class. */
  nextSteps: {
    missing_at_gateway:
      "Look for the payout on the statement of the next day. If it is not there either, ask the gateway's support where the money is. Then explain the difference.",
    missing_in_ledger:
      "Ask the gateway's support what this transaction is and who ordered it. Then explain the difference.",
    listed_twice: "Ask the gateway's support whether it paid twice. Then explain the difference.",
    amount: "Ask the gateway's support which amount it paid. Then explain the difference.",
    currency: "Ask the gateway's support in which currency it paid. Then explain the difference.",
    gateway_number: "Ask the gateway's support which number is right. Then explain the difference.",
    fee: "Compare the fee with your contract, and ask the gateway's support. Then explain the difference.",
    status:
      "Ask the gateway's support for the final result, and query the payout's status. Then explain the difference.",
    late_return:
      "Ask the beneficiary for correct account details before you pay again. Then explain the difference.",
    unexplained_movement:
      "Review the other breaks of this day first: a missing or additional payout also moves the balance. Ask the gateway's support about the rest.",
  },
  states: { open: "Open", proposed: "Proposed", resolved: "Resolved", closed: "Closed" },

  filters: {
    class: "Kind of break",
    state: "State",
    unresolved: "Unresolved",
    lane: "Lane",
    day: "Business day",
    all: "All",
  },

  replacements: {
    title: "Statements that wait for an approver",
    explained:
      "Each of these files replaces a compared statement. Nothing changes until an approver confirms it.",
    file: "New file",
    replaced: "Replaces",
    by: "Uploaded by",
    decision: "Decision",
    fileText: (name: string, lines: number, mapping: number, hasBalances: boolean) =>
      `${name}: ${counted(lines, "line", "lines")}, mapping ${mapping}, ${hasBalances ? "with" : "without"} balances`,
    waitsFor: (approvers: readonly string[]) =>
      approvers.length === 0
        ? "No other user is an approver. An admin must add an approver, who can then confirm this file."
        : `An approver must confirm this file: ${approvers.slice(0, NAMES_MAX).join(", ")}${approvers.length > NAMES_MAX ? ", …" : ""}.`,
  },

  columns: {
    class: "Break",
    code: "Transaction code",
    ledger: "Ledger",
    statement: "Statement",
    difference: "Difference",
    day: "Business day",
    lane: "Lane",
    state: "State",
    assignee: "Assigned to",
    found: "Found at",
  },

  historyColumns: { event: "Event", by: "By", text: "Text", at: "Time" },

  page: {
    title: (id: number) => `Break ${id}`,
    missing: "There is no break with this number.",
    notContained: "Not listed",
    facts: "Comparison",
    file: "Statement file",
    fileLines: (name: string, lines: readonly number[]) =>
      `${name}, ${lines.length === 1 ? "line" : "lines"} ${lines.map((line) => line.toLocaleString()).join("; ")}`,
    history: "History",
    actions: "Resolution",
    nobody: "Not assigned",
    beneficiary: "Beneficiary",
    batch: "Batch",
    settledAt: "Settled at",
    next: (step: string) => `Next: ${step}`,
  },

  events: {
    found: "Found",
    changed: "Values changed",
    closed: "Closed",
    found_again: "Found again",
    assigned: "Assigned",
    commented: "Comment",
    proposed: "Resolution proposed",
    refused: "Proposal rejected",
    resolved: "Resolved",
  },

  actions: {
    takeOver: "Assign to me",
    release: "Remove assignment",
    explanation: "Explanation",
    explanationHint: "For example, the answer of the gateway's support",
    propose: "Propose resolution",
    replaceProposal: "Replace this proposal",
    proposedBy: (name: string) => `${name} proposes:`,
    comment: "Comment",
    addComment: "Add comment",
    closed: "A later comparison no longer shows this difference.",
    resolvedByTwo: (proposer: string, approver: string) =>
      `${proposer} proposed this resolution, and ${approver} confirmed it.`,
    resolvedAlone: (name: string) =>
      `${name} resolved this break alone, because payrun had no approvers.`,
  },
};

export const messages = inLanguage({ en });
