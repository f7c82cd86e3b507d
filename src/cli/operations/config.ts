import type { Command } from "commander";
import { print, printJson, say, styled, table } from "#cli/terminal/output.ts";

/** Adds `payrun config` to the program. */
export function configCommand(program: Command): void {
  program
    .command("config")
    .description("show the settings that payrun uses")
    .command("show")
    .description("list every variable with its value and where it is set; secrets are hidden")
    .option("--all", "also list variables that are not set and have no default")
    .option("--json", "print JSON")
    .action(async ({ all = false, json = false }: { all?: boolean; json?: boolean }) => {
      const { readConfig } = await import("#app/config.ts");
      const { effectiveSettings } = await import("#app/effective-settings.ts");
      const { settings, ignored } = effectiveSettings();
      const shown = settings.filter(({ source }) => all || json || source !== "not set");
      if (json) printJson({ settings, ignored });
      else {
        const rows = shown.map(({ name, value, source }) => [name, value ?? "", source]);
        print(table([["variable", "value", "source"], ...rows]));
      }
      for (const name of ignored) {
        say(
          styled(
            "yellow",
            `payrun ignores ${name} in .env, because it does not recognise this variable.`,
            process.stderr,
          ),
        );
      }
      // Invalid values end the command with the same message and exit code as any other command.
      readConfig();
    });
}
