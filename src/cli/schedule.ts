import type { Command } from "commander";
import { CliError, EXIT } from "#cli/exit.ts";
import { withLedger } from "#cli/open.ts";
import { actor, print, printJson, table } from "#cli/output.ts";
import { systemClock } from "#clock.ts";
import type { Steering } from "#ledger/schedules.ts";

interface Flags {
  readonly json?: boolean;
  readonly reason: string;
  readonly name: string;
  readonly list: string;
  readonly every: string;
  readonly on?: string;
  readonly weeks?: string;
  readonly from?: string;
  readonly time: string;
  readonly zone: string;
  readonly holidays?: string;
  readonly shift?: string;
  readonly lead?: string;
}

const NEXT = 10;

export function scheduleCommands(program: Command): void {
  const schedule = program
    .command("schedule")
    .description("batches that are made again and again out of a list, by a rule");
  const ruled = (name: string, text: string) =>
    schedule
      .command(name)
      .description(text)
      .requiredOption("--every <rule>", "day, week, month, month-end, last-working-day or once")
      .option("--on <days>", "of a week: mon,fri; of a month: 31; once: 2026-12-31")
      .option("--weeks <n>", "every n weeks, counted from --from")
      .option("--from <date>", "a day of the first of these weeks")
      .requiredOption("--time <time>", "what the clocks of the zone show, as 09:00")
      .requiredOption("--zone <zone>", "as Asia/Kolkata")
      .option("--holidays <CUR>", "whose weekend and holidays count")
      .option("--shift <where>", "where a day goes that is no working day: none, before or after")
      .option("--json", "print JSON");

  ruled("next", "a rule in a sentence, and its next times").action(next);
  ruled("create", "make a batch out of a list again and again")
    .requiredOption("--name <text>", "what people know it by")
    .requiredOption("--list <batch>", "the batch whose rows are paid again, as other payouts")
    .option("--lead <hours>", "how long before its time each batch is made (default: 24)")
    .action(create);
  schedule
    .command("list")
    .description("the schedules, and what comes next")
    .option("--json", "print JSON")
    .action(list);
  schedule
    .command("show")
    .argument("<id>")
    .description("a schedule and what it did")
    .option("--json", "print JSON")
    .action(show);
  const steered = (how: Steering, text: string) =>
    schedule
      .command(how)
      .argument("<id>")
      .description(text)
      .requiredOption("--reason <text>", "why")
      .action((id: string, { reason }: Flags) => steer(id, how, reason));
  steered("pause", "make no batch until it is resumed");
  steered("resume", "go on; what was due meanwhile is left out");
  steered("remove", "end a schedule; its batches stay");
  for (const word of ["make", "skip"] as const) {
    schedule
      .command(word)
      .argument("<id>")
      .argument("<day>", "of the occurrence, as in: payrun schedule show ID")
      .description(
        word === "make"
          ? "make the batch of an occurrence that was missed all the same"
          : "leave out an occurrence that was missed",
      )
      .requiredOption("--reason <text>", "why")
      .action((id: string, day: string, { reason }: Flags) => decide(id, day, word, reason));
  }
}

/** The rule as the flags say it, still to be looked at. */
function ruleOf({ every, on, weeks, from }: Flags): object {
  switch (every) {
    case "week":
      return {
        every,
        on: (on ?? "").split(","),
        ...(weeks !== undefined && { weeks: Number(weeks) }),
        ...(from !== undefined && { from }),
      };
    case "month":
      return { every, on: Number(on) };
    case "once":
      return { every, date: on };
    default:
      return { every: every.replaceAll("-", "_") };
  }
}

async function calendarOf(flags: Flags) {
  const { Calendar } = await import("#schedule/calendar.ts");
  const { prettifyError } = await import("zod");
  const { time, zone, holidays = null, shift = "none" } = flags;
  const read = Calendar.safeParse({ rule: ruleOf(flags), time, zone, holidays, shift });
  if (read.success) return read.data;
  throw new CliError(EXIT.usage, `This is no rule:\n${prettifyError(read.error)}`);
}

async function next(flags: Flags): Promise<void> {
  const calendar = await calendarOf(flags);
  const { readConfig } = await import("#config.ts");
  const { bankDays } = await import("#bank-days.ts");
  const { occurrencesAfter, placeAt } = await import("#schedule/occurrences.ts");
  const { momentText } = await import("#schedule/local-time.ts");
  const { sentenceOf } = await import("#schedule/sentence.ts");
  const place = placeAt(new Date(systemClock.nowMs()), calendar.zone);
  const { holidays } = bankDays(readConfig());
  const found = occurrencesAfter(calendar, place, holidays).take(NEXT).toArray();
  const says = sentenceOf(calendar);
  const times = found.map((each) => ({ at: each.at.toISOString(), says: momentText(each) }));
  if (flags.json) return printJson({ says, next: times });
  print([says, ...times.map((each) => `  ${each.says}`)].join("\n"));
}

