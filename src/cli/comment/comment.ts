import { printable } from "#base/invisible-characters.ts";
import type { Command } from "commander";
import type { API } from "#api/api.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { BATCH_ID } from "#cli/batch/batches.ts";
import type { ApiClient } from "#cli/terminal/api-client.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { print, printJson } from "#cli/terminal/output.ts";
import { type ServerFlags, withServerOptions } from "#cli/terminal/server-options.ts";

interface Flags extends ServerFlags {
  readonly batch?: string;
  readonly payout?: string;
  readonly replyTo?: string;
  readonly json?: boolean;
}

type Comment = AnswerOf<(typeof API)["GET /api/comments"]>["items"][number];

/** Adds `payrun comment` to the program. */
export function commentCommand(program: Command): void {
  const comment = program
    .command("comment")
    .description("read and write comments on batches and payouts");
  const on = (command: Command) =>
    withServerOptions(
      command
        .option("--batch <id>", BATCH_ID)
        .option("--payout <code>", "transaction code of the payout")
        .option("--json", "print JSON"),
    );
  on(
    comment.command("list").description("list the comments on a batch or payout, oldest first"),
  ).action((flags: Flags) =>
    withClient(flags, async (client) => {
      const { items } = await client.call("GET /api/comments", { query: subjectOf(flags) });
      if (flags.json) printJson(items);
      else print(items.length === 0 ? "no comments" : items.map(commentText).join("\n\n"));
    }),
  );
  on(
    comment
      .command("add")
      .argument("<text>", "the comment; @Name mentions and notifies a user")
      .description("add a permanent comment to a batch or payout")
      .option("--reply-to <id>", "ID of the comment to reply to, from: payrun comment list"),
  ).action((text: string, flags: Flags) =>
    withClient(flags, async (client) => {
      const { replyTo, json } = flags;
      const reply = replyTo === undefined ? {} : { reply_to: replyTo };
      const added = await client.call("POST /api/comments", {
        body: { ...subjectOf(flags), text, ...reply },
      });
      if (json) printJson(added);
      else print(commentText(added));
    }),
  );
}

/** Returns the subject of a comment. @throws CliError unless exactly one is given. */
function subjectOf({ batch, payout }: Flags): { batch: string } | { payout: string } {
  if (batch !== undefined && payout === undefined) return { batch };
  if (payout !== undefined && batch === undefined) return { payout };
  throw new CliError(EXIT.usage, "Give either --batch ID or --payout CODE.");
}

async function withClient(
  flags: ServerFlags,
  run: (client: Pick<ApiClient, "call">) => Promise<void>,
): Promise<void> {
  const { withLedgerApi } = await import("#cli/terminal/local-api.ts");
  return withLedgerApi(flags, run);
}

/** One comment: its author and time, then its lines, in which no character can forge a line. */
export function commentText({ id, at, by, text, reply_to: replyTo }: Comment): string {
  const answers = replyTo === null ? "" : `, in reply to ${replyTo}`;
  const lines = text.split(/\r?\n/).map((line) => `  ${printable(line)}`);
  return [`${id}  ${at}  ${printable(by.name)}${answers}`, ...lines].join("\n");
}
