import { drawn } from "#batch/visible.ts";
import { type Command, Option } from "commander";
import { CliError } from "#cli/exit.ts";
import { print, printJson, say, table } from "#cli/output.ts";
import { calendarOf, type RuleFlags, RULES, wholeOf, wrongOptions } from "#cli/schedule-rule.ts";
import { type ScheduleDocument, withSchedules } from "#cli/schedules.ts";
import { missText } from "#cli/missed.ts";
import { atServer, serverOf, type ServerFlags } from "#cli/where.ts";
import { systemClock } from "#clock.ts";
import type { Steering } from "#ledger/schedules.ts";
import type { Calendar } from "#schedule/calendar.ts";

interface Flags extends ServerFlags, RuleFlags, Readonly<Record<string, unknown>> {
  readonly json?: boolean;
  readonly reason: string;
  readonly name: string;
  readonly list?: string;
  readonly beside?: boolean;
  readonly folder?: string;
  readonly lead?: string;
  readonly grace?: string;
  readonly expires?: string;
}

const NEXT = 10;

export function scheduleCommands(program: Command): void {
  const schedule = program
    .command("schedule")
    .description("batches that are made again and again, out of a list or of a file that arrives");
  const at = (name: string, text: string) => atServer(schedule.command(name).description(text));
  const ruled = (name: string, text: string) =>
    at(name, text)
      .addOption(new Option("--every <rule>", "how often").choices(RULES).makeOptionMandatory())
      .option("--on <days>", "of a week: mon,fri; of a month: 31; once: 2026-12-31")
      .option("--weeks <n>", "every n weeks, counted from --from")
      .option("--from <date>", "a day of the first of these weeks")
      .requiredOption("--time <time>", "what the clocks of the zone show, as 09:00")
      .requiredOption("--zone <zone>", "as Asia/Kolkata")
      .option("--holidays <CUR>", "whose weekend and holidays count")
      .option("--shift <where>", "where a day goes that is no working day: none, before or after")
      .option("--json", "print JSON");

  ruled("next", "a rule in a sentence, and its next times").action(next);
  ruled("create", "make a batch again and again, out of a list or of a file that arrives")
    .requiredOption("--name <text>", "what people know it by")
    .option("--list <batch>", "the batch whose rows are paid again, as other payouts")
    .option("--beside", "although another schedule pays the same list, at other times")
    .option("--folder <name>", "where a file arrives each time, a folder in WATCH_FOLDER")
    .option("--lead <hours>", "how long before its time each batch is made (default: 24)")
    .option("--grace <hours>", "how late it may be without a person's word (default: 4)")
    .option("--expires <hours>", "how long after its time an approval counts (default: 24)")
    .action(create);
  at("list", "the schedules, and what comes next").option("--json", "print JSON").action(list);
  at("show", "a schedule and what it did")
    .argument("<id>")
    .option("--json", "print JSON")
    .action(show);
  const steered = (how: Steering, text: string) =>
    at(how, text)
      .argument("<id>")
      .requiredOption("--reason <text>", "why")
      .action((id: string, flags: Flags) => steer(id, how, flags));
  steered("pause", "make no batch until it is resumed");
  steered("resume", "go on; what was due meanwhile is left out");
  steered("remove", "end a schedule; its batches stay");
  const decided = (word: "make" | "skip", text: string) =>
    at(word, text)
      .argument("<id>")
      .argument("<day>", "of the occurrence, as in: payrun schedule show ID")
      .requiredOption("--reason <text>", "why")
      .action((id: string, day: string, flags: Flags) => decide(id, day, word, flags));
  decided("make", "make the batch of an occurrence that was missed all the same");
  decided("skip", "leave out an occurrence that was missed");
}

async function next(flags: Flags): Promise<void> {
  const calendar = await calendarOf(flags);
  const server = await serverOf(flags);
  const tried = server
    ? await server.call("POST /api/schedules/try", { body: { calendar } })
    : await triedHere(calendar);
  if (flags.json) return printJson(tried);
  print([tried.says, ...nextLines(tried.next)].join("\n"));
}

