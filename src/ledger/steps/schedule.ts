import {
  endOccurrence,
  waitForFile,
  findUsedFiles,
  findDueOccurrences,
} from "#ledger/schedule/occurrences.ts";
import {
  findScheduleOfList,
  insertSchedule,
  planOccurrence,
  fireOccurrences,
  findUnplanned,
} from "#ledger/schedule/schedules.ts";
import { findSendTimes, setSendTime } from "#ledger/schedule/send-times.ts";
import { bind } from "#ledger/steps/bind.ts";
import type { Database } from "#ledger/store/database.ts";

/** Steps about findSchedules, occurrences and send times. */
export const scheduleSteps = (database: Database) =>
  bind([database], {
    endOccurrence,
    waitForFile,
    findUsedFiles,
    findScheduleOfList,
    insertSchedule,
    planOccurrence,
    fireOccurrences,
    findUnplanned,
    findDueOccurrences,
    findSendTimes,
    setSendTime,
  });
export type ScheduleSteps = ReturnType<typeof scheduleSteps>;
