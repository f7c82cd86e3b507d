import { printable } from "#base/invisible-characters.ts";
import { type Command, Option } from "commander";
import { print, printJson, say, table } from "#cli/terminal/output.ts";
import {
  parseCalendar,
  type RuleFlags,
  RULES,
  parseWholeNumber,
  wrongOptions,
} from "#cli/schedule/schedule-rule.ts";
import { decideSubcommand } from "#cli/schedule/decide-all.ts";
import { ANY_FORMAT, editedSettings, NO_CURRENCY } from "#cli/schedule/edited-settings.ts";
import {
  rethrowUnconfirmed,
  type ScheduleDocument,
  withSchedules,
} from "#cli/schedule/schedules.ts";
import {
  firstBatchLines,
  nextLines,
  occurrenceState,
  ruleText,
} from "#cli/schedule/schedule-text.ts";
import { withServerOptions, serverOf, type ServerFlags } from "#cli/terminal/server-options.ts";
import { AMOUNT_STYLE_NAMES } from "#money/parse.ts";
import { systemClock } from "#base/clock.ts";
import type { ScheduleAction } from "#ledger/schedule/schedules.ts";
import type { Calendar } from "#schedule/calendar.ts";

interface Flags extends ServerFlags, RuleFlags, Readonly<Record<string, unknown>> {
  readonly json?: boolean;
  readonly reason: string;
  readonly name: string;
  readonly list?: string;
  readonly allowSecond?: boolean;
  readonly folder?: string;
  readonly amounts?: string;
  readonly currency?: string;
  readonly lead?: string;
  readonly grace?: string;
  readonly expires?: string;
}

const NEXT = 10;
const SCHEDULE_ID = "schedule ID, from: payrun schedule list";

/** Adds `payrun schedule` to the program. */
export function scheduleCommands(program: Command): void {
  const schedule = program
    .command("schedule")
    .description("create batches on a schedule, from a list or from incoming files");
  const at = (name: string, text: string) =>
    withServerOptions(schedule.command(name).description(text));
  const ruled = (name: string, text: string) =>
    withRule(at(name, text), NEW).option("--json", "print JSON");

  ruled("next", "preview the next occurrences of a rule").action(next);
  withSettings(
    ruled("create", "create a schedule that creates batches from a list or from incoming files"),
    NEW,
  ).action(create);
  withSettings(
    withRule(at("edit", "change the given settings of a schedule for future batches"), STORED),
    STORED,
  )
    .argument("<id>", SCHEDULE_ID)
    .option(
      "--allow-repeat <day>",
      "save the edit even if it may pay for a period twice on this day",
    )
    .option("--allow-skip <day>", "save the edit even if it skips the occurrence of this day")
    .option("--json", "print JSON")
    .action(edit);
  at("list", "list schedules with their next occurrences")
    .option("--json", "print JSON")
    .action(list);
  at("show", "show a schedule with its history")
    .argument("<id>", SCHEDULE_ID)
    .option("--json", "print JSON")
    .action(show);
  const steered = (how: ScheduleAction, text: string) =>
    at(how, text)
      .argument("<id>", SCHEDULE_ID)
      .requiredOption("--reason <text>", "reason")
      .action((id: string, flags: Flags) => changeState(id, how, flags));
  steered("pause", "pause a schedule, so that it creates no batches until you resume it");
  steered("resume", "resume a schedule; occurrences due during the pause are skipped");
  steered("remove", "remove a schedule but keep its batches");
  const decided = (word: "create-batch" | "skip", text: string) =>
    at(word, text)
      .argument("<id>", SCHEDULE_ID)
      .argument("<day>", "day of the occurrence, from: payrun schedule show ID")
      .requiredOption("--reason <text>", "reason")
      .action((id: string, day: string, flags: Flags) =>
        decide(id, day, word === "skip" ? word : "create", flags),
      );
  decided("create-batch", "create the batch for a missed occurrence");
  decided("skip", "skip a missed occurrence");
  decideSubcommand(at);
}