/** The times to come, each with what it misses. */
const nextLines = (times: ScheduleDocument["next"]): string[] =>
  times.flatMap(({ says, misses }) => [
    `  ${says}`,
    ...misses.map((miss) => `    ${missText(miss)}`),
  ]);

/** Without a ledger: nothing is looked up in it. */
async function triedHere(calendar: Calendar) {
  const { readConfig } = await import("#config.ts");
  const { bankDays } = await import("#bank-days.ts");
  const { ruleDocument } = await import("#flows/schedule-document.ts");
  const sources = { bankDays: bankDays(readConfig()), now: new Date(systemClock.nowMs()) };
  return ruleDocument(calendar, [], NEXT, sources);
}

async function create(flags: Flags): Promise<void> {
  const { ScheduleGiven } = await import("#schedule/schedule.ts");
  const { name, list: from, beside, folder, lead, grace, expires } = flags;
  const given = ScheduleGiven.safeParse({
    name,
    calendar: await calendarOf(flags),
    ...(from !== undefined && { list: from }),
    ...(beside !== undefined && { beside }),
    ...(folder !== undefined && { folder }),
    ...(lead !== undefined && { lead_hours: wholeOf(lead) }),
    ...(grace !== undefined && { grace_hours: wholeOf(grace) }),
    ...(expires !== undefined && { expires_hours: wholeOf(expires) }),
  });
  if (!given.success) throw await wrongOptions(given.error, flags);
  const { data: schedule } = given;
  await withSchedules(flags, async (schedules) => {
    const id = await schedules.create(schedule).catch(sayBeside);
    if (flags.json) return printJson({ id });
    const { says, next } = await schedules.show(id);
    print(`${id}: made. Each of its batches is approved like any other.\n${says}`);
    if (next.length > 0) print(["First:", ...nextLines(next.slice(0, 1))].join("\n"));
  });
}

function sayBeside(error: unknown): never {
  if (!(error instanceof CliError) || error.code !== "list_is_scheduled") throw error;
  const { exitCode, message, code } = error;
  throw new CliError(exitCode, `${message} To have both, add --beside.`, code);
}

const list = (flags: Flags): Promise<void> =>
  withSchedules(flags, async (schedules) => {
    const found = await schedules.list();
    if (flags.json) return printJson(found);
    if (found.length === 0) return say("There is no schedule yet.");
    const rows = found.map(({ id, name, state, says, occurrences: [latest] }) => [
      id,
      name,
      state,
      latest ? `${latest.says}: ${latest.state}` : "",
      says,
    ]);
    print(table([["schedule", "name", "", "latest", "rule"], ...rows]));
  });

const show = (id: string, flags: Flags): Promise<void> =>
  withSchedules(flags, async (schedules) => {
    const found = await schedules.show(id);
    if (flags.json) return printJson(found);
    const from = found.list ?? `the folder ${found.folder}`;
    print(`${found.id}  ${drawn(found.name)}  ${found.state}\n${found.says} Rows of ${from}.`);
    if (found.state === "active") print(nextLines(found.next).join("\n"));
    const rows = found.occurrences.map(({ day, says, state, batch_id, why }) => [
      day,
      says,
      state,
      batch_id ?? "",
      why ?? "",
    ]);
    print(table([["day", "time", "", "batch", ""], ...rows]));
  });

async function steer(id: string, how: Steering, flags: Flags): Promise<void> {
  await withSchedules(flags, (schedules) => schedules.steer(id, how, flags.reason));
  print(`${id}: ${how}d`);
}

async function decide(id: string, day: string, word: "make" | "skip", flags: Flags) {
  await withSchedules(flags, (schedules) => schedules.decide(id, day, word, flags.reason));
  print(word === "make" ? `${id} ${day}: its batch is made` : `${id} ${day}: left out`);
}
