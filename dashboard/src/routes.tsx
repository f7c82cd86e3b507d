/** The routes of all pages. `validateSearch` lists the parameters that an address may contain. */
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { lazyPage as page } from "./lazy-page.ts";
import { auditSearch } from "./pages/integrity/search-params.ts";
import { approvalsSearch } from "./pages/approval/search-params.ts";
import { batchSearch } from "./pages/intake/batch/search-params.ts";
import { batchQuery } from "./pages/intake/queries.ts";
import { retrySearch } from "./pages/intake/retry/search-params.ts";
import { batchesSearch } from "./pages/intake/list/search-params.ts";
import { depositSearch } from "./pages/deposit/search-params.ts";
import { failureSearch } from "./pages/operations/failures/search-params.ts";
import { figuresQuery, tasksQuery } from "./pages/operations/home/queries.ts";
import { homeSearch } from "./pages/operations/home/search-params.ts";
import { operationsSearch } from "./pages/operations/shared/search-params.ts";
import { daySearch, daysSearch } from "./pages/days/search-params.ts";
import { breakSearch, statementSearch } from "./pages/reconciliation/search-params.ts";
import { reportsSearch } from "./pages/reports/search-params.ts";
import { payoutSearch } from "./pages/payout/search-params.ts";
import { root } from "./root-route.ts";
import { signInAddress } from "./server/address.ts";
import { queryClient } from "./server/query-client.ts";
import { sessionQuery } from "./server/session.ts";
import { PageNotFound } from "./shell/not-found.tsx";
import { Shell } from "./shell/shell.tsx";
import { signedOutRoutes } from "./signed-out-routes.ts";

/** Cause of loading a page that was opened instead of only pointed at. */
const ENTERED = "enter";

