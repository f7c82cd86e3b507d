import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { say } from "#cli/terminal/output.ts";
import { askSecret, hasTerminal } from "#cli/terminal/prompt.ts";
import type { Secret } from "#base/secret.ts";

/** Adds `payrun login` and `payrun logout` to the program. */
export function loginCommands(program: Command): void {
  program
    .command("login")
    .argument("<url>", "URL of the payrun server, such as https://pay.example")
    .description(
      "check an API key with a server, and store the key for your user account on this machine",
    )
    .option(
      "--api-key-file <file>",
      "file with the API key (default: prompt for the key, or read it from standard input)",
    )
    .action(login);
  program
    .command("logout")
    .argument("<url>", "URL of the payrun server")
    .description("delete the API key stored for a server; the key itself stays valid")
    .action(logout);
}

async function login(address: string, { apiKeyFile }: { readonly apiKeyFile?: string }) {
  const { baseOf, keyIn, Server } = await import("#cli/terminal/server.ts");
  const base = baseOf(urlOf(address));
  const key = await (apiKeyFile === undefined ? enteredKey() : keyIn(apiKeyFile));
  const { person } = await new Server({ base, key }).call("GET /api/session");
  if (person === null) throw new CliError(EXIT.notAllowed, `${base} does not accept this API key.`);
  const { storeKey } = await import("#cli/terminal/stored-keys.ts");
  const path = storeKey(base, key);
  say(
    `The key "${person.name}" is stored in ${path}, readable only by you. Its permissions: ${person.permissions.join(", ") || "none"}.`,
  );
  say(`To use the server, add --server ${base} to a command, or run: export PAYRUN_SERVER=${base}`);
}

async function logout(address: string): Promise<void> {
  const { baseOf } = await import("#cli/terminal/server.ts");
  const { removeKey } = await import("#cli/terminal/stored-keys.ts");
  const base = baseOf(urlOf(address));
  if (!removeKey(base)) {
    throw new CliError(EXIT.notFound, `No API key is stored for ${base}. No changes were made.`);
  }
  say(
    `The API key stored for ${base} was deleted. If the key is no longer used anywhere, revoke it under Settings → API keys.`,
  );
}

async function enteredKey(): Promise<Secret> {
  const { keyFrom } = await import("#cli/terminal/server.ts");
  if (!hasTerminal()) return keyFrom(await text(process.stdin), "Standard input");
  say("Create an API key on the dashboard, under Settings → API keys.");
  return keyFrom(await askSecret("API key (not shown): "), "Your input");
}

function urlOf(address: string): string {
  if (URL.canParse(address) && /^https?:/.test(address)) return address;
  throw new CliError(
    EXIT.usage,
    `${address} is not the URL of a server. Specify it with its protocol, such as https://pay.example.`,
  );
}
