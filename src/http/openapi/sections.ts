/** The sections of the API documentation in their order, with the first parts of their paths. */
const SECTIONS = [
  {
    name: "Batches",
    description: "Upload files, correct rows, request approval, and track batches.",
    paths: ["batches", "batch-summary", "batch-export", "templates", "comments"],
  },
  {
    name: "Approvals",
    description: "Review and approve batches.",
    paths: ["approvals", "approval-export", "approval-rules", "payout-limits"],
  },
  {
    name: "Payouts",
    description: "Find payouts, query their status, and handle failures.",
    paths: [
      "payouts",
      "payout-summary",
      "payout-export",
      "payout-actions",
      "fees",
      "account-filters",
      "search",
      "failures",
    ],
  },
  {
    name: "Deposits",
    description: "Collect money from payers.",
    paths: ["deposits", "deposit-summary", "deposit-export"],
  },
  {
    name: "Reconciliation",
    description:
      "Find and resolve differences between statements and the ledger, and close business days.",
    paths: [
      "breaks",
      "break-actions",
      "break-decisions",
      "statements",
      "days",
      "reconciliation-lanes",
    ],
  },
  {
    name: "Schedules",
    description: "Create batches on a schedule.",
    paths: ["schedules"],
  },
  {
    name: "Reports",
    description: "Compare results, fees and times by day, and count breaks by age.",
    paths: ["reports"],
  },
  {
    name: "Operations",
    description: "Pause and limit sending, and monitor the installation.",
    paths: ["operations", "lanes", "merchant-accounts", "metrics"],
  },
  {
    name: "Notifications",
    description: "Read the events of the ledger, and send notifications by e-mail and webhook.",
    paths: ["events", "channels", "deliveries"],
  },
  {
    name: "Users and keys",
    description: "Manage users, roles, API keys and changes that need a second admin.",
    paths: ["users", "roles", "keys", "pending-changes", "second-factor-policy"],
  },
  {
    name: "Audit log",
    description:
      "Read and verify the audit log, list archives, change retention rules, and erase people.",
    paths: ["audit", "audit-export", "archives", "retention", "evidence-keys", "erasures"],
  },
] as const;

const DASHBOARD = {
  name: "Dashboard",
  description: "Operations for payrun's own pages, such as sign-in and live updates.",
};

/** The sections for the description of the API. */
export const TAGS = [...SECTIONS, DASHBOARD].map(({ name, description }) => ({
  name,
  description,
}));

/** Returns the section of an operation, such as "POST /api/batches/:id/approve". */
export function sectionOf(operation: string): string {
  const path = operation.split("/")[2] ?? "";
  const section = SECTIONS.find(({ paths }) => paths.some((each) => each === path));
  return (section ?? DASHBOARD).name;
}
