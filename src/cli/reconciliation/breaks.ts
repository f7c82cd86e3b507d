import type { Command } from "commander";
import type { BreakView } from "#api/reconciliation/breaks.ts";
import { printable } from "#base/invisible-characters.ts";
import {
  breakActionCommands,
  type BulkFlags,
  runBreakAction,
  withActionOptions,
} from "#cli/reconciliation/break-actions.ts";
import { type FilterFlags, filterOf, withFilterOptions } from "#cli/reconciliation/break-filter.ts";
import { lookupsOf } from "#cli/reconciliation/break-ports.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import type { ApiClient } from "#cli/terminal/api-client.ts";
import { print, printJson, say, table } from "#cli/terminal/output.ts";
import { type ServerFlags, withServerOptions } from "#cli/terminal/server-options.ts";
import { withLedgerApi } from "#cli/terminal/local-api.ts";
import { laneNamesOfApi, laneWithName } from "#cli/payout/lane-name.ts";
import { groupAmountsIn } from "#money/display.ts";

interface Flags extends ServerFlags {
  readonly json?: boolean;
}

interface ListFlags extends Flags, FilterFlags {}

const ID = "number of the break, from: payrun breaks list";

/** Adds `payrun breaks` to the program. */
export function breaksCommand(program: Command): void {
  const breaks = program
    .command("breaks")
    .description("list and resolve differences between statements and the ledger");
  const on = (command: Command) => withServerOptions(command.option("--json", "print JSON"));
  on(
    withFilterOptions(breaks.command("list").description("list unresolved breaks, oldest first")),
  ).action(list);
  on(
    breaks.command("show").argument("<id>", ID).description("show a break with its history"),
  ).action((id: string, flags: Flags) =>
    withBreak(id, flags, (client, params) => client.call("GET /api/breaks/:id", { params })),
  );
  on(
    breaks
      .command("comment")
      .argument("<id>", ID)
      .argument("<text>", "the comment")
      .description("add a permanent comment to a break"),
  ).action((id: string, text: string, flags: Flags) =>
    withBreak(id, flags, async (client, params) => {
      const { version } = await client.call("GET /api/breaks/:id", { params });
      return client.call("POST /api/breaks/:id/comments", { params, body: { text, version } });
    }),
  );
  withActionOptions(
    breaks
      .command("propose")
      .argument("[breaks...]", "numbers of breaks; without them, options select the breaks")
      .description(
        "propose how breaks are resolved, for several after a preview; if payrun has approvers, one must confirm it",
      )
      .requiredOption(
        "--reason <text>",
        "explanation, such as the answer of the gateway's support",
      ),
  ).action((numbers: string[], flags: BulkFlags & { readonly reason: string }) => {
    const [id, ...others] = numbers;
    const isOne = id !== undefined && others.length === 0;
    return isOne ? propose(id, flags) : runBreakAction("propose", numbers, flags);
  });
  breakActionCommands(breaks);
}

const propose = (
  id: string,
  { reason, ...flags }: Flags & { readonly reason: string },
): Promise<void> =>
  withBreak(id, flags, async (client, params) => {
    const { version } = await client.call("GET /api/breaks/:id", { params });
    const body = { explanation: reason, version };
    return client.call("POST /api/breaks/:id/propose", { params, body });
  });

type Client = Pick<ApiClient, "call">;

async function withClient(flags: Flags, run: (client: Client) => Promise<void>): Promise<void> {
  return withLedgerApi(flags, run);
}

/** Prints the break that a call returns. */
async function withBreak(
  id: string,
  flags: Flags,
  call: (client: Client, params: { readonly id: number }) => Promise<BreakView>,
): Promise<void> {
  if (!/^[1-9]\d{0,8}$/.test(id)) {
    throw new CliError(EXIT.usage, `${printable(id)} is not the number of a break.`);
  }
  await withClient(flags, async (client) => {
    const found = await call(client, { id: Number(id) });
    if (flags.json) printJson(found);
    else printBreak(found, laneWithName(found.lane, await laneNamesOfApi(client)));
  });
}

async function list({ json, ...flags }: ListFlags): Promise<void> {
  await withClient(flags, async (client) => {
    const query = { limit: 200, ...(await filterOf(flags, lookupsOf(client))) };
    const { items, next } = await client.call("GET /api/breaks", { query });
    if (json) return printJson(items);
    if (items.length === 0) return print("no breaks");
    const names = await laneNamesOfApi(client);
    print(
      table([
        ["break", "day", "lane", "name", "class", "code", "ledger", "statement", "state"],
        ...items.map((each) => [
          String(each.id),
          each.day,
          each.lane,
          names(each.lane),
          each.class,
          each.code ?? "-",
          groupAmountsIn(each.ledger_shows ?? "-"),
          groupAmountsIn(each.statement_shows ?? "-"),
          each.state,
        ]),
      ]),
    );
    if (next !== null) say(`There are more than ${items.length} breaks. Use the filters.`);
  });
}

function printBreak(found: BreakView, lane: string): void {
  print(`Break ${found.id}: ${found.class_text}`);
  print(
    table([
      ["state", found.state],
      ["lane", lane],
      ["day", found.day],
      ["code", found.code ?? "none"],
      ...(found.code === null && found.ledger_shows === null
        ? []
        : [["ledger", groupAmountsIn(found.ledger_shows ?? "does not contain it")]]),
      ["statement", groupAmountsIn(found.statement_shows ?? "does not contain it")],
      ["file", [found.file_name ?? "-", ...found.lines.map((line) => `line ${line}`)].join(", ")],
      ["assigned to", found.assigned_to?.name ?? "nobody"],
      ...(found.proposal ? [["proposal", found.proposal.explanation]] : []),
      ...(found.resolution ? [["resolution", found.resolution.explanation]] : []),
    ]),
  );
  print("");
  print(table(found.events.map(({ at, event, by, text }) => [at, event, by.name, text])));
  if (found.state === "proposed") say("An approver must confirm the proposal on the dashboard.");
}
