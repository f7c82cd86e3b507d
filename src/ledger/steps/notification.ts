import {
  createAssignmentMails,
  createAssignmentNotice,
} from "#ledger/notification/assignment-notices.ts";
import { openSecret } from "#ledger/notification/channels.ts";
import {
  createBreakCommentNotices,
  createCommentNotices,
} from "#ledger/notification/comment-notices.ts";
import {
  createBlockedNotice,
  findUncheckedBatches,
  recordDuplicateCheck,
} from "#ledger/notification/duplicate-notices.ts";
import {
  createBatchNotices,
  createAlarmNotices,
  createAuditHashNotice,
  claimDeliveries,
  recordDelivery,
} from "#ledger/notification/notices.ts";
import { createDayNotices } from "#ledger/notification/day-notices.ts";
import { createReturnNotices } from "#ledger/notification/return-notices.ts";
import {
  claimAuditLines,
  createPersonNotice,
  findDecidingUsers,
} from "#ledger/notification/people-notices.ts";
import { bind } from "#ledger/steps/bind.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** Steps about messages and their delivery. */
export const notificationSteps = (database: Database, sealer: Sealer) => ({
  ...bind([database], {
    claimAuditLines,
    createAssignmentMails,
    createAssignmentNotice,
    createPersonNotice,
    findDecidingUsers,
    createBatchNotices,
    createBlockedNotice,
    createBreakCommentNotices,
    createCommentNotices,
    createDayNotices,
    createReturnNotices,
    findUncheckedBatches,
    recordDuplicateCheck,
    createAlarmNotices,
    createAuditHashNotice,
    recordDelivery,
  }),
  ...bind([database, sealer], { claimDeliveries }),
  ...bind([sealer], { openSecret }),
});
export type NotificationSteps = ReturnType<typeof notificationSteps>;
