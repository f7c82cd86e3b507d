import type { Role } from "#people/roles.ts";

/** Data on the pages under test. */
export interface PageData {
  readonly settledBatch: string;
  readonly waitingBatch: string;
  /** Awaits approval and contains exact duplicates of payouts in another batch. */
  readonly repeatingBatch: string;
  readonly settledCode: string;
  readonly depositCode: string;
  /** An action on many payouts that was applied. */
  readonly actionId: string;
}

interface DashboardPage {
  readonly name: string;
  /** Null: no user is signed in. */
  readonly roles: readonly Role[] | null;
  readonly path: (stock: PageData) => string;
  /** Text that is shown after loading, where it is the subject of the test. */
  readonly shows?: string;
}

/**
 * Every page of the dashboard. test/journeys/dashboard/pages.test.ts opens it in both themes,
 * narrow and wide.
 */
export const DASHBOARD_PAGES: readonly DashboardPage[] = [
  { name: "home", roles: ["uploader"], path: () => "/" },
  {
    name: "upload",
    roles: ["uploader"],
    path: () => "/upload",
    shows: "At most 2 GB and 5,000,000 rows",
  },
  { name: "API documentation", roles: ["viewer"], path: () => "/api/docs" },
  {
    name: "an endpoint of the API",
    roles: ["viewer"],
    path: () => "/api/docs/post_api_batches",
    shows: "Request body",
  },
  { name: "error codes of the API", roles: ["viewer"], path: () => "/api/docs/errors" },
  { name: "reports", roles: ["viewer"], path: () => "/reports?days=7" },
  { name: "batches", roles: ["viewer"], path: () => "/batches" },
  {
    name: "file of a batch",
    roles: ["uploader"],
    path: ({ waitingBatch }) => `/batches/${waitingBatch}/file`,
  },
  { name: "approvals", roles: ["approver"], path: () => "/approvals" },
  {
    name: "the approval sheet",
    roles: ["approver"],
    path: ({ waitingBatch }) => `/batches/${waitingBatch}/approval`,
  },
  {
    name: "the approval sheet of exact duplicates",
    roles: ["approver"],
    path: ({ repeatingBatch }) => `/batches/${repeatingBatch}/approval`,
    shows: "Blocked: exact duplicates of payouts in another batch",
  },
  {
    name: "a batch that awaits approval",
    roles: ["uploader"],
    path: ({ waitingBatch }) => `/batches/${waitingBatch}`,
  },
  {
    name: "a finished batch",
    roles: ["operator"],
    path: ({ settledBatch }) => `/batches/${settledBatch}`,
  },
  {
    name: "the history of a batch",
    roles: ["viewer"],
    path: ({ settledBatch }) => `/batches/${settledBatch}?tab=timeline`,
  },
  {
    name: "the findings of a batch",
    roles: ["viewer"],
    path: ({ settledBatch }) => `/batches/${settledBatch}?tab=findings`,
    shows: "No problems found",
  },
  {
    name: "the files of a batch",
    roles: ["viewer"],
    path: ({ settledBatch }) => `/batches/${settledBatch}?tab=files`,
    shows: "All rows with their states (Excel)",
  },
  {
    name: "the audit log of a batch",
    roles: ["auditor"],
    path: ({ settledBatch }) => `/batches/${settledBatch}?tab=audit`,
    shows: "Filter entries and verify the log",
  },
  { name: "the rules of approval", roles: ["admin"], path: () => "/settings/approval-rules" },
  { name: "the limits", roles: ["admin"], path: () => "/settings/limits" },
  { name: "merchant accounts", roles: ["admin"], path: () => "/settings/accounts" },
  { name: "operations", roles: ["operator"], path: () => "/operations" },
  { name: "operations: lanes", roles: ["operator"], path: () => "/operations?tab=lanes" },
  { name: "operations: workers", roles: ["operator"], path: () => "/operations?tab=workers" },
  { name: "operations: breakers", roles: ["operator"], path: () => "/operations?tab=breakers" },
  { name: "operations: events", roles: ["operator"], path: () => "/operations?tab=events" },
  { name: "audit", roles: ["auditor"], path: () => "/audit" },
  { name: "sign in", roles: null, path: () => "/login?next=/profile&ended=1" },
  { name: "the first start, without its link", roles: null, path: () => "/setup" },
  { name: "profile", roles: ["viewer"], path: () => "/profile" },
  { name: "users", roles: ["admin"], path: () => "/settings/users" },
  { name: "API keys", roles: ["admin"], path: () => "/settings/keys" },
  { name: "notifications", roles: ["admin"], path: () => "/settings/notifications" },
  { name: "who may do what", roles: ["admin"], path: () => "/settings/roles" },
  { name: "archives", roles: ["admin"], path: () => "/settings/archives" },
  { name: "retention", roles: ["admin"], path: () => "/settings/retention" },
  { name: "erasures", roles: ["operator"], path: () => "/settings/erasures" },
  { name: "schedules", roles: ["uploader"], path: () => "/schedules" },
  { name: "breaks", roles: ["viewer"], path: () => "/reconciliation" },
  { name: "business days", roles: ["operator"], path: () => "/reconciliation/days" },
  { name: "a statement upload", roles: ["operator"], path: () => "/reconciliation/upload" },
  { name: "payouts", roles: ["viewer"], path: () => "/payouts" },
  { name: "no payout found", roles: ["viewer"], path: () => "/payouts?name=nobody" },
  { name: "deposits", roles: ["viewer"], path: () => "/deposits" },
  { name: "no deposit found", roles: ["viewer"], path: () => "/deposits?user_id=nobody" },
  { name: "asking for a deposit", roles: ["uploader"], path: () => "/deposits/new" },
  {
    name: "a deposit",
    roles: ["operator"],
    path: ({ depositCode }) => `/deposits/${depositCode}`,
  },
  { name: "failures", roles: ["viewer"], path: () => "/failures" },
  { name: "no failures", roles: ["viewer"], path: () => "/failures?currency=CNY" },
  {
    name: "a settled payout",
    roles: ["operator"],
    path: ({ settledCode }) => `/payouts/${settledCode}`,
  },
  {
    name: "an action on many payouts",
    roles: ["operator"],
    path: ({ actionId }) => `/payout-actions/${actionId}`,
  },
  { name: "no such page", roles: ["viewer"], path: () => "/nowhere" },
];
