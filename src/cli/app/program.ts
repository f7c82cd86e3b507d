import { Command, Help, type Option } from "commander";
import { printable, canForgeLines } from "#base/invisible-characters.ts";
import { addExamples } from "#cli/app/examples.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { commit, version } from "#base/version.ts";

const START = "Get started:";
const PAY = "Pay and collect:";
const OPERATE = "Operate:";
const ADMIN = "Administer:";

interface CommandFile {
  /** Heading in the list of commands. */
  readonly group: string;
  readonly names: readonly string[];
  readonly load: () => Promise<(program: Command) => void>;
}

/** The commands in the order of `--help`. */
// biome-ignore format: the columns are the point
const FILES: readonly CommandFile[] = [
  { group: START,   names: ["demo"],             load: async () => (await import("#cli/app/demo.ts")).demoCommand },
  { group: START,   names: ["init"],             load: async () => (await import("#cli/app/init.ts")).initCommand },
  { group: START,   names: ["doctor"],           load: async () => (await import("#cli/operations/doctor.ts")).doctorCommand },
  { group: START,   names: ["simulator"],        load: async () => (await import("#cli/app/simulator.ts")).simulatorCommand },
  { group: START,   names: ["login", "logout"],  load: async () => (await import("#cli/people/login.ts")).loginCommands },
  { group: PAY,     names: ["template"],         load: async () => (await import("#cli/intake/template.ts")).templateCommand },
  { group: PAY,     names: ["check"],            load: async () => (await import("#cli/intake/check.ts")).checkCommand },
  { group: PAY,     names: ["pay"],              load: async () => (await import("#cli/intake/pay.ts")).payCommand },
  { group: PAY,     names: ["batch"],            load: async () => (await import("#cli/intake/batch.ts")).batchCommand },
  { group: PAY,     names: ["payout", "status"], load: async () => (await import("#cli/payout/payout.ts")).payoutCommands },
  { group: PAY,     names: ["comment"],          load: async () => (await import("#cli/comment/comment.ts")).commentCommand },
  { group: PAY,     names: ["schedule"],         load: async () => (await import("#cli/schedule/schedule.ts")).scheduleCommands },
  { group: PAY,     names: ["deposit"],          load: async () => (await import("#cli/deposit/deposit.ts")).depositCommands },
  { group: OPERATE, names: ["serve", "worker"],  load: async () => (await import("#cli/app/serve.ts")).serveCommands },
  { group: OPERATE, names: ["lane"],             load: async () => (await import("#cli/payout/lane.ts")).laneCommand },
  { group: OPERATE, names: ["limit"],            load: async () => (await import("#cli/approval/limit.ts")).limitCommand },
  { group: OPERATE, names: ["reconcile"],        load: async () => (await import("#cli/reconciliation/reconcile.ts")).reconcileCommand },
  { group: OPERATE, names: ["breaks"],           load: async () => (await import("#cli/reconciliation/breaks.ts")).breaksCommand },
  { group: OPERATE, names: ["events"],           load: async () => (await import("#cli/feed/events.ts")).eventsCommand },
  { group: OPERATE, names: ["close"],            load: async () => (await import("#cli/reconciliation/close.ts")).closeCommand },
  { group: OPERATE, names: ["report"],           load: async () => (await import("#cli/operations/report.ts")).reportCommand },
  { group: OPERATE, names: ["freeze", "unfreeze"], load: async () => (await import("#cli/integrity/freeze.ts")).freezeCommands },
  { group: ADMIN,   names: ["config"],           load: async () => (await import("#cli/operations/config.ts")).configCommand },
  { group: ADMIN,   names: ["user"],             load: async () => (await import("#cli/people/user.ts")).userCommands },
  { group: ADMIN,   names: ["migrate", "audit"], load: async () => (await import("#cli/integrity/admin.ts")).adminCommands },
  { group: ADMIN,   names: ["export"],           load: async () => (await import("#cli/integrity/export.ts")).exportCommand },
  { group: ADMIN,   names: ["archive"],          load: async () => (await import("#cli/integrity/archive.ts")).archiveCommand },
  { group: ADMIN,   names: ["retention"],        load: async () => (await import("#cli/integrity/retention.ts")).retentionCommand },
  { group: ADMIN,   names: ["evidence", "verify"], load: async () => (await import("#cli/integrity/evidence.ts")).evidenceCommands },
  { group: ADMIN,   names: ["key"],              load: async () => (await import("#cli/integrity/key.ts")).keyCommand },
  { group: ADMIN,   names: ["erase"],            load: async () => (await import("#cli/integrity/erase.ts")).eraseCommand },
  { group: ADMIN,   names: ["completion"],       load: async () => (await import("#cli/app/completion.ts")).completionCommand },
];

