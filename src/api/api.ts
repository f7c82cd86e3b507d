import { APPROVAL_LIST_API } from "#api/approval/approval-list.ts";
import { APPROVAL_API } from "#api/approval/approvals.ts";
import { BATCH_LIST_API } from "#api/intake/batch-list.ts";
import { BATCH_API } from "#api/intake/batches.ts";
import { BATCH_PAGE_API } from "#api/approval/batch-page.ts";
import { BREAK_ACTION_API } from "#api/reconciliation/break-actions.ts";
import { BREAK_API } from "#api/reconciliation/breaks.ts";
import { COMMENT_API } from "#api/comment/comments.ts";
import { DEPOSIT_LIST_API } from "#api/deposit/deposit-list.ts";
import { DEPOSIT_API } from "#api/deposit/deposits.ts";
import { DAY_API } from "#api/reconciliation/days.ts";
import { COMPARISON_API } from "#api/approval/comparison.ts";
import { FAILURE_API } from "#api/operations/failures.ts";
import { FEED_API } from "#api/feed/events.ts";
import { FEE_API } from "#api/payout/fees.ts";
import { FRAME_API } from "#api/app/frame.ts";
import { HOME_API } from "#api/operations/home.ts";
import { INBOX_API } from "#api/notification/inbox.ts";
import { HOME_FIGURES_API } from "#api/operations/home-figures.ts";
import { HOME_TASKS_API } from "#api/operations/home-tasks.ts";
import { LIVE_API } from "#api/app/live.ts";
import { RETENTION_API } from "#api/integrity/retention.ts";
import { ARCHIVE_API } from "#api/integrity/archives.ts";
import { AUDIT_API } from "#api/integrity/audit.ts";
import { ERASURE_API } from "#api/integrity/erasures.ts";
import { EVIDENCE_PACK_API } from "#api/integrity/evidence-packs.ts";
import { PAYOUT_LIMIT_API } from "#api/approval/payout-limits.ts";
import { NOTICE_API } from "#api/notification/notices.ts";
import { LANE_API } from "#api/payout/lanes.ts";
import { LEFT_OUT_ROW_API } from "#api/intake/left-out-rows.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { MONITORING_API } from "#api/operations/monitoring.ts";
import { OPERATIONS_API } from "#api/operations/operations.ts";
import { PAYOUT_ACTION_API } from "#api/payout/payout-actions.ts";
import { PAYOUT_LIST_API } from "#api/payout/payout-list.ts";
import { PAYOUT_API } from "#api/payout/payouts.ts";
import { PAYOUT_EVIDENCE_API } from "#api/payout/evidence.ts";
import { PENDING_CHANGE_API } from "#api/people/pending-changes.ts";
import { PEOPLE_API } from "#api/people/people.ts";
import { PROFILE_API } from "#api/people/profile.ts";
import { REVIEW_ROW_API } from "#api/approval/review-rows.ts";
import { REPORT_API } from "#api/operations/reports.ts";
import { RETRY_BATCH_API } from "#api/payout/retry-batches.ts";
import { SCHEDULE_API } from "#api/schedule/schedules.ts";
import { SECOND_FACTOR_POLICY_API } from "#api/people/second-factor-policy.ts";
import { SEARCH_API } from "#api/payout/search.ts";
import { SEND_TIME_API } from "#api/schedule/send-times.ts";
import { SENT_ROW_API } from "#api/approval/sent-rows.ts";
import { SESSION_API } from "#api/app/session.ts";
import { ASSIGNMENT_API } from "#api/payout/assignments.ts";
import { STATEMENT_API } from "#api/reconciliation/statements.ts";
import { SAVED_VIEW_API } from "#api/people/saved-views.ts";

/**
 * All operations of the HTTP API. The server, the OpenAPI description, the dashboard and the CLI
 * use this table.
 */
export const API = {
  ...APPROVAL_API,
  ...BATCH_API,
  ...BATCH_LIST_API,
  ...BATCH_PAGE_API,
  ...LEFT_OUT_ROW_API,
  ...BREAK_API,
  ...BREAK_ACTION_API,
  ...COMMENT_API,
  ...DAY_API,
  ...DEPOSIT_LIST_API,
  ...DEPOSIT_API,
  ...COMPARISON_API,
  ...FAILURE_API,
  ...FEE_API,
  ...FEED_API,
  ...FRAME_API,
  ...ASSIGNMENT_API,
  ...HOME_API,
  ...INBOX_API,
  ...HOME_FIGURES_API,
  ...HOME_TASKS_API,
  ...LIVE_API,
  ...SCHEDULE_API,
  ...SEND_TIME_API,
  ...SENT_ROW_API,
  ...SESSION_API,
  ...OPERATIONS_API,
  ...MONITORING_API,
  ...PAYOUT_LIMIT_API,
  ...LANE_API,
  ...NOTICE_API,
  ...ARCHIVE_API,
  ...RETENTION_API,
  ...AUDIT_API,
  ...ERASURE_API,
  ...EVIDENCE_PACK_API,
  ...PAYOUT_API,
  ...SEARCH_API,
  ...PAYOUT_EVIDENCE_API,
  ...APPROVAL_LIST_API,
  ...PAYOUT_ACTION_API,
  ...PAYOUT_LIST_API,
  ...REPORT_API,
  ...RETRY_BATCH_API,
  ...REVIEW_ROW_API,
  ...PROFILE_API,
  ...SAVED_VIEW_API,
  ...PEOPLE_API,
  ...PENDING_CHANGE_API,
  ...SECOND_FACTOR_POLICY_API,
  ...STATEMENT_API,
} as const satisfies Record<string, ApiOperation>;

export type OperationName = keyof typeof API;
