/** The pages in pictures, with the user who opens each and the steps after loading. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { PageIds } from "./filled-demo.ts";

/** A page in pictures. */
export interface Picture {
  readonly name: string;
  /** Null: the page needs no sign-in. */
  readonly who: "maker" | "checker" | null;
  readonly path: (ids: PageIds) => string;
  /** Steps after the page has loaded. */
  readonly act?: (page: Page) => Promise<void>;
  /** Whether the documentation shows its upper part. */
  readonly inDocs?: true;
}

const SAMPLES = join(import.meta.dirname, "../../samples");

const choose = (file: string) => async (page: Page) => {
  await page.locator("input[type=file]").first().setInputFiles(join(SAMPLES, file));
  await page.waitForLoadState("networkidle");
};

/** A page of a batch with exceptions, by the tab that is open. */
const batchTab = (tab: string): Picture => ({
  name: `batch-${tab}`,
  who: "checker",
  path: ({ finished }) => `/batches/${finished}?tab=${tab}`,
});

const fixed = (who: Picture["who"], names: Readonly<Record<string, string>>): Picture[] =>
  Object.entries(names).map(([name, path]) => ({ name, who, path: () => path }));

/** Every page of the dashboard, the payment page and the API documentation. */
export const PICTURES: readonly Picture[] = [
  ...fixed(null, { "sign-in": "/login" }),
  { name: "home", who: "checker", path: () => "/" },
  { name: "home-of-an-uploader", who: "maker", path: () => "/" },
  ...fixed("maker", { upload: "/upload", "deposit-new": "/deposits/new" }),
  {
    name: "upload-reading",
    who: "maker",
    path: () => "/upload",
    act: choose("ugly/other-names.csv"),
  },
  { name: "upload-refused", who: "maker", path: () => "/upload", act: choose("ugly/pdf.csv") },
  { name: "repair", who: "maker", path: ({ faulty }) => `/batches/${faulty}/file` },
  { name: "retry", who: "maker", path: ({ finished }) => `/batches/${finished}/retry` },
  { name: "batch", who: "checker", path: ({ finished }) => `/batches/${finished}`, inDocs: true },
  ...["findings", "files", "approvals", "comments", "timeline", "charts", "audit"].map(batchTab),
  {
    name: "approval",
    who: "checker",
    path: ({ waiting }) => `/batches/${waiting}/approval`,
    act: async (page) => {
      for (const text of ["Loading payouts…", "Searching all rows.", "Checking…", "Comparing…"]) {
        await page.getByText(text).waitFor({ state: "hidden" });
      }
    },
    inDocs: true,
  },
  { name: "batch-to-correct", who: "maker", path: ({ faulty }) => `/batches/${faulty}` },
  { name: "batch-waiting", who: "checker", path: ({ waiting }) => `/batches/${waiting}` },
  {
    name: "payout-evidence",
    who: "checker",
    path: ({ settled }) => `/payouts/${settled}/evidence`,
  },
  {
    name: "day",
    who: "checker",
    path: ({ lane }) =>
      `/reconciliation/days/${new Date().toISOString().slice(0, 10)}?lane=${encodeURIComponent(lane)}`,
  },
  { name: "payout-declined", who: "checker", path: ({ declined }) => `/payouts/${declined}` },
  { name: "payout-settled", who: "checker", path: ({ settled }) => `/payouts/${settled}` },
  { name: "deposit", who: "checker", path: ({ deposit }) => `/deposits/${deposit}` },
  ...fixed("checker", {
    batches: "/batches",
    approvals: "/approvals?show=all",
    payouts: "/payouts",
    "payouts-none-found": "/payouts?name=nobody",
    failures: "/failures",
    schedules: "/schedules",
    deposits: "/deposits",
    breaks: "/reconciliation",
    "statement-upload": "/reconciliation/upload",
    days: "/reconciliation/days",
    reports: "/reports",
    operations: "/operations",
    "operations-lanes": "/operations?tab=lanes",
    "operations-workers": "/operations?tab=workers",
    "operations-breakers": "/operations?tab=breakers",
    "operations-events": "/operations?tab=events",
    audit: "/audit",
    profile: "/profile",
    "settings-users": "/settings/users",
    "settings-keys": "/settings/keys",
    "settings-notifications": "/settings/notifications",
    "settings-accounts": "/settings/accounts",
    "settings-roles": "/settings/roles",
    "settings-archives": "/settings/archives",
    "settings-approval-rules": "/settings/approval-rules",
    "settings-limits": "/settings/limits",
    "page-not-found": "/nowhere",
  }),
  { name: "payment-page", who: null, path: ({ payPage }) => payPage },
  ...fixed("checker", {
    "api-docs": "/api/docs",
    "api-docs-section": "/api/docs/payouts",
    "api-docs-endpoint": "/api/docs/post_api_batches",
    "api-docs-errors": "/api/docs/errors",
  }),
];
