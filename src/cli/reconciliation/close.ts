import type { Command } from "commander";
import type { DayView } from "#api/reconciliation/days.ts";
import { printDay, printDays } from "#cli/reconciliation/close-output.ts";
import { LANE_ARGUMENT, laneOfApi } from "#cli/payout/lane-name.ts";
import type { ApiClient } from "#cli/terminal/api-client.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { print, printJson } from "#cli/terminal/output.ts";
import { type ServerFlags, withServerOptions } from "#cli/terminal/server-options.ts";
import { withLedgerApi } from "#cli/terminal/local-api.ts";

interface Flags extends ServerFlags {
  readonly lane: string;
  readonly json?: boolean;
}

const DAY = "business day, such as 2026-11-26";

/** Adds `payrun close` to the program. */
export function closeCommand(program: Command): void {
  const close = program
    .command("close")
    .description("close business days and compare their balances with the gateway's");
  const on = (command: Command) => withServerOptions(command.option("--json", "print JSON"));
  const ofDay = (name: string, description: string) =>
    on(
      close
        .command(name)
        .argument("<day>", DAY)
        .description(description)
        .requiredOption("--lane <lane>", LANE_ARGUMENT),
    );
  on(
    close
      .command("list")
      .argument("<month>", "month, such as 2026-11")
      .description("list the closed days of a month")
      .option("--lane <lane>", LANE_ARGUMENT),
  ).action(list);
  ofDay("show", "show a day: its figures, proposals and versions")
    .option("--version-number <number>", "number of an earlier version to show")
    .action(show);
  ofDay("open", "set the first day of a lane and its opening balance")
    .option("--balance <amount>", "opening balance (default: the one in the day's statement)")
    .option("--reason <text>", "where the balance comes from; required with --balance")
    .option("--zone <zone>", "time zone of the business days, such as Asia/Kolkata")
    .action(open);
  ofDay("day", "close a day").action(closeOne);
  ofDay(
    "adjust",
    "propose an adjustment that explains a difference; if payrun has approvers, one must confirm it",
  )
    .requiredOption(
      "--amount <amount>",
      "amount to add to the computed closing balance, such as -5.00",
    )
    .requiredOption("--reason <text>", "explanation of the difference")
    .action(adjust);
  ofDay("reopen", "propose to reopen a closed day; if payrun has approvers, one must confirm it")
    .requiredOption("--reason <text>", "why the day must be closed again")
    .action(reopen);
}

type Client = Pick<ApiClient, "call">;

async function withClient(flags: ServerFlags, run: (client: Client) => Promise<void>) {
  return withLedgerApi(flags, run);
}

async function list(
  month: string,
  { lane, json, ...flags }: ServerFlags & { readonly lane?: string; readonly json?: boolean },
): Promise<void> {
  await withClient(flags, async (client) => {
    const query = { month, ...(lane !== undefined && { lane: await laneOfApi(lane, client) }) };
    const { items, lanes } = await client.call("GET /api/days", { query });
    if (json) return printJson({ items, lanes });
    if (items.length > 0) printDays(items);
    else print("no closed days");
    for (const each of lanes) print(`${each.lane}: next day to close ${each.next_day}`);
  });
}

/** Prints the day that a call about a lane returns. */
async function withDay(
  { json, lane, ...flags }: Flags,
  call: (client: Client, lane: string) => Promise<DayView>,
): Promise<void> {
  await withClient(flags, async (client) => {
    const day = await call(client, await laneOfApi(lane, client));
    if (json) printJson(day);
    else printDay(day);
    if (day.state === "broken") process.exitCode = EXIT.problems;
  });
}

const show = (day: string, flags: Flags & { readonly versionNumber?: string }): Promise<void> => {
  const { versionNumber: version } = flags;
  if (version !== undefined && !/^[1-9]\d{0,8}$/.test(version)) {
    throw new CliError(EXIT.usage, "--version-number needs a number.");
  }
  const numbered = version === undefined ? {} : { version: Number(version) };
  return withDay(flags, (client, lane) =>
    client.call("GET /api/days/:day", { params: { day }, query: { lane, ...numbered } }),
  );
};

interface OpenFlags extends Flags {
  readonly balance?: string;
  readonly reason?: string;
  readonly zone?: string;
}

const open = (day: string, flags: OpenFlags): Promise<void> => {
  const { balance, reason, zone } = flags;
  const given = {
    ...(balance !== undefined && { balance }),
    ...(reason !== undefined && { reason }),
    ...(zone !== undefined && { zone }),
  };
  return withDay(flags, (client, lane) =>
    client.call("POST /api/days/:day/open", { params: { day }, body: { lane, ...given } }),
  );
};

const closeOne = (day: string, flags: Flags): Promise<void> =>
  withDay(flags, (client, lane) =>
    client.call("POST /api/days/:day/close", { params: { day }, body: { lane } }),
  );

const adjust = (
  day: string,
  flags: Flags & { readonly amount: string; readonly reason: string },
): Promise<void> => {
  const { amount, reason } = flags;
  return withDay(flags, (client, lane) =>
    client.call("POST /api/days/:day/adjust", { params: { day }, body: { lane, amount, reason } }),
  );
};

const reopen = (day: string, flags: Flags & { readonly reason: string }): Promise<void> => {
  const { reason } = flags;
  return withDay(flags, (client, lane) =>
    client.call("POST /api/days/:day/reopen", { params: { day }, body: { lane, reason } }),
  );
};
