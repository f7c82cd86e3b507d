/** `npm run cli-page`: writes docs/cli.md from the commands themselves. A test fails when the page is stale. */
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

/** A pipe would end the cell. */
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
  // Where it does something else there, its own words say so.
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

/** The page as it must be. */
export async function cliPage(): Promise<string> {
  const program = await programFor([]);
  const codes = Object.entries(EXIT).map(
    ([name, code]) => `| ${code} | ${EXIT_MEANS[name as keyof typeof EXIT]} |`,
  );
  return `# The command line

Written from the commands themselves by \`npm run cli-page\`. Edit their texts, not this page.

Commands work on the ledger of this machine. Those that say so also ask a payrun server: named by \`--server URL\` or
\`PAYRUN_SERVER\`, with the key in \`--api-key-file FILE\` or \`PAYRUN_API_KEY_FILE\` ([how](people.md#the-command-line-from-another-machine)).

## Exit codes

The same for every command.

| Code | Means |
|---|---|
${codes.join("\n")}

With \`--json\` a command that is refused prints one line, \`{"error":{"code":…,"exit_code":…,"message":…}}\`, and the same words on
stderr: \`code\` is the server's where a server refused, else the name of the exit code. What breaks off after the answer has begun is
told by the exit code and on stderr alone.

## Commands

${sections(program, "payrun").join("\n\n")}
`;
}

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, "..", "docs", "cli.md"), await cliPage());
}
