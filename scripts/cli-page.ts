/** `npm run cli-page`: writes docs/cli.md from the commands. A test fails when the page is stale. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Argument, Command } from "commander";
import { EXIT, EXIT_MEANS } from "../src/cli/exit.ts";
import { programFor } from "../src/cli/program.ts";

const nameOf = (argument: Argument): string =>
  argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;

const SERVER_FLAGS = ["--server", "--api-key-file"];
const asksServers = ({ options }: Command): boolean =>
  options.some(({ long, hidden }) => long === "--server" && !hidden);

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** A pipe character would end the table cell. */
const cell = (text: string): string => text.replaceAll("|", "\\|");

function section(command: Command, path: string): string {
  const options = command.options.filter(
    ({ long, hidden }) => !hidden && !SERVER_FLAGS.includes(long ?? ""),
  );
  const told = command.registeredArguments.filter(({ description }) => description !== "");
  const help = command.createHelp();
  const lines = [
    ...told.map((argument) => [nameOf(argument), help.argumentDescription(argument)]),
    ...options.map((option) => [option.flags, help.optionDescription(option)]),
  ].map(([name, text]) => `| \`${cell(name ?? "")}\` | ${cell(text ?? "")} |`);
  const words = [path, ...command.registeredArguments.map(nameOf)].join(" ");
  // Commands that behave differently with a server say so themselves.
  const isTold = command.description().includes("--server");
  const where = asksServers(command) && !isTold ? " Also with `--server`." : "";
  return [
    `### \`${words}\``,
    `${sentence(command.description())}${where}`,
    ...(lines.length > 0 ? [["| | |", "|---|---|", ...lines].join("\n")] : []),
  ].join("\n\n");
}

const sections = (command: Command, path: string): string[] =>
  command.commands
    .filter((child) => child.name() !== "help")
    .flatMap((child) => {
      const own = `${path} ${child.name()}`;
      return child.commands.length > 0 ? sections(child, own) : [section(child, own)];
    });

/** Returns the whole page. */
export async function cliPage(): Promise<string> {
  const program = await programFor([]);
  const codes = Object.entries(EXIT).map(
    ([name, code]) => `| ${code} | ${EXIT_MEANS[name as keyof typeof EXIT]} |`,
  );
  return `# The command line

Generated from the commands by \`npm run cli-page\`. Edit the commands, not this page.

Commands work on the local ledger. Commands marked "Also with \`--server\`" can use a payrun server instead, named by \`--server URL\` or
\`PAYRUN_SERVER\`, with the key in \`--api-key-file FILE\` or \`PAYRUN_API_KEY_FILE\` ([how](people.md#the-command-line-from-another-machine)).

## Exit codes

All commands use the same codes.

| Code | Means |
|---|---|
${codes.join("\n")}

With \`--json\`, a failed command prints one line, \`{"error":{"code":…,"exit_code":…,"message":…}}\`, and the same message on
stderr. \`code\` is the code of the server's problem, or else the name of the exit code. An error after the output has started appears
only on stderr and in the exit code.

## Commands

${sections(program, "payrun").join("\n\n")}
`;
}

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, "..", "docs", "cli.md"), await cliPage());
}