/** The frame of the pages that need a sign-in. */
const dashboard = createRoute({
  getParentRoute: () => root,
  id: "dashboard",
  component: Shell,
  beforeLoad: async ({ location }) => {
    const { person, setup_needed } = await queryClient.ensureQueryData(sessionQuery);
    if (person === null)
      redirect({ href: setup_needed ? "/setup" : signInAddress(location.href), throw: true });
  },
});
const home = createRoute({
  getParentRoute: () => dashboard,
  path: "/",
  validateSearch: homeSearch,
  component: lazyRouteComponent(() => import("./pages/operations/home/home.tsx"), "HomePage"),
  loader: ({ cause }) => {
    if (cause !== ENTERED) return;
    void queryClient.prefetchQuery(tasksQuery);
    void queryClient.prefetchQuery(figuresQuery);
  },
});
const upload = createRoute({
  getParentRoute: () => dashboard,
  path: "/upload",
  component: page(() => import("./pages/intake/upload/upload.tsx"), "UploadPage"),
});
const batches = createRoute({
  getParentRoute: () => dashboard,
  path: "/batches",
  validateSearch: batchesSearch,
  component: page(() => import("./pages/intake/list/batches.tsx"), "BatchesPage"),
});
const batchFile = createRoute({
  getParentRoute: () => dashboard,
  path: "/batches/$id/file",
  component: page(() => import("./pages/intake/upload/file.tsx"), "FilePage"),
});
const retry = createRoute({
  getParentRoute: () => dashboard,
  path: "/batches/$id/retry",
  validateSearch: retrySearch,
  component: page(() => import("./pages/intake/retry/retry.tsx"), "RetryPage"),
});
const payouts = createRoute({
  getParentRoute: () => dashboard,
  path: "/payouts",
  validateSearch: payoutSearch,
  component: page(() => import("./pages/payout/payouts.tsx"), "PayoutsPage"),
});
const payout = createRoute({
  getParentRoute: () => dashboard,
  path: "/payouts/$code",
  component: page(() => import("./pages/payout/payout.tsx"), "PayoutPage"),
});
const payoutEvidence = createRoute({
  getParentRoute: () => dashboard,
  path: "/payouts/$code/evidence",
  component: page(() => import("./pages/payout/evidence/evidence.tsx"), "EvidencePage"),
});
const payoutAction = createRoute({
  getParentRoute: () => dashboard,
  path: "/payout-actions/$id",
  component: page(() => import("./pages/payout-action/action-page.tsx"), "PayoutActionPage"),
});
const deposits = createRoute({
  getParentRoute: () => dashboard,
  path: "/deposits",
  validateSearch: depositSearch,
  component: page(() => import("./pages/deposit/deposits.tsx"), "DepositsPage"),
});
const newDeposit = createRoute({
  getParentRoute: () => dashboard,
  path: "/deposits/new",
  component: page(() => import("./pages/deposit/new-deposit.tsx"), "NewDepositPage"),
});
const deposit = createRoute({
  getParentRoute: () => dashboard,
  path: "/deposits/$code",
  component: page(() => import("./pages/deposit/deposit.tsx"), "DepositPage"),
});
const breaks = createRoute({
  getParentRoute: () => dashboard,
  path: "/reconciliation",
  validateSearch: breakSearch,
  component: page(() => import("./pages/reconciliation/list/breaks.tsx"), "BreaksPage"),
});
const statement = createRoute({
  getParentRoute: () => dashboard,
  path: "/reconciliation/upload",
  validateSearch: statementSearch,
  component: page(() => import("./pages/reconciliation/upload/upload.tsx"), "StatementPage"),
});
const days = createRoute({
  getParentRoute: () => dashboard,
  path: "/reconciliation/days",
  validateSearch: daysSearch,
  component: page(() => import("./pages/days/days.tsx"), "DaysPage"),
});
const day = createRoute({
  getParentRoute: () => dashboard,
  path: "/reconciliation/days/$day",
  validateSearch: daySearch,
  // A day is closed for each lane: without one, the calendar lists the lanes.
  beforeLoad: ({ search }) => {
    if (!search.lane) redirect({ to: "/reconciliation/days", throw: true });
  },
  component: page(() => import("./pages/days/day.tsx"), "DayPage"),
});
const oneBreak = createRoute({
  getParentRoute: () => dashboard,
  path: "/reconciliation/$id",
  component: page(() => import("./pages/reconciliation/break.tsx"), "BreakPage"),
});
const breakAction = createRoute({
  getParentRoute: () => dashboard,
  path: "/reconciliation/actions/$id",
  component: page(() => import("./pages/reconciliation/action/action-page.tsx"), "BreakActionPage"),
});
const reports = createRoute({
  getParentRoute: () => dashboard,
  path: "/reports",
  validateSearch: reportsSearch,
  component: page(() => import("./pages/reports/reports.tsx"), "ReportsPage"),
});
const schedules = createRoute({
  getParentRoute: () => dashboard,
  path: "/schedules",
  component: page(() => import("./pages/schedule/schedules.tsx"), "SchedulesPage"),
});
const failures = createRoute({
  getParentRoute: () => dashboard,
  path: "/failures",
  validateSearch: failureSearch,
  component: page(() => import("./pages/operations/failures/failures.tsx"), "FailuresPage"),
});
const profile = createRoute({
  getParentRoute: () => dashboard,
  path: "/profile",
  component: page(() => import("./pages/people/profile.tsx"), "ProfilePage"),
});
const settings = createRoute({
  getParentRoute: () => dashboard,
  path: "/settings",
  beforeLoad: () => redirect({ to: "/settings/users", throw: true }),
});
const users = createRoute({
  getParentRoute: () => dashboard,
  path: "/settings/users",
  component: page(() => import("./pages/people/settings/users/users.tsx"), "UsersPage"),
});
const keys = createRoute({
  getParentRoute: () => dashboard,
  path: "/settings/keys",
  component: page(() => import("./pages/people/settings/keys/api-keys.tsx"), "ApiKeysPage"),
});
const notifications = createRoute({
  getParentRoute: () => dashboard,
  path: "/settings/notifications",
  component: page(() => import("./pages/people/settings/channels/channels.tsx"), "ChannelsPage"),
});
const accounts = createRoute({
  getParentRoute: () => dashboard,
  path: "/settings/accounts",
  component: page(
    () => import("./pages/people/settings/merchant-accounts.tsx"),
    "MerchantAccountsPage",
  ),
});
const roles = createRoute({
  getParentRoute: () => dashboard,
  path: "/settings/roles",
  component: page(() => import("./pages/people/settings/roles.tsx"), "RolesPage"),
});
const archives = createRoute({
  getParentRoute: () => dashboard,
  path: "/settings/archives",
  component: page(() => import("./pages/people/settings/archives/archives.tsx"), "ArchivesPage"),
});
const retention = createRoute({
  getParentRoute: () => dashboard,
  path: "/settings/retention",
  component: page(() => import("./pages/people/settings/retention/retention.tsx"), "RetentionPage"),
});
const erasures = createRoute({
  getParentRoute: () => dashboard,
  path: "/settings/erasures",
  component: page(() => import("./pages/people/settings/erasures/erasures.tsx"), "ErasuresPage"),
});
const operations = createRoute({
  getParentRoute: () => dashboard,
  path: "/operations",
  validateSearch: operationsSearch,
  component: page(() => import("./pages/operations/operations.tsx"), "OperationsPage"),
});
const audit = createRoute({
  getParentRoute: () => dashboard,
  path: "/audit",
  validateSearch: auditSearch,
  component: page(() => import("./pages/integrity/audit.tsx"), "AuditPage"),
});

