/**
 * `npm run cli-page`: writes cli.md from the commands. A test fails when the page is stale.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Argument, Command } from "commander";
import { EXIT, EXIT_MEANINGS } from "../src/cli/terminal/exit.ts";
import { asSentence, programFor } from "../src/cli/app/program.ts";

const nameOf = (argument: Argument): string =>
  argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;

const code = (text: string): string => `\`${text}\``;
const codes = (texts: readonly string[]): string => texts.map(code).join(", ");

/** Text of `--reason` where only a server requires it. */
const REASON_ON_SERVER = "reason (required with --server)";

/** End of the description of a command that only a signed-in user may run on a server. */
const FOR_USERS =
  /; with --server, the command prints the page where a user can do this \(exit code 5\)$/;

/** The page about the options of a command, or about a group of commands. */
const PAGES: Readonly<Record<string, string>> = {
  demo: "../start/quick-start.md",
  check: "../use/payout-files.md",
  simulator: "../start/simulator.md",
  unfreeze: "../operate/restore.md",
  "key rotate": "../operate/encryption-key.md",
  "key import": "../operate/encryption-key.md",
  erase: "../operate/erasure.md",
  lane: "../operate/lanes.md",
  limit: "../use/payout-limits.md",
  deposit: "../use/deposits.md",
  schedule: "../use/schedules.md",
  user: "../use/people.md",
};

interface Entry {
  readonly path: string;
  readonly group: string;
  readonly description: string;
  readonly usage: string;
  readonly asksServers: boolean;
  readonly needsUser: boolean;
}

function entryOf(command: Command, group: string, path: string): Entry {
  const shown = command.options.filter(({ hidden }) => !hidden);
  const has = (flag: string) => shown.some(({ long }) => long === flag);
  const reason = shown.find(({ long }) => long === "--reason");
  const mayNeedReason =
    reason && command.createHelp().optionDescription(reason) === REASON_ON_SERVER;
  const page = PAGES[path];
  return {
    path,
    group,
    description:
      asSentence(command.description().replace(FOR_USERS, "")) + (page ? ` [More](${page}).` : ""),
    usage: [
      path,
      ...command.registeredArguments.map(nameOf),
      ...shown.filter(({ mandatory }) => mandatory).map(({ flags }) => flags),
      ...(mayNeedReason ? ["[--reason <text>]"] : []),
    ].join(" "),
    asksServers: has("--server"),
    needsUser: FOR_USERS.test(command.description()),
  };
}

const entriesOf = (command: Command, group: string): Entry[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== "help")
    .flatMap((child) => {
      const path = `${group} ${child.name()}`.trim();
      return child.commands.length > 0 ? entriesOf(child, path) : [entryOf(child, group, path)];
    });

/** One item of the list per command. */
const itemOf = ({ usage, description }: Entry): string => `- **\`${usage}\`** ${description}`;

/** The paths of these commands; a group whose commands are all among them is one entry. */
function namesOf(entries: readonly Entry[], all: readonly Entry[]): string {
  const names = entries.map(({ path, group }) =>
    group !== "" && all.every((each) => each.group !== group || entries.includes(each))
      ? group
      : path,
  );
  return codes([...new Set(names)]);
}

/** Returns the whole page. */
export async function cliPage(): Promise<string> {
  const entries = entriesOf(await programFor([]), "");
  const sizeOf = (group: string) => entries.filter((each) => each.group === group).length;
  const isGeneral = ({ group }: Entry) => group === "" || sizeOf(group) === 1;
  const general = entries.filter(isGeneral);
  const groups = [...new Set(entries.filter((each) => !isGeneral(each)).map((each) => each.group))];
  const sections = [
    { title: "General", page: undefined, members: general },
    ...groups.map((group) => ({
      title: `\`${group}\``,
      page: PAGES[group],
      members: entries.filter((each) => each.group === group),
    })),
  ].map(({ title, page, members }) =>
    [`### ${title}`, ...(page ? ["", `[More](${page})`] : []), "", ...members.map(itemOf)].join(
      "\n",
    ),
  );
  const exits = Object.entries(EXIT).map(
    ([name, exit]) => `- **${exit}**: ${EXIT_MEANINGS[name as keyof typeof EXIT]}`,
  );
  const local = entries.filter(({ asksServers }) => !asksServers);
  const personal = entries.filter(({ needsUser }) => needsUser).map(({ path }) => path);
  return `# Command line

For anyone who uses \`payrun\` in a terminal or in scripts. \`payrun COMMAND --help\` lists a command's options, with
examples. \`npm run cli-page\` generates this page.

## Exit codes

${exits.join("\n")}

With \`--json\`, a failed command prints \`{"error":{"code":…,"exit_code":…,"message":…}}\` on stdout and the message on stderr. The
\`code\` is the server's error code or the name of the exit code. Once output has started, errors appear only on stderr and in the exit
code.

## Shared options

By default, commands use the local ledger. With \`--server URL\` or \`PAYRUN_SERVER\`, they use a payrun server, with the key in
\`--api-key-file FILE\` or \`PAYRUN_API_KEY_FILE\`, or from \`payrun login\` ([setup](../use/people.md#the-command-line-from-another-machine)). These commands run only locally: ${namesOf(local, entries)}.

With \`--server\`, these commands print the URL where a signed-in user can perform the action, and exit with code 5: ${codes(personal)}.

Most commands print JSON with \`--json\`. \`--reason <text>\` records a reason; in brackets, it is required only with \`--server\`.

## Commands

${sections.join("\n\n")}
`;
}

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, "..", "docs", "reference", "cli.md"), await cliPage());
}
