import {
  endOccurrence,
  waitForFile,
  findUsedFiles,
  findDueOccurrences,
} from "#ledger/schedule/occurrences.ts";
import {
  findEditedOccurrences,
  insertReachedOccurrences,
  retryUnreadOccurrences,
  lockSchedule,
  unplanOccurrences,
  updateSchedule,
} from "#ledger/schedule/edits.ts";
import {
  findScheduleOfList,
  findSchedules,
  insertSchedule,
  planOccurrence,
  fireOccurrences,
  findUnplanned,
} from "#ledger/schedule/schedules.ts";
import { findSendTimes } from "#ledger/schedule/send-times.ts";
import { bind } from "#ledger/steps/bind.ts";
import type { Database } from "#ledger/store/database.ts";

/** Steps about schedules, occurrences and send times. */
export const scheduleSteps = (database: Database) =>
  bind([database], {
    endOccurrence,
    waitForFile,
    findUsedFiles,
    findScheduleOfList,
    findSchedules,
    insertSchedule,
    planOccurrence,
    fireOccurrences,
    findUnplanned,
    findDueOccurrences,
    findEditedOccurrences,
    insertReachedOccurrences,
    retryUnreadOccurrences,
    lockSchedule,
    unplanOccurrences,
    updateSchedule,
    findSendTimes,
  });
export type ScheduleSteps = ReturnType<typeof scheduleSteps>;
