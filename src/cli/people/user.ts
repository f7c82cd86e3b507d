import type { Command } from "commander";
import type { Config } from "#app/config.ts";
import { baseUrl } from "#app/base-url.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { withLedger } from "#cli/terminal/open.ts";
import { timeText } from "#base/time-text.ts";
import { currentActor, print, printJson, say, table } from "#cli/terminal/output.ts";
import { RUN_ON_LEDGER_MACHINE, localOnly } from "#cli/terminal/server-options.ts";
import type { CreatedLink } from "#flows/people/links.ts";
import type { OpenLedger } from "#app/open-ledger.ts";

/**
 * Commands for the operator of the machine: the way in when nobody can sign in. Each use is
 * recorded in the audit log.
 */
export function userCommands(program: Command): void {
  const user = localOnly(program.command("user"), RUN_ON_LEDGER_MACHINE).description(
    "list dashboard users, and create setup and password reset links",
  );
  user
    .command("setup-link")
    .description("print a link for creating the first admin; earlier links become invalid")
    .action(() => withLedger(newSetupLink));
  user
    .command("list")
    .description("list users, including disabled ones")
    .option("--json", "print JSON")
    .action(({ json }: { json?: boolean }) => withLedger((open) => list(json === true, open)));
  user
    .command("reset-link <email>")
    .description("print a link that lets a locked-out user set a new password")
    .option("--drop-totp", "also remove the user's lost second factor and end their sessions")
    .action((email: string, { dropTotp = false }: { dropTotp?: boolean }) =>
      withLedger((open) => newResetLink(email, dropTotp, open)),
    );
}

/**
 * Returns the setup link, which is new at every start of a server without users. Null: there are
 * users.
 */
export async function setupUrl(
  { ledger, config }: Pick<OpenLedger, "ledger" | "config">,
  base = baseUrl(config),
): Promise<string | null> {
  const { setupLink } = await import("#flows/people/links.ts");
  const { systemClock } = await import("#base/clock.ts");
  const link = await setupLink(currentActor(), { ledger, clock: systemClock });
  return link && `${base}/setup#${link.token.reveal()}`;
}

async function newSetupLink(open: OpenLedger): Promise<void> {
  const url = await setupUrl(open);
  if (!url) {
    throw new CliError(
      EXIT.conflict,
      "Users already exist. An admin can invite others. For a locked-out user: payrun user reset-link EMAIL",
    );
  }
  printLink(url);
}

async function list(json: boolean, { database }: OpenLedger): Promise<void> {
  const { listUsers } = await import("#ledger/people/users.ts");
  const users = await listUsers(database);
  if (json) return printJson(users);
  if (users.length === 0)
    return say("There are no users yet. To create the first admin: payrun user setup-link");
  const rows = users.map(({ name, email, roles, state, hasTotp, seenAt }) => {
    const seen = seenAt === null ? "never" : timeText(seenAt);
    return [name, email, roles.join(", "), state, hasTotp ? "on" : "off", seen];
  });
  print(table([["NAME", "E-MAIL", "ROLES", "STATE", "SECOND FACTOR", "LAST SEEN"], ...rows]));
}

async function newResetLink(
  email: string,
  dropsTotp: boolean,
  { ledger, config }: OpenLedger,
): Promise<void> {
  const { resetLink } = await import("#flows/people/links.ts");
  const { systemClock } = await import("#base/clock.ts");
  const user = await ledger.people.findAccount({ email });
  if (!user)
    throw new CliError(
      EXIT.notFound,
      `No user has the e-mail address ${email}. To list the users: payrun user list`,
    );
  const deps = { ledger, clock: systemClock };
  const made = await resetLink({ userId: user.id, dropsTotp }, currentActor(), deps);
  if (!made.ok)
    throw new CliError(
      EXIT.conflict,
      `${user.name} is disabled. An admin must enable the account first.`,
    );
  printLink(linkUrl(config, made.value));
}

const linkUrl = (config: Config, { token }: CreatedLink): string =>
  `${baseUrl(config)}/invite#${token.reveal()}`;

function printLink(url: string): void {
  print(url);
  say(
    "The link works once and expires after 24 hours. Anyone who has the link gets access, so send it only to the intended user.",
  );
}
