import type { ReactNode } from "react";
import { counted, inLanguage } from "../../base/language.ts";

const en = {
  title: "Schedules",
  empty: "There are no schedules yet.",
  fromFolder: (folder: string) => (
    <>Each batch uses the file that arrives in the folder {folder}.</>
  ),
  paused: (reason: string) => `Paused: ${reason}`,

  list: {
    count: (schedules: number) => counted(schedules, "schedule", "schedules"),
    name: "Schedule",
    next: "Next run",
    last: "Last run",
    never: "Not yet",
    pays: "Batch",
    folder: "File in a folder",
    state: "State",
    states: {
      active: "Active",
      paused: "Paused",
      blocked: "Batch blocked",
      undecided: "Decision needed",
    },
    action: "Action",
  },

  facts: {
    next: "Next",
    afterwards: (days: readonly string[]) => `then ${days.join(", ")}`,
    pays: "Pays",
    payouts: (payouts: number) => counted(payouts, "payout", "payouts"),
    rule: "Rule",
  },

  occurrences: {
    caption: (schedule: string) => `Occurrences of ${schedule}`,
    time: "Time",
    state: "State",
    states: {
      planned: "Planned",
      due: "Due: a batch will be created",
      created: "Batch created",
      missed: "Missed: no batch was created",
      failed: "Failed: no batch was created",
      skipped: "Skipped",
    },
    blocked: "Batch blocked",
    duplicates:
      "The batch repeats recent payouts. It can be approved only after an uploader gives a reason on its approval page.",
    batch: "Batch",
    note: "Note",
  },

  next: {
    label: "Next occurrences",
    miss: (miss: string) => `${miss} The money may arrive one working day later.`,
  },

  actions: {
    createFor: (day: string) => `Create batch for ${day}`,
    skipDay: (day: string) => `Skip ${day}`,
    of: (verb: string, schedule: string) => `${verb} ${schedule}`,
    verbs: {
      pause: "Pause",
      resume: "Resume",
      remove: "Remove",
      edit: "Edit",
      create: "Create batch",
      skip: "Skip",
    },
    question: (verb: string, subject: string) => `${verb} ${subject}?`,
    createQuestion: (day: string) => `Create the batch for ${day}?`,
    effects: {
      pause: "No batches will be created until someone resumes the schedule.",
      resume:
        "The schedule will continue. Occurrences that were due during the pause will be skipped.",
      remove: "No more batches will be created. Existing batches will remain.",
      create: "The batch will be created now and will await approval.",
      skip: "No batch will be created for this day.",
    },
    removed: "Another user removed this schedule.",
    alreadyPaused: "The schedule is already paused.",
    notPaused: "The schedule is no longer paused.",
    decided: "Another user has already made a decision about this day.",
    decideAll: (count: number) => `Decide all ${count} days`,
    decideAllQuestion: (schedule: string) => `Decide all days of ${schedule}?`,
    decideAllText:
      "These days need a decision. After a restore, coming days are included, because their batches may have been paid in the history that was lost. The audit log records one decision for each day.",
    decideAllDays: "Days to decide",
    decision: "Decision",
    decisions: { create: "Create batches", skip: "Skip days" },
    decisionEffects: {
      create: "payrun will create the batch of each day when it is due. Each batch needs approval.",
      skip: "payrun will create no batch for these days.",
    },
    decideAllVerbs: { create: "Create all batches", skip: "Skip all days" },
    daysChanged: "The days that need a decision have changed.",
  },

  month: {
    loading: "Loading calendar…",
    empty: "No batches are scheduled for this month.",
    closed: (currencies: readonly string[]) => `Banks closed: ${currencies.join(", ")}`,
    earlier: "Show earlier weeks",
    lastWorkingDay: "Last working day",
    nextRun: "Next run",
    cutOffs: (cutOffs: readonly { of: string; time: string; zone: string }[]) =>
      `Cut-offs: ${cutOffs.map(({ of, time, zone }) => `${of} ${time} ${zone}`).join("; ")}.`,
    states: {
      planned: "Planned",
      due: "Batch due",
      created: "Batch created",
      missed: "Missed",
      failed: "Failed",
      skipped: "Skipped",
      scheduled: "Waiting to be sent",
      unapproved: "Not approved yet",
      blocked: "Blocked: exact duplicates",
      paused: "Paused",
      released: "Released",
      held_back: "Held back",
    },
  },

  amounts: {
    needed: (day: string) => `Choose the amount format for ${day}`,
    choose: "Choose amount format",
    title: "Amount format of the folder",
    effect:
      "The file is still in the folder. payrun will read it, and all later files in this folder, in the format that you choose. Approvers see the format.",
    save: "Use this format",
    readAs: (example: string) => `Amounts are read as ${example}.`,
    currency: (code: string) => `All rows are read as ${code} payouts.`,
  },

  form: {
    title: "New schedule",
    save: "Save schedule",
    name: "Name",
    source: "Row source",
    sources: {
      list: "Rows of an existing batch",
      folder: "File placed in a folder",
    },
    list: "Batch",
    listHint: "The batch whose rows will be paid each time. Search by name, file name or batch ID.",
    listSearch: "Search batches",
    listOption: (name: string, payouts: number, id: string) =>
      `${name} · ${counted(payouts, "payout", "payouts")} · ${id}`,
    noList: "No batch matches.",
    folder: "Folder",
    folderHint: "The name of a folder inside this server's watched folder.",
    amounts: "Amount format",
    amountsHint:
      "How the files write amounts. If you leave the choice to payrun, it asks when a file could be read in more than one way.",
    anyAmounts: "Detect for each file",
    currency: "Currency of files without a currency column",
    currencyHint: "Such as INR. Leave it empty if each file has this column.",
    rule: "Repeats",
    rules: {
      last_working_day: "Last working day of the month",
      month_end: "Last day of the month",
      month: "A specific day of the month",
      week: "Specific days of the week",
      day: "Every day",
      once: "Once, on a specific date",
    },
    weekdays: "Days",
    weeks: "Number of weeks between occurrences",
    weeksFrom: "First week",
    weeksFromHint: "A date in the week of the first occurrence.",
    monthDay: "Day of the month",
    date: "Date",
    time: "Time",
    timeHint: "When approved batches are sent.",
    zone: "Time zone",
    zoneHint: "Type a city, such as Kolkata.",
    holidays: "Holiday calendar",
    holidaysHint: "The currency whose bank holidays count as non-working days.",
    noHolidays: "Bank holidays are not set up. HOLIDAYS_FILE on the server lists them.",
    weekendsOnly: "Weekends only",
    firstBatch: (payouts: number, amounts: ReactNode) => (
      <>
        The first batch has {counted(payouts, "payout", "payouts")} ({amounts}).
      </>
    ),
    firstNow: (time: string) =>
      `payrun creates it as soon as you save, and sends it on ${time} if it has been approved.`,
    firstLater: (created: string, time: string) =>
      `payrun creates it on ${created}, and sends it on ${time} if it has been approved.`,
    collision: "The first batch may be blocked",
    shift: "If the day is not a working day",
    shifts: {
      none: "Keep the date",
      before: "Move to the previous working day",
      after: "Move to the next working day",
    },
    hours: (lead: string, expires: string) =>
      `Batch created ${lead} h before the time; approval expires ${expires} h after it`,
    lead: "Lead time (hours)",
    leadHint:
      "How many hours before the scheduled time the batch is created, to leave time for approval.",
    grace: "Grace period (hours)",
    graceHint:
      "How many hours after the scheduled time the batch can still be created automatically. After that, the batch is created only if someone decides to create it.",
    expires: "Approval expires after (hours)",
    expiresHint:
      "How many hours after the scheduled time the approval expires. A batch that has not been released by then will be held back.",
    needsApproval: "Each batch is sent only after its approval.",
    incomplete: (problems: string) =>
      `The rule is incomplete.${problems && ` Required: ${problems}.`}`,
    needs: {
      month: "a day of the month from 1 to 31",
      week: "at least one day of the week",
      once: "a date",
    },
    needsFirstWeek: "a date in the first week",
    needsZone: "a time zone such as Asia/Kolkata",
    repeats: "The schedule may pay for a period twice",
    confirmRepeat: "Pay on both days",
    skips: "A planned occurrence will not take place",
    confirmSkip: "Do not pay for this occurrence",
    confirmSecond: "Pay these rows under both schedules",
    editTitle: (name: string) => `Edit ${name}`,
    editSave: "Save changes",
    editEffect:
      "The changes apply to future batches. Batches that already exist keep their rows and their send time, and an occurrence that is already due keeps its time. You cannot approve future batches of a schedule that you have edited.",
    reload: "Load the current schedule",
    close: "Close",
    saved: (name: ReactNode) => (
      <>{name} has been saved. It is listed below with its next occurrences.</>
    ),
  },
};

export const messages = inLanguage({ en });