const HELP = new Help();
const VERSION = `payrun ${version} (commit ${commit ?? "unknown"})`;

/** Builds the program with the commands that these arguments may mean. */
export async function programFor(words: readonly string[]): Promise<Command> {
  const program = new Command("payrun")
    .description(
      "Turns a CSV file into payouts: validates every row, gets the batch approved, sends each payout exactly once, and tracks it until the money is settled.",
    )
    .version(VERSION, "-V, --version", "print version and commit")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print help for a command")
    .option("--debug", "print the stack trace of unexpected errors")
    .configureHelp({
      commandDescription: (command) => asSentence(HELP.commandDescription(command)),
      subcommandTerm: (command) => HELP.subcommandTerm(command).replace(" [options]", ""),
      visibleOptions: (command) => lastShared(HELP.visibleOptions(command)),
      optionDescription: (option) =>
        `${HELP.optionDescription(option)}${option.mandatory ? " (required)" : ""}`,
    })
    .showSuggestionAfterError()
    .exitOverride()
    .hook("preAction", (_program, command) => {
      refuseEmpty(command.opts());
      refuseForging(command.opts());
    });

  for (const { group, load } of filesFor(words)) {
    const before = program.commands.length;
    (await load())(program);
    for (const command of program.commands.slice(before)) command.helpGroup(group);
  }
  for (const command of program.commands) {
    for (const each of [command, ...command.commands]) each.exitOverride();
  }
  nameHelp(program, "payrun");
  addExamples(program);
  return program;
}

/** After an error in its arguments, each command names its help. */
function nameHelp(command: Command, line: string): void {
  command.showHelpAfterError(`See: ${line} --help`);
  for (const child of command.commands) nameHelp(child, `${line} ${child.name()}`);
}

/** Turns a description of a list into a sentence, as a page begins with it. */
export const asSentence = (text: string): string =>
  text === "" || text.endsWith(".") ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const SHARED_OPTIONS = ["--json", "--server", "--api-key-file", "--help"];

/** Moves the options that most commands share to the end. */
const lastShared = (options: readonly Option[]): Option[] =>
  options.toSorted((a, b) => rankOf(a) - rankOf(b));

const rankOf = ({ long }: Option): number => SHARED_OPTIONS.indexOf(long ?? "");

/**
 * Rejects empty options: with an unset variable, "--server $URL" would mean this machine's ledger,
 * and "--lead ''" no time at all.
 */
function refuseEmpty(options: Readonly<Record<string, unknown>>): void {
  for (const [name, given] of Object.entries(options)) {
    if (![given].flat().some((each) => typeof each === "string" && each.trim() === "")) continue;
    throw new CliError(
      EXIT.usage,
      `${flagOf(name)} is empty. Specify a value or omit the option. No action was taken.`,
    );
  }
}

const flagOf = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * Rejects control characters, because names and reasons are stored and shown on other people's
 * terminals.
 */
function refuseForging(options: Readonly<Record<string, unknown>>): void {
  for (const [name, given] of Object.entries(options)) {
    const text = [given].flat().find((each) => typeof each === "string" && canForgeLines(each));
    if (typeof text !== "string") continue;
    throw new CliError(
      EXIT.usage,
      `${flagOf(name)} "${printable(text)}" contains a character that could be used to forge payrun's output. Remove line breaks, control characters and text-direction marks. No action was taken.`,
    );
  }
}

function filesFor(words: readonly string[]): readonly CommandFile[] {
  if (words[0] === "--version" || words[0] === "-V") return [];
  const name = words.find((word) => !word.startsWith("-")) ?? "";
  const asked = FILES.filter(({ names }) => names.includes(name));
  // For help, or for a possibly misspelt command.
  return asked.length > 0 ? asked : FILES;
}
