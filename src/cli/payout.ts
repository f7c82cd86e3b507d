import type { Command } from "commander";
import { CliError, EXIT } from "#cli/exit.ts";
import { withLedger, withPayrun } from "#cli/open.ts";
import { print, printJson, table } from "#cli/output.ts";
import { formatMoney } from "#money/format.ts";
import { REASONS, reasonCode } from "#payout/reasons.ts";
import { STATES } from "#payout/lifecycle.ts";
import type { Story } from "#ledger/story.ts";
import type { OpenLedger, Payrun } from "#wiring.ts";

export function payoutCommands(program: Command): void {
  program
    .command("payout")
    .description("look at one payout")
    .command("show")
    .argument("<code>", "its transaction code")
    .description("the whole story of a payout, attempt by attempt")
    .option("--json", "print JSON")
    .action((code: string, options: { json?: boolean }) =>
      withLedger((open) => show(code, options, open)),
    );

  program
    .command("status")
    .argument("<code>", "a transaction code")
    .description("ask the gateway now; changes nothing")
    .option("--json", "print JSON")
    .option("--currency <CUR>", "for a code that is not in the ledger")
    .action((code: string, options: { json?: boolean; currency?: string }) =>
      withPayrun((payrun) => status(code, options, payrun)),
    );
}

async function show(
  code: string,
  { json }: { json?: boolean },
  { database, sealer }: OpenLedger,
): Promise<void> {
  const { storyOf } = await import("#ledger/story.ts");
  const story = await storyOf(database, sealer, code);
  if (!story) throw new CliError(EXIT.notFound, `There is no payout ${code} in this ledger.`);
  if (!json) return printStory(story);
  const { money, ...rest } = story;
  printJson({ ...rest, currency: money.currency, amount: formatMoney(money) });
}

function printStory(story: Story): void {
  const why = reasonCode(story.reason);
  print(
    `${story.transactionCode}  ${story.money.currency} ${formatMoney(story.money)}  ${story.state}`,
  );
  print(`Has money moved? ${STATES[story.state].moved}. ${capital(STATES[story.state].means)}.`);
  if (story.reason) print(why ? `${story.reason}\n  ${REASONS[why]}` : story.reason);
  const facts = {
    batch: `${story.batchId}, line ${story.line}`,
    lane: story.lane,
    "gateway number": story.gatewayNumber ?? "none yet",
    ...(story.reference ? { reference: story.reference } : {}),
    ...story.beneficiary,
  };
  print(table(Object.entries(facts)));
  print("");
  const events = [
    ...story.transitions.map(({ at, event, from, to, reason, actor }) => ({
      at,
      what: `${event}: ${from} → ${to}`,
      detail: [reason, actor].filter(Boolean).join(" · "),
    })),
    ...story.attempts.map(({ openedAt, number, keyId, worker }) => ({
      at: openedAt,
      what: `attempt ${number} on record`,
      detail: `key ${keyId} · ${worker}`,
    })),
    ...story.evidence.map(({ at, kind, attempt, facts: said }) => ({
      at,
      what: attempt === null ? kind : `${kind} to attempt ${attempt}`,
      detail: Object.entries(said)
        .filter(([, value]) => value !== null && value !== "")
        .map(
          ([name, value]) =>
            `${name}=${typeof value === "number" ? Math.round(value) : String(value)}`,
        )
        .join(" "),
    })),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime());
  print(table(events.map(({ at, what, detail }) => [at.toISOString(), what, detail])));
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

async function status(
  code: string,
  { json, currency }: { json?: boolean; currency?: string },
  { ledger, gateway, keyring }: Payrun,
): Promise<void> {
  const known = await ledger.questionAbout(code);
  const paidIn = currency ?? known?.money.currency;
  if (!paidIn) {
    throw new CliError(
      EXIT.notFound,
      `There is no payout ${code} in this ledger. To ask all the same, say its currency: --currency INR`,
    );
  }
  if (!keyring.forCurrency(paidIn)) {
    const known = [...new Set(keyring.all.flatMap(({ currencies }) => currencies))].sort();
    throw new CliError(
      EXIT.usage,
      `No merchant is configured for ${paidIn}. There are merchants for ${known.join(", ")}.`,
    );
  }
  const { answer, evidence } = await gateway.status(paidIn, code);
  if (answer.kind === "no_answer") process.exitCode = EXIT.unreachable;
  if (answer.kind === "not_found") process.exitCode = EXIT.notFound;
  if (json)
    printJson({ transaction_code: code, our_state: known?.state ?? null, ...answer, evidence });
  else if (answer.kind === "not_found") print(`The gateway does not show ${code}: ${answer.text}`);
  else if (answer.kind === "no_answer") print(`No usable answer: ${answer.text}`);
  else {
    const { state, amount, currency: paid, gatewayNumber, fee } = answer.record;
    print(
      table([
        ["gateway says", state],
        ["amount", `${paid} ${amount}`],
        ["gateway number", gatewayNumber ?? "none"],
        ["fee", fee ?? "none"],
        ["our state", known?.state ?? "not in this ledger"],
      ]),
    );
  }
}