async function create(flags: Flags): Promise<void> {
  const { ScheduleGiven } = await import("#schedule/schedule.ts");
  const { makeSchedule } = await import("#flows/schedules.ts");
  const { bankDays } = await import("#bank-days.ts");
  const { name, list: from, lead } = flags;
  const calendar = await calendarOf(flags);
  const hours = lead === undefined ? {} : { lead_hours: Number(lead) };
  const given = ScheduleGiven.safeParse({ name, list: from, calendar, ...hours });
  if (!given.success) throw new CliError(EXIT.usage, "A name has 3 letters, a lead whole hours.");
  await withLedger(async ({ config, database }) => {
    const { holidays } = bankDays(config);
    const deps = { database, clock: systemClock, holidays };
    const made = await makeSchedule(given.data, actor(), deps);
    if (!made.ok) throw new CliError(EXIT.notFound, `There is no batch ${from}.`);
    if (flags.json) printJson({ id: made.value });
    else print(`${made.value}: made. Each of its batches is approved like any other.`);
  });
}

/** What `schedule list --json` and `show --json` print. A contract: fields are only added. */
async function documents(id: string | null, occurrences: number) {
  const { occurrencesOf, schedules } = await import("#ledger/schedules.ts");
  const { sentenceOf } = await import("#schedule/sentence.ts");
  const { momentText } = await import("#schedule/local-time.ts");
  let found: ReturnType<typeof documentOf>[] = [];
  const documentOf = (
    schedule: Awaited<ReturnType<typeof schedules>>[number],
    kept: readonly {
      day: string;
      local: string;
      state: string;
      batchId: string | null;
      why: string | null;
    }[],
  ) => ({
    id: schedule.id,
    name: schedule.name,
    says: sentenceOf(schedule.calendar),
    list: schedule.list,
    state: schedule.state,
    occurrences: kept.map(({ day, local, state, batchId, why }) => ({
      day,
      says: momentText({ local, zone: schedule.calendar.zone }),
      state,
      batch_id: batchId,
      why,
    })),
  });
  await withLedger(async ({ database }) => {
    const all = await schedules(database, id);
    const ids = all.map((schedule) => schedule.id);
    const kept = await occurrencesOf(database, ids, occurrences);
    found = all.map((schedule) => documentOf(schedule, kept.get(schedule.id) ?? []));
  });
  return found;
}

async function list({ json }: Flags): Promise<void> {
  const found = await documents(null, 1);
  if (json) return printJson(found);
  const rows = found.map(({ id, name, state, says, occurrences: [latest] }) => [
    id,
    name,
    state,
    latest ? `${latest.says}: ${latest.state}` : "",
    says,
  ]);
  print(table([["schedule", "name", "", "latest", "rule"], ...rows]));
}

async function show(id: string, { json }: Flags): Promise<void> {
  const [found] = await documents(id, 50);
  if (!found) throw new CliError(EXIT.notFound, `There is no schedule ${id}.`);
  if (json) return printJson(found);
  print(`${found.id}  ${found.name}  ${found.state}\n${found.says}`);
  const rows = found.occurrences.map(({ day, says, state, batch_id, why }) => [
    day,
    says,
    state,
    batch_id ?? "",
    why ?? "",
  ]);
  print(table([["day", "time", "", "batch", ""], ...rows]));
}

async function steer(id: string, how: Steering, reason: string): Promise<void> {
  const { steerSchedule } = await import("#ledger/schedules.ts");
  await withLedger(async ({ database }) => {
    const order = { id, how, reason, actor: actor(), at: new Date(systemClock.nowMs()) };
    const done = await database
      .transaction()
      .execute((transaction) => steerSchedule(transaction, order));
    if (!done) throw new CliError(EXIT.conflict, `Schedule ${id} does not allow this now.`);
  });
  print(`${id}: ${how}d`);
}

async function decide(id: string, day: string, word: "make" | "skip", reason: string) {
  const { decideOccurrence } = await import("#ledger/schedules.ts");
  await withLedger(async ({ database }) => {
    const order = { id, day, word, reason, actor: actor(), at: new Date(systemClock.nowMs()) };
    const done = await database
      .transaction()
      .execute((transaction) => decideOccurrence(transaction, order));
    if (!done) throw new CliError(EXIT.conflict, `Nothing was missed by ${id} on ${day}.`);
  });
  print(word === "make" ? `${id} ${day}: its batch is made` : `${id} ${day}: left out`);
}
