import type { Command } from "commander";
import { RECONCILIATION_EXAMPLES } from "#cli/app/reconciliation-examples.ts";
import { BATCH, BATCH_EXAMPLES, type Examples } from "#cli/app/batch-examples.ts";
import { PAYOUT, PAYOUT_EXAMPLES } from "#cli/app/payout-examples.ts";
import { SCHEDULE_EXAMPLES } from "#cli/app/schedule-examples.ts";

// Invented, in the form of real ones.
const DEPOSIT = "PD5J9RY3N8MD2VA4XPC7";
const ARCHIVE = "payrun-archive-2024-12-31-AR7QK2M4N8PX.zip";
const LANE = "SKU20260101000005/INR";

export const EXAMPLES: Examples = {
  "": [
    ["payrun demo", "Try payrun without a gateway or real money"],
    ["payrun doctor", "Check that this machine is ready to send payouts"],
    ["payrun pay november.csv --total INR=125000.00", "Pay a file with a known total"],
  ],
  demo: [
    ["payrun demo", "Pay a sample batch and keep the dashboard running"],
    ["payrun demo --once", "Pay a sample batch and exit"],
  ],
  init: [
    ["payrun init", "Answer four questions and write .env"],
    [
      "payrun init --gateway-url https://gateway.example.com --merchants merchants.json",
      "Write .env without being asked about the gateway",
    ],
  ],
  archive: [["payrun archive list", "List the archives that the ledger knows"]],
  "archive create": [
    [
      "payrun archive create --year 2024 --out archives",
      "Archive the batches up to the end of 2024",
    ],
  ],
  "archive list": [["payrun archive list", "List the archives that the ledger knows"]],
  "archive verify": [[`payrun archive verify ${ARCHIVE}`, "Verify a file with the ledger"]],
  "archive show": [
    [`payrun archive show ${ARCHIVE}`, "List the batches in a file"],
    [`payrun archive show ${ARCHIVE} --code ${PAYOUT}`, "Show a payout with its course"],
  ],
  "archive detach": [[`payrun archive detach ${ARCHIVE}`, "Remove the archived rows as agreed"]],
  "archive restore": [[`payrun archive restore ${ARCHIVE}`, "Put the rows back into the ledger"]],
  retention: [["payrun retention list", "List the retention rules"]],
  "retention list": [["payrun retention list", "List the retention rules"]],
  "retention set": [
    ["payrun retention set rejected_rows 400", "Keep rejected rows for 400 days"],
    ["payrun retention set deliveries off", "Keep the log of deliveries indefinitely"],
  ],
  "retention hold": [[`payrun retention hold --reason "case 12/2026"`, "Delete nothing for now"]],
  "retention release": [["payrun retention release", "End the legal hold"]],
  "retention run": [["payrun retention run --dry-run", "Count the rows that a run deletes"]],
  comment: [[`payrun comment list --batch ${BATCH}`, "Show the comments on a batch"]],
  "comment list": [[`payrun comment list --batch ${BATCH}`, "Show the comments on a batch"]],
  "comment add": [
    [
      `payrun comment add "@Chen Wei, line 14 is right" --batch ${BATCH}`,
      "Write a comment that notifies Chen Wei",
    ],
    [`payrun comment add "Confirmed by phone" --payout ${PAYOUT}`, "Comment on one payout"],
  ],
  login: [
    ["payrun login https://pay.example", "Enter an API key and store it"],
    ["payrun login https://pay.example --api-key-file payrun.key", "Store the API key from a file"],
  ],
  logout: [["payrun logout https://pay.example", "Delete the stored API key"]],
  config: [["payrun config show", "See which settings payrun uses"]],
  "config show": [["payrun config show --all", "List every variable, set or not"]],
  completion: [
    [
      "payrun completion bash > ~/.local/share/bash-completion/completions/payrun",
      "Enable command completion in new bash sessions",
    ],
    [
      "payrun completion fish > ~/.config/fish/completions/payrun.fish",
      "Enable command completion in fish",
    ],
  ],
  serve: [
    ["payrun serve", "Run the dashboard, API and workers on port 3000"],
    [
      "payrun serve --port 8080 --no-workers",
      "Run only the HTTP server; run payrun worker separately",
    ],
  ],
  worker: [["payrun worker", "Run workers without the HTTP server"]],
  template: [
    ["payrun template INR > payouts.csv", "Save a CSV template"],
    ["payrun template INR --xlsx > payouts.xlsx", "Save a workbook template"],
  ],
  lane: [
    ["payrun lane list", "See which lanes are sending and which are not"],
    ['payrun lane pause all --reason "bank holiday"', "Stop all sending"],
  ],
  "lane list": [["payrun lane list", "See which lanes are sending and which are not"]],
  "lane show": [[`payrun lane show ${LANE}`, "See why a lane is not sending"]],
  "lane limit": [
    [
      `payrun lane limit ${LANE} --rate 20/s --concurrency 8 --reason "new contract"`,
      "Limit a lane to 20 payouts per second and 8 concurrent requests",
    ],
    [
      `payrun lane limit ${LANE} --rate none --reason "no longer needed"`,
      "Remove the per-second limit",
    ],
  ],
  "lane pause": [
    ['payrun lane pause INR --reason "the bank called"', "Pause the INR lane until you resume it"],
    [
      'payrun lane pause all --drain --until 2026-12-31T17:00:00Z --reason "year end"',
      "Finish the batches being sent, but do not start new ones until 31 December",
    ],
  ],
  "lane resume": [
    [`payrun lane resume ${LANE} --reason "the bank confirmed"`, "Resume one lane"],
    ['payrun lane resume all --reason "maintenance is finished"', "End the pause on all lanes"],
  ],
  "lane restart": [
    [
      `payrun lane restart ${LANE} --reason "new key"`,
      "Restart a lane that a circuit breaker stopped",
    ],
  ],
  limit: [
    ["payrun limit set day INR 5000000.00", "Allow at most INR 5,000,000 per day"],
    ["payrun limit headroom", "See how much can still be approved"],
  ],
  "limit list": [["payrun limit list", "List the payout limits"]],
  "limit headroom": [
    ["payrun limit headroom --query", "Query the balances, then show how much can be approved"],
  ],
  "limit set": [
    ["payrun limit set day INR 5000000.00", "Allow at most INR 5,000,000 per day"],
    [
      "payrun limit set batch INR 1000000.00 --soft",
      "Require one more approver for batches above INR 1,000,000",
    ],
  ],
  "limit remove": [["payrun limit remove day INR", "Remove the daily limit"]],
  "limit rules": [
    [
      "payrun limit rules --zone Asia/Kolkata --when-short refuse",
      "Count days in Indian time, and refuse batches above the known balance",
    ],
  ],
  ...PAYOUT_EXAMPLES,
  status: [
    [`payrun status ${PAYOUT}`, "Compare a payout's states at the gateway and in the ledger"],
    ["payrun status OLD-0042 --currency INR", "Query a transaction code that is not in the ledger"],
  ],
  deposit: [
    [
      'payrun deposit create --currency INR --amount 500.00 --user U-1 --name "Asha Rao"',
      "Request a deposit of INR 500",
    ],
    [`payrun deposit show ${DEPOSIT}`, "See whether the money has arrived"],
  ],
  "deposit create": [
    [
      'payrun deposit create --currency INR --amount 500.00 --user U-1 --name "Asha Rao"',
      "Request a deposit of INR 500",
    ],
    [
      'payrun deposit create --currency BDT --amount 500 --user U-2 --name "Nila Das" --phone 01712345678 --key order-77',
      "Request the deposit only once, even if you run the command again",
    ],
  ],
  "deposit krw-account": [
    [
      `payrun deposit krw-account ${DEPOSIT} --bank shinhan_kr --account 12345678901`,
      "Send the payer's bank account to the gateway",
    ],
  ],
  "deposit show": [[`payrun deposit show ${DEPOSIT}`, "See whether the money has arrived"]],
  "deposit link": [[`payrun deposit link ${DEPOSIT}`, "Print the link to send to the payer"]],
  "deposit list": [
    [
      "payrun deposit list --state awaiting_payment,on_hold --currency INR",
      "List deposits awaiting payment or a decision",
    ],
  ],
  "deposit query": [[`payrun deposit query ${DEPOSIT}`, "Query the status at the gateway now"]],
  "deposit resolve": [
    [
      `payrun deposit resolve ${DEPOSIT} --received 500.00 --reason "statement of 3 May"`,
      "Record that INR 500 arrived; if payrun has users, an approver confirms it",
    ],
    [
      `payrun deposit resolve ${DEPOSIT} --not-received --reason "statement of 3 May"`,
      "Record that no money arrived; if payrun has users, an approver confirms it",
    ],
  ],
  schedule: [
    [
      "payrun schedule next --every month --on 25 --time 09:00 --zone Asia/Kolkata",
      "Preview the dates of a monthly rule",
    ],
    ["payrun schedule list", "List the schedules"],
  ],
  simulator: [
    ["payrun simulator", "Run a simulated gateway on port 4010"],
    [
      "payrun simulator --port 0 --declines 0.1 --settle-ms 500",
      "Decline one payout in ten, and settle the others quickly",
    ],
  ],
  export: [["payrun export > ledger.jsonl", "Save a snapshot of the ledger"]],
  migrate: [["payrun migrate", "Migrate the ledger before starting a new version"]],
  audit: [["payrun audit verify", "Verify the whole audit log"]],
  "audit verify": [
    ["payrun audit verify", "Verify the whole audit log"],
    [
      'payrun audit verify --checkpoint "$CHECKPOINT"',
      "Also verify that the log still contains a saved checkpoint",
    ],
  ],
  user: [["payrun user setup-link", "Create the first admin of a new installation"]],
  "user setup-link": [["payrun user setup-link", "Create the first admin of a new installation"]],
  "user list": [["payrun user list", "List users with their roles"]],
  "user reset-link": [
    ["payrun user reset-link asha@example.com", "Let a user set a new password"],
    [
      "payrun user reset-link asha@example.com --drop-totp",
      "Also remove the user's lost second factor",
    ],
  ],
  freeze: [
    ['payrun freeze --reason "restored from a backup"', "Stop sending payouts after a restore"],
  ],
  unfreeze: [
    [
      'payrun unfreeze --reason "all payouts queried"',
      "Resume sending payouts (prompts for each decision)",
    ],
    [
      `payrun unfreeze --reason "compared with the gateway" --yes --keep ${BATCH}`,
      "Resume sending payouts, but keep one batch in quarantine",
    ],
  ],
  key: [["payrun key rotate --to new.key", "Re-encrypt the ledger with a new PAYRUN_KEY"]],
  "key public": [["payrun key public", "Print the public key for the receivers of evidence packs"]],
  evidence: [
    [
      `payrun evidence ${PAYOUT}`,
      "Create a pack that shows a supplier what is recorded about a payout",
    ],
    [
      `payrun evidence ${BATCH} --checkpoint "$CHECKPOINT"`,
      "Create a pack of a batch that receivers can check with a published root",
    ],
  ],
  verify: [
    [`payrun verify ${PAYOUT}-evidence.zip --key "$PUBLIC_KEY"`, "Verify a pack that you received"],
  ],
  erase: [[`payrun erase person ${PAYOUT} --reason "request 12"`, "Erase the person of a payout"]],
  "erase person": [
    [`payrun erase person ${PAYOUT} --reason "request 12"`, "Erase the person of a payout"],
  ],
  "erase list": [["payrun erase list", "Show which erasures a key rotation completes"]],
  "key export": [["payrun key export keys.json", "Write the keys to a file for your backups"]],
  "key import": [["payrun key import keys.json", "Open a backup from before the last rotation"]],
  "key rotate": [["payrun key rotate --to new.key", "Re-encrypt the ledger with a new PAYRUN_KEY"]],
  doctor: [
    ["payrun doctor", "Check everything payrun needs"],
    ["payrun doctor --json", "Print the findings as JSON for a monitoring system"],
  ],
  ...BATCH_EXAMPLES,
  ...RECONCILIATION_EXAMPLES,
  ...SCHEDULE_EXAMPLES,
};

/** Adds the examples of each command to its help. */
export function addExamples(command: Command, path = ""): void {
  const texts = (EXAMPLES[path] ?? []).map(([line, does]) => `  # ${does}\n  ${wrapped(line)}`);
  if (texts.length > 0) command.addHelpText("after", `\nExamples:\n${texts.join("\n\n")}`);
  for (const child of command.commands) addExamples(child, `${path} ${child.name()}`.trim());
}

const WIDTH = 76;

/** Breaks a long line before its options, in a form that a shell reads as one line. */
function wrapped(line: string): string {
  let text = "";
  for (const part of line.split(/ (?=--)/)) {
    const last = text.slice(text.lastIndexOf("\n") + 1);
    const fits = `${last} ${part}`.length <= WIDTH;
    text += text === "" ? part : `${fits ? " " : " \\\n    "}${part}`;
  }
  return text;
}
