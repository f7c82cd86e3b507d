import type { Command } from "commander";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { print } from "#cli/terminal/output.ts";
import { OPTIONS } from "#simulator/state/option-table.ts";

type SimulatorOptions = Readonly<Record<string, string | undefined>> & {
  readonly listFaults?: true;
};

/** `payrun simulator`: a simulated gateway for trying everything without money. */
export function simulatorCommand(program: Command): void {
  const command = program
    .command("simulator")
    .description("run a simulated gateway until interrupted");
  for (const { flag, value, default: standard, help } of OPTIONS) {
    const text = standard === null ? help : `${help} (default: ${standard})`;
    command.option(`--${flag} <${value}>`, text);
  }
  command.addHelpText("after", HELP);
  command.option("--list-faults", "list the faults that a fault rule can use, and exit");
  command.action(async ({ listFaults, ...options }: SimulatorOptions) => {
    if (listFaults) {
      const { faultList } = await import("#simulator/faults/fault-list.ts");
      print(faultList().trimEnd());
      return;
    }
    // Commander passes `--settle-ms` as `settleMs`; the table lists it by its flag.
    const given = OPTIONS.map(({ flag }) => [flag, options[camelCase(flag)]] as const);
    const { runSimulator } = await import("#simulator/main.ts");
    const { BadOptions } = await import("#simulator/state/options.ts");
    try {
      await runSimulator(Object.fromEntries(given));
    } catch (error) {
      if (!(error instanceof BadOptions)) throw error;
      throw new CliError(EXIT.usage, error.message);
    }
  });
}

const HELP = `
While the simulator runs, it answers at these addresses on this machine:
  /operator            page to pay, settle, decline and return transactions
  /statement           statement of a day (CSV or camt.053), optional defects
  /statement-balances  balances at the start and end of a day
  /transaction-log     all transactions`;

const camelCase = (flag: string): string =>
  flag.replace(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase());
