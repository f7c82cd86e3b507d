/**
 * All pages. Each loads when it is opened; `validateSearch` lists the parameters that its address
 * may contain.
 */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from "@tanstack/react-router";
import { onSignedOut, onStepUp } from "./server/client.ts";
import { ErrorState } from "./components/error-state.tsx";
import { Loading } from "./components/loading.tsx";
import { auditSearch } from "./pages/integrity/search-params.ts";
import { batchSearch } from "./pages/intake/batch/search-params.ts";
import { batchesSearch } from "./pages/intake/list/search-params.ts";
import { depositSearch } from "./pages/deposit/search-params.ts";
import { failureSearch } from "./pages/operations/failures/search-params.ts";
import { payoutSearch } from "./pages/payout/search-params.ts";
import { forgetAll, queryClient } from "./server/query-client.ts";
import { sessionQuery } from "./server/session.ts";
import { NotFound } from "./shell/not-found.tsx";
import { Shell } from "./shell/shell.tsx";
import { askForProof } from "./server/step-up.ts";

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

/** The pages behind the sign-in. */
const desk = createRoute({
  getParentRoute: () => root,
  id: "desk",
  component: Shell,
  beforeLoad: async ({ location }) => {
    const { person, setup_needed } = await queryClient.ensureQueryData(sessionQuery);
    if (person === null)
      redirect({ href: setup_needed ? "/setup" : signInAddress(location.href), throw: true });
  },
});

const home = createRoute({
  getParentRoute: () => desk,
  path: "/",
  component: lazyRouteComponent(() => import("./pages/operations/home/home.tsx"), "HomePage"),
});

const upload = createRoute({
  getParentRoute: () => desk,
  path: "/upload",
  component: lazyRouteComponent(() => import("./pages/intake/upload/upload.tsx"), "UploadPage"),
});

const batches = createRoute({
  getParentRoute: () => desk,
  path: "/batches",
  validateSearch: batchesSearch,
  component: lazyRouteComponent(() => import("./pages/intake/list/batches.tsx"), "BatchesPage"),
});

const batchFile = createRoute({
  getParentRoute: () => desk,
  path: "/batches/$id/file",
  component: lazyRouteComponent(() => import("./pages/intake/upload/file.tsx"), "FilePage"),
});

const payouts = createRoute({
  getParentRoute: () => desk,
  path: "/payouts",
  validateSearch: payoutSearch,
  component: lazyRouteComponent(() => import("./pages/payout/payouts.tsx"), "PayoutsPage"),
});

const payout = createRoute({
  getParentRoute: () => desk,
  path: "/payouts/$code",
  component: lazyRouteComponent(() => import("./pages/payout/payout.tsx"), "PayoutPage"),
});

const deposits = createRoute({
  getParentRoute: () => desk,
  path: "/deposits",
  validateSearch: depositSearch,
  component: lazyRouteComponent(() => import("./pages/deposit/deposits.tsx"), "DepositsPage"),
});
const newDeposit = createRoute({
  getParentRoute: () => desk,
  path: "/deposits/new",
  component: lazyRouteComponent(() => import("./pages/deposit/new-deposit.tsx"), "NewDepositPage"),
});
const deposit = createRoute({
  getParentRoute: () => desk,
  path: "/deposits/$code",
  component: lazyRouteComponent(() => import("./pages/deposit/deposit.tsx"), "DepositPage"),
});

const schedules = createRoute({
  getParentRoute: () => desk,
  path: "/schedules",
  component: lazyRouteComponent(() => import("./pages/schedule/schedules.tsx"), "SchedulesPage"),
});

const failures = createRoute({
  getParentRoute: () => desk,
  path: "/failures",
  validateSearch: failureSearch,
  component: lazyRouteComponent(
    () => import("./pages/operations/failures/failures.tsx"),
    "FailuresPage",
  ),
});

const profile = createRoute({
  getParentRoute: () => desk,
  path: "/profile",
  component: lazyRouteComponent(() => import("./pages/people/profile.tsx"), "ProfilePage"),
});

const settings = createRoute({
  getParentRoute: () => desk,
  path: "/settings",
  beforeLoad: () => redirect({ to: "/settings/users", throw: true }),
});
const users = createRoute({
  getParentRoute: () => desk,
  path: "/settings/users",
  component: lazyRouteComponent(() => import("./pages/people/settings/users.tsx"), "UsersPage"),
});
const keys = createRoute({
  getParentRoute: () => desk,
  path: "/settings/keys",
  component: lazyRouteComponent(() => import("./pages/people/settings/api-keys.tsx"), "KeysPage"),
});
const notifications = createRoute({
  getParentRoute: () => desk,
  path: "/settings/notifications",
  component: lazyRouteComponent(
    () => import("./pages/people/settings/notifications.tsx"),
    "NotificationsPage",
  ),
});
const roles = createRoute({
  getParentRoute: () => desk,
  path: "/settings/roles",
  component: lazyRouteComponent(() => import("./pages/people/settings/roles.tsx"), "RolesPage"),
});

