import { type Command, InvalidArgumentError } from "commander";
import { BATCH_ID, type Intake, withIntake } from "#cli/batch/batches.ts";
import { plural, print, printJson } from "#cli/terminal/output.ts";
import { withServerOptions, type ServerFlags } from "#cli/terminal/server-options.ts";

interface Flags extends ServerFlags {
  readonly json?: boolean;
}

/** `batch leave-out` and `put-back`: single rows of a batch before it is sent for approval. */
export function leaveOutSubcommands(batch: Command): void {
  const on = (name: "leave-out" | "put-back", text: string, participle: string) =>
    withServerOptions(
      batch
        .command(name)
        .argument("<id>", BATCH_ID)
        .argument("<lines...>", "line numbers in the file; the header is line 1", readLines)
        .description(text)
        .option("--json", "print JSON"),
    ).action((id: string, lines: readonly number[], flags: Flags) =>
      withIntake(flags, async (intake) => {
        const rows = await change(name, id, lines, intake);
        const { document } = await intake.show(id);
        if (flags.json) return printJson({ ...document, changed: rows });
        print(
          `${id}: ${plural(rows, "row")} ${participle}; ${plural(document.rows, "row")} remain`,
        );
      }),
    );
  on(
    "leave-out",
    "leave rows with problems or warnings out of a batch before it is sent for approval",
    "left out",
  );
  on(
    "put-back",
    "put rows back that were left out of a batch, and validate them again",
    "put back",
  );
}

const change = (
  name: "leave-out" | "put-back",
  id: string,
  lines: readonly number[],
  intake: Intake,
): Promise<number> => (name === "leave-out" ? intake.leaveOut : intake.putBack)(id, lines);

function readLines(text: string, before: readonly number[] = []): readonly number[] {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("expected a line number.");
  return [...before, Number(text)];
}