/** Where the omitted options come from: the defaults, or the schedule that is edited. */
interface Omitted {
  readonly isRequired: boolean;
  readonly says: (value: string) => string;
}
const NEW: Omitted = { isRequired: true, says: (value) => ` (default: ${value})` };
const STORED: Omitted = { isRequired: false, says: () => "" };

/** Adds the options for the name, the source of the rows and the hours of a schedule. */
const withSettings = (command: Command, { isRequired, says }: Omitted): Command =>
  command
    .addOption(new Option("--name <text>", "name of the schedule").makeOptionMandatory(isRequired))
    .option(
      "--list <batch>",
      "batch whose rows become new payouts at each occurrence (alternative to --folder)",
    )
    .option("--allow-second", "allow a second schedule for the same list")
    .option("--folder <name>", "folder in WATCH_FOLDER where the file for each occurrence arrives")
    .addOption(
      new Option(
        "--amounts <format>",
        `number format of the amounts in the files of the folder${says(ANY_FORMAT)}`,
      ).choices([...AMOUNT_STYLE_NAMES, ANY_FORMAT]),
    )
    .option(
      "--currency <code>",
      `currency of all rows, for files in the folder without a currency column${says(NO_CURRENCY)}`,
    )
    .option(
      "--lead <hours>",
      `lead time: how many hours before an occurrence its batch is created${says("24")}`,
    )
    .option(
      "--grace <hours>",
      `grace period: hours after an occurrence during which its batch can still be created${says("4")}`,
    )
    .option(
      "--expires <hours>",
      `how many hours after an occurrence the approval of its batch expires${says("24")}`,
    );

/** Adds the options that describe when a schedule occurs. */
const withRule = (command: Command, { isRequired, says }: Omitted): Command =>
  command
    .addOption(
      new Option("--every <rule>", "frequency").choices(RULES).makeOptionMandatory(isRequired),
    )
    .option(
      "--on <days>",
      "days of the week (mon,fri), a day of the month (31) or, with --every once, a date (2026-12-31)",
    )
    .option("--weeks <n>", `number of weeks between occurrences${says("1")}`)
    .option(
      "--from <date>",
      "date in the week of the first occurrence (required if --weeks is above 1)",
    )
    .addOption(
      new Option("--time <time>", "local time in --zone, such as 09:00").makeOptionMandatory(
        isRequired,
      ),
    )
    .addOption(
      new Option("--zone <zone>", "time zone, such as Asia/Kolkata").makeOptionMandatory(
        isRequired,
      ),
    )
    .option(
      "--holidays <CUR>",
      `currency whose weekends and bank holidays apply${isRequired ? says("none") : ", or none"}`,
    )
    .option(
      "--shift <where>",
      `how to move an occurrence that falls on a non-working day: none, before or after${says("none")}`,
    );

async function next(flags: Flags): Promise<void> {
  const calendar = await parseCalendar(flags);
  const server = await serverOf(flags);
  const tried = server
    ? await server.call("POST /api/schedules/preview", { body: { calendar } })
    : await previewRule(calendar);
  if (flags.json) return printJson(tried);
  print([ruleText(tried), ...nextLines(tried.next)].join("\n"));
}

/** Computes the times without a ledger, which is not needed. */
async function previewRule(calendar: Calendar) {
  const { readConfig } = await import("#app/config.ts");
  const { bankDays } = await import("#app/bank-days.ts");
  const { ruleDocument } = await import("#views/schedule/schedule-document.ts");
  const sources = { bankDays: bankDays(readConfig()), now: new Date(systemClock.nowMs()) };
  const unchecked = { lanes: [], nameOf: (lane: string) => lane };
  return {
    ...ruleDocument(calendar, unchecked, NEXT, sources),
    first_batch: null,
    collision: null,
    repeats: null,
    skips: null,
  };
}

