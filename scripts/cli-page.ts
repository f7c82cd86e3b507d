/** `npm run cli-page`: writes docs/cli.md from the commands. A test fails when the page is stale. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Argument, Command } from "commander";
import { EXIT, EXIT_MEANS } from "../src/cli/exit.ts";
import { asSentence, programFor } from "../src/cli/program.ts";

const nameOf = (argument: Argument): string =>
  argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;

const code = (text: string): string => `\`${text}\``;
const codes = (texts: readonly string[]): string => texts.map(code).join(", ");

const SERVER_FLAGS = ["--server", "--api-key-file"];
/** Texts of options that the introduction explains. */
const REASON = "reason (required)";
const REASON_ON_SERVER = "reason (required with --server)";
const JSON_DOCUMENT = /^print (?:JSON|one JSON document|the result as one JSON document)$/;

/** End of the description of a command that only a signed-in user may run on a server. */
const FOR_USERS = /; with --server, it prints the page where a user can do this \(exit code 5\)$/;

const SIMULATOR_OPTIONS = "[Options](simulator.md).";

/** An argument or option, as "name" and its text. */
interface Setting {
  readonly name: string;
  readonly text: string;
}

interface Entry {
  readonly path: string;
  readonly group: string;
  readonly description: string;
  readonly usage: string;
  readonly settings: readonly Setting[];
  readonly asksServers: boolean;
  readonly printsJson: boolean;
  readonly needsUser: boolean;
}

function entryOf(command: Command, group: string, path: string): Entry {
  const help = command.createHelp();
  const shown = command.options.filter(({ hidden }) => !hidden);
  const has = (flag: string) => shown.some(({ long }) => long === flag);
  const reason = shown.find(({ long }) => long === "--reason");
  const reasons: Readonly<Record<string, string>> = {
    [REASON]: " --reason <text>",
    [REASON_ON_SERVER]: " [--reason <text>]",
  };
  const reasonText = reason ? help.optionDescription(reason) : "";
  const args = command.registeredArguments;
  const settings = [
    ...args.map((argument) => ({
      name: nameOf(argument),
      text: help.argumentDescription(argument),
    })),
    ...shown.map((option) => ({ name: option.flags, text: help.optionDescription(option) })),
  ].filter(
    ({ name, text }) =>
      text !== "" &&
      !SERVER_FLAGS.some((flag) => name.startsWith(`${flag} `)) &&
      !(name === "--json" && JSON_DOCUMENT.test(text)) &&
      !(name.startsWith("--reason") && text in reasons),
  );
  return {
    path,
    group,
    description:
      asSentence(command.description().replace(FOR_USERS, "")) +
      (path === "simulator" ? ` ${SIMULATOR_OPTIONS}` : ""),
    usage: [path, ...args.map(nameOf)].join(" ") + (reasons[reasonText] ?? ""),
    settings: path === "simulator" ? [] : settings,
    asksServers: has("--server"),
    printsJson: has("--json"),
    needsUser: FOR_USERS.test(command.description()),
  };
}

const entriesOf = (command: Command, group: string): Entry[] =>
  command.commands
    .filter((child) => child.name() !== "help")
    .flatMap((child) => {
      const path = `${group} ${child.name()}`.trim();
      return child.commands.length > 0 ? entriesOf(child, path) : [entryOf(child, group, path)];
    });

const settingOf = ({ name, text }: Setting): string => `- ${code(name)}: ${text}`;
const keyOf = ({ name, text }: Setting): string => `${name} ${text}`;

/** Arguments and options that several commands share word for word, each once. */
function sharedSettings(entries: readonly Entry[]): Setting[] {
  const all = entries.flatMap(({ settings }) => settings);
  const isShared = (setting: Setting) =>
    !setting.name.startsWith("--reason") &&
    all.filter((other) => keyOf(other) === keyOf(setting)).length > 1;
  return [...new Map(all.filter(isShared).map((each) => [keyOf(each), each])).values()].toSorted(
    (a, b) => a.name.localeCompare(b.name, "en"),
  );
}

/** One item of the list per command; the options that it does not share are below it. */
function itemOf(entry: Entry, shared: ReadonlySet<string>): string {
  const isShared = (setting: Setting) => shared.has(keyOf(setting));
  const flags = entry.settings.filter(isShared).flatMap(({ name }) => name.match(/^--\S+/) ?? []);
  const also = flags.length > 0 ? ` Also ${codes(flags)}.` : "";
  return [
    `- **\`${entry.usage}\`** ${entry.description}${also}`,
    ...entry.settings
      .filter((setting) => !isShared(setting))
      .map((setting) => `  ${settingOf(setting)}`),
  ].join("\n");
}

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
  const shared = sharedSettings(entries);
  const keys = new Set(shared.map(keyOf));
  const sizeOf = (group: string) => entries.filter((each) => each.group === group).length;
  const isGeneral = ({ group }: Entry) => group === "" || sizeOf(group) === 1;
  const general = entries.filter(isGeneral);
  const groups = [...new Set(entries.filter((each) => !isGeneral(each)).map((each) => each.group))];
  const sections = [
    { title: "General", members: general },
    ...groups.map((group) => ({
      title: `\`${group}\``,
      members: entries.filter((each) => each.group === group),
    })),
  ].map(({ title, members }) =>
    [`### ${title}`, "", ...members.map((each) => itemOf(each, keys))].join("\n"),
  );
  const exits = Object.entries(EXIT).map(
    ([name, exit]) => `- **${exit}**: ${EXIT_MEANS[name as keyof typeof EXIT]}`,
  );
  const local = entries.filter(({ asksServers }) => !asksServers);
  const personal = entries.filter(({ needsUser }) => needsUser).map(({ path }) => path);
  const silent = entries.filter(({ printsJson }) => !printsJson);
  return `# Command line

For everyone who uses \`payrun\` in a terminal or a script: every command. \`payrun COMMAND --help\` also shows examples.
\`npm run cli-page\` generates this page from the commands.

## Exit codes

${exits.join("\n")}

With \`--json\`, a failed command prints one line, \`{"error":{"code":…,"exit_code":…,"message":…}}\`, and the message on stderr.
\`code\` is that of the server's problem, or the name of the exit code. An error after the output has started appears only on stderr
and in the exit code.

## Shared options

Commands use the local ledger. With \`--server URL\` or \`PAYRUN_SERVER\` they use a payrun server, with the key in \`--api-key-file FILE\` or
\`PAYRUN_API_KEY_FILE\` ([how](people.md#the-command-line-from-another-machine)). Only local: ${namesOf(local, entries)}.

With a server, these print the page where a user can do it, and exit with 5: ${codes(personal)}.

\`--json\` prints JSON. It is missing in: ${namesOf(silent, entries)}.

\`--reason <text>\` gives the reason. In brackets, it is required only with \`--server\`. Also shared:

${shared.map(settingOf).join("\n")}

## Commands

${sections.join("\n\n")}
`;
}

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, "..", "docs", "cli.md"), await cliPage());
}