const approvals = createRoute({
  getParentRoute: () => dashboard,
  path: "/approvals",
  validateSearch: approvalsSearch,
  component: page(() => import("./pages/approval/approvals.tsx"), "ApprovalsPage"),
});
const approvalSheet = createRoute({
  getParentRoute: () => dashboard,
  path: "/batches/$id/approval",
  component: page(() => import("./pages/approval/sheet/approval-sheet.tsx"), "ApprovalSheetPage"),
});
const batch = createRoute({
  getParentRoute: () => dashboard,
  path: "/batches/$id",
  validateSearch: batchSearch,
  component: page(() => import("./pages/intake/batch/batch.tsx"), "BatchPage"),
  loader: ({ cause, params: { id } }) => {
    if (cause === ENTERED) void queryClient.prefetchQuery(batchQuery(id));
  },
});
const approvalRules = createRoute({
  getParentRoute: () => dashboard,
  path: "/settings/approval-rules",
  component: page(() => import("./pages/people/settings/approval-rules.tsx"), "ApprovalRulesPage"),
});
const limits = createRoute({
  getParentRoute: () => dashboard,
  path: "/settings/limits",
  component: page(() => import("./pages/people/settings/payout-limits.tsx"), "PayoutLimitsPage"),
});
const loadApiDocs = () => import("./pages/api-docs/pages.ts");
const apiDocs = createRoute({
  getParentRoute: () => dashboard,
  path: "/api/docs",
  component: page(loadApiDocs, "ApiDocsPage"),
});
const apiOverview = createRoute({
  getParentRoute: () => apiDocs,
  path: "/",
  component: page(loadApiDocs, "ApiOverviewPage"),
});
const apiEntry = createRoute({
  getParentRoute: () => apiDocs,
  path: "$entry",
  component: page(loadApiDocs, "ApiEntryPage"),
});
const anyOther = createRoute({
  getParentRoute: () => dashboard,
  path: "$",
  component: PageNotFound,
});

/** The tree of all routes. */
// biome-ignore format: one line for each area
export const routeTree = root.addChildren([
  ...signedOutRoutes,
  dashboard.addChildren([
    home, upload,
    batches, batchFile, retry, approvals, approvalSheet, batch,
    payouts, payout, payoutEvidence, payoutAction, failures,
    deposits, newDeposit, deposit,
    breaks, statement, days, day, oneBreak, breakAction, reports,
    schedules, operations, audit,
    profile, settings, users, keys, accounts, roles, archives, retention, erasures,
    approvalRules, limits, notifications,
    apiDocs.addChildren([apiOverview, apiEntry]),
    anyOther,
  ]),
]);
