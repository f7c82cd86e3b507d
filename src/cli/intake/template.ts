import type { Command } from "commander";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { printAll } from "#cli/terminal/output.ts";
import { withServerOptions, type ServerFlags, serverOf } from "#cli/terminal/server-options.ts";

type Format = "csv" | "xlsx";

/** Adds `payrun template` to the program. */
export function templateCommand(program: Command): void {
  withServerOptions(
    program
      .command("template")
      .argument("<currency>", "currency code, such as INR")
      .description("print a file template for one currency; payrun always rejects its sample row")
      .option("--xlsx", "print an XLSX workbook instead of CSV"),
  ).action(async (given: string, flags: ServerFlags & { readonly xlsx?: boolean }) => {
    const format: Format = flags.xlsx ? "xlsx" : "csv";
    if (format === "xlsx" && process.stdout.isTTY) {
      throw new CliError(
        EXIT.usage,
        "A workbook cannot be printed to a terminal. To save it to a file, add: > payouts.xlsx",
      );
    }
    const currency = given.toUpperCase();
    const server = await serverOf(flags);
    const file = { params: { currency }, query: { format } };
    const content = server
      ? server.readFile("GET /api/templates/:currency", file)
      : await templateHere(currency, format);
    await printAll(content);
  });
}

async function templateHere(
  currency: string,
  format: Format,
): Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>> {
  const { columnGuideOf, templateRows } = await import("#intake/template.ts");
  const { readConfig, rowSettings } = await import("#app/config.ts");
  const { csvOf, workbookOf } = await import("#views/table-file.ts");
  const settings = rowSettings(readConfig(), null);
  const guide = columnGuideOf(currency, settings);
  if (!guide) {
    const { unitsOf } = await import("#intake/amount-limits.ts");
    const known = [...unitsOf(settings.crypto).keys()].toSorted().join(", ");
    throw new CliError(
      EXIT.notFound,
      `payrun does not support ${currency}. Supported currencies: ${known}.`,
    );
  }
  const rows = templateRows(currency, guide);
  return format === "csv" ? csvOf(rows, ",") : [await workbookOf(rows)];
}