async function create(flags: Flags): Promise<void> {
  const { ScheduleInput } = await import("#schedule/schedule.ts");
  const { name, list: from, allowSecond, folder, amounts, currency } = flags;
  const { lead, grace, expires } = flags;
  const given = ScheduleInput.safeParse({
    name,
    calendar: await parseCalendar(flags),
    ...(from !== undefined && { list: from }),
    ...(allowSecond !== undefined && { allow_second: allowSecond }),
    ...(folder !== undefined && { folder }),
    ...(amounts !== undefined && amounts !== ANY_FORMAT && { amounts }),
    ...(currency !== undefined && currency !== NO_CURRENCY && { currency }),
    ...(lead !== undefined && { lead_hours: parseWholeNumber(lead) }),
    ...(grace !== undefined && { grace_hours: parseWholeNumber(grace) }),
    ...(expires !== undefined && { expires_hours: parseWholeNumber(expires) }),
  });
  if (!given.success) throw await wrongOptions(given.error, flags);
  const { data: schedule } = given;
  await withSchedules(flags, async (schedules) => {
    const preview = flags.json ? null : await schedules.preview(schedule);
    const id = await schedules.create(schedule).catch(rethrowUnconfirmed);
    if (flags.json) return printJson({ id });
    const made = await schedules.show(id);
    print(`${id}: created. Every batch that the schedule creates requires approval.`);
    print(ruleText(made));
    if (made.next.length > 0) print(["First:", ...nextLines(made.next.slice(0, 1))].join("\n"));
    if (preview) firstBatchLines(preview).forEach((line) => print(line));
  });
}

const edit = (id: string, flags: Partial<Flags>): Promise<void> =>
  withSchedules(flags, async (schedules) => {
    const edited = await editedSettings(await schedules.show(id), flags);
    const saved = await schedules.edit(id, edited).catch(rethrowUnconfirmed);
    if (flags.json) return printJson(saved);
    print(`${id}: saved. Batches that already exist keep their rows and send time.`);
    print(ruleText(saved));
    if (saved.next.length > 0) print(["Next:", ...nextLines(saved.next)].join("\n"));
  });

const list = (flags: Flags): Promise<void> =>
  withSchedules(flags, async (schedules) => {
    const found = await schedules.list();
    if (flags.json) return printJson(found);
    if (found.length === 0)
      return say("There are no schedules yet. To create one: payrun schedule create --help");
    const rows = found.map(({ id, name, state, says, occurrences: [latest] }) => [
      id,
      name,
      state,
      latest ? `${latest.says}: ${occurrenceState(latest)}` : "",
      says,
    ]);
    print(table([["schedule", "name", "", "latest", "rule"], ...rows]));
  });

const show = (id: string, flags: Flags): Promise<void> =>
  withSchedules(flags, async (schedules) => {
    const found = await schedules.show(id);
    if (flags.json) return printJson(found);
    const from = found.list
      ? `copied from batch ${found.list}`
      : `read from the folder ${found.folder}${readingOf(found)}`;
    print(
      `${found.id}  ${printable(found.name)}  ${found.state}\n${ruleText(found)} The rows are ${from}.`,
    );
    if (found.state === "active") print(nextLines(found.next).join("\n"));
    const rows = found.occurrences.map((each) => [
      each.day,
      each.says,
      occurrenceState(each),
      each.batch_id ?? "",
      each.why ?? "",
    ]);
    print(table([["day", "time", "", "batch", ""], ...rows]));
  });

/** How the files of a folder are read, as the end of a sentence. */
const readingOf = ({ amounts, currency }: ScheduleDocument): string =>
  [
    amounts === null ? "" : `, with amounts as ${amounts}`,
    currency === null ? "" : `, with ${currency} as the currency of all rows`,
  ].join("");

async function changeState(id: string, how: ScheduleAction, flags: Flags): Promise<void> {
  await withSchedules(flags, (schedules) => schedules.changeState(id, how, flags.reason));
  print(`${id}: ${how}d`);
}

async function decide(id: string, day: string, decision: "create" | "skip", flags: Flags) {
  await withSchedules(flags, (schedules) => schedules.decide(id, day, decision, flags.reason));
  print(decision === "create" ? `${id} ${day}: batch created` : `${id} ${day}: skipped`);
}