const operations = createRoute({
  getParentRoute: () => desk,
  path: "/operations",
  component: lazyRouteComponent(
    () => import("./pages/operations/operations.tsx"),
    "OperationsPage",
  ),
});

const audit = createRoute({
  getParentRoute: () => desk,
  path: "/audit",
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("./pages/integrity/audit.tsx"), "AuditPage"),
});

/** In front of the sign-in. */
const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  validateSearch: ({ next, ended }): { next?: string; ended?: true } => ({
    ...(typeof next === "string" ? { next } : {}),
    ...(ended ? { ended: true } : {}),
  }),
  component: lazyRouteComponent(() => import("./pages/people/login.tsx"), "LoginPage"),
});
const linkPage = lazyRouteComponent(() => import("./pages/people/one-time-link.tsx"), "LinkPage");
const setup = createRoute({ getParentRoute: () => root, path: "/setup", component: linkPage });
const invite = createRoute({ getParentRoute: () => root, path: "/invite", component: linkPage });

/** The link of the demo. */
const enter = createRoute({
  getParentRoute: () => root,
  path: "/enter",
  component: lazyRouteComponent(
    () => import("./pages/people/demo-sign-in/demo-sign-in.tsx"),
    "EnterPage",
  ),
});

const approvals = createRoute({
  getParentRoute: () => desk,
  path: "/approvals",
  validateSearch: ({ show }: Record<string, unknown>): { show: "mine" | "all" } => ({
    show: show === "all" ? "all" : "mine",
  }),
  component: lazyRouteComponent(() => import("./pages/approval/approvals.tsx"), "ApprovalsPage"),
});

const approvalSheet = createRoute({
  getParentRoute: () => desk,
  path: "/batches/$id/approval",
  component: lazyRouteComponent(
    () => import("./pages/approval/approval-sheet.tsx"),
    "ApprovalSheetPage",
  ),
});

const batch = createRoute({
  getParentRoute: () => desk,
  path: "/batches/$id",
  validateSearch: batchSearch,
  component: lazyRouteComponent(() => import("./pages/intake/batch/batch.tsx"), "BatchPage"),
});

const approvalRules = createRoute({
  getParentRoute: () => desk,
  path: "/settings/approval-rules",
  component: lazyRouteComponent(
    () => import("./pages/people/settings/approval-rules.tsx"),
    "ApprovalRulesPage",
  ),
});
const limits = createRoute({
  getParentRoute: () => desk,
  path: "/settings/limits",
  component: lazyRouteComponent(
    () => import("./pages/people/settings/payout-limits.tsx"),
    "LimitsPage",
  ),
});

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    setup,
    invite,
    enter,
    desk.addChildren([
      home,
      upload,
      batches,
      batchFile,
      approvals,
      approvalSheet,
      batch,
      payouts,
      payout,
      deposits,
      newDeposit,
      deposit,
      schedules,
      failures,
      operations,
      audit,
      profile,
      settings,
      users,
      keys,
      roles,
      approvalRules,
      limits,
      notifications,
    ]),
  ]),
  defaultPreload: "intent",
  defaultPendingComponent: Loading,
  // The browser does not request a part again that failed to load, and a loaded part may belong to
  // an older version. Only a reload of the page fetches all parts.
  defaultErrorComponent: ({ error }) => (
    <ErrorState error={error} reset={() => globalThis.location.reload()} />
  ),
  scrollRestoration: true,
  // Another payout or batch is another page: nothing that was shown or typed of the one before
  // stays on it.
  defaultRemountDeps: ({ params }) => params,
  // Unknown parameters are removed from an address, because the server would refuse the list.
  search: { strict: true },
  // Values of an address are text as typed: an account number is no number, and 1200.00 is not
  // 1200.
  parseSearch: parseSearchWith((text) => text),
  stringifySearch: stringifySearchWith(JSON.stringify),
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

const signInAddress = (from: string, more = {}): string =>
  `/login?${new URLSearchParams({ ...(from === "/" ? {} : { next: from }), ...more })}`;

onSignedOut(() => {
  if (router.state.location.pathname === "/login") return;
  forgetAll();
  void router.navigate({ href: signInAddress(router.state.location.href, { ended: "1" }) });
});

onStepUp(askForProof);
