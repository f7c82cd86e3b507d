import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { systemClock } from "#base/clock.ts";
import { cookieName, csrfToken } from "#http/server/person.ts";
import { createArchives } from "#ledger/integrity/archive/create-archive.ts";
import { openSession } from "#ledger/people/sessions.ts";
import { insertUser } from "#ledger/people/users.ts";
import type { Payrun } from "#app/wiring.ts";
import type { Installation } from "./installation.ts";
import type { PlantedPerson } from "./people.ts";

const HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name,phone_number,transaction_code,reference";

/** Transaction codes of a planted person. */
export interface PlantedCodes {
  readonly payouts: readonly string[];
  readonly deposit: string;
}

const codeOf = (person: PlantedPerson, kind: string): string =>
  `${kind}-${createHmac("sha256", "proof").update(person.account).digest("hex").slice(0, 10)}`;

/** Returns rows of a person: one to the account, one to the phone, and one that is rejected. */
function rowsOf(person: PlantedPerson): string[] {
  const { name, account, phone, userId, reference } = person;
  return [
    `${userId},INR,100.00,${name},${account},HDFC0000001,HDFC,HDFC Bank,,${codeOf(person, "INR")},${reference}`,
    `${userId},BDT,100.00,${name},${phone},,2001,BKASH,${phone},${codeOf(person, "BDT")},${reference}`,
    `${userId},INR,1e9,${name},${account},HDFC0000001,HDFC,HDFC Bank,,,${reference}`,
  ];
}

/** Pays a file, and creates everything else that a person's data is stored in. */
export async function plant(
  installation: Installation,
  people: readonly PlantedPerson[],
): Promise<Map<PlantedPerson, PlantedCodes>> {
  const other = "U-1,INR,100.00,Asha Rao,50100000000001,HDFC0000001,HDFC,HDFC Bank,,OTHER-1,kept";
  const lines = [HEADER, other, ...people.flatMap(rowsOf)];
  const file = join(installation.folder, "files", "payroll.csv");
  writeFileSync(file, `${lines.join("\n")}\n`);
  const totals = [`INR=${100 + people.length * 100}.00`, `BDT=${people.length * 100}.00`];
  const order = totals.flatMap((total) => ["--total", total]);
  const paid = await installation.command("pay", file, "--partial", "--json", ...order);
  const batchId = (JSON.parse(paid) as { batch_id: string }).batch_id;
  const planted = new Map<PlantedPerson, PlantedCodes>();
  const statementFile = await installation.whileServing(async (payrun, url) => {
    const call = await signedIn(payrun, url);
    for (const person of people) {
      const { name, account, userId, reference } = person;
      const payouts = [codeOf(person, "INR"), codeOf(person, "BDT")];
      const deposit = await call<{ code: string; payable: string }>("/api/deposits", {
        currency: "INR",
        amount: "500.00",
        user_id: userId,
        deposit_name: name,
        reference,
      });
      await pay(installation, payrun, deposit);
      await call("/api/comments", { batch: batchId, text: `${name} called about the payment` });
      await call("/api/comments", { payout: payouts[0], text: `The account is ${account}.` });
      await call("/api/views", {
        page: "payouts",
        name: `Search ${payouts[0]}`,
        filters: { text: name },
      });
      planted.set(person, { payouts, deposit: deposit.code });
    }
    await untilDepositsEnd(payrun);
    const folder = join(installation.folder, "archives");
    const order = { folder, until: new Date(Date.now() + 86_400_000), actor: "cli:proof" };
    await createArchives(order, {
      database: payrun.database,
      sealer: payrun.sealer,
      clock: systemClock,
    });
    return statement(installation, payrun);
  });
  const day = new Date().toISOString().slice(0, 10);
  const account = ["--lane", "INR", "--day", day, "--zone", "UTC"];
  await installation.command("reconcile", statementFile, ...account, "--confirm-mapping");
  return planted;
}

const merchantIn = ({ keyring }: Payrun) => keyring.forCurrency("INR")?.merchantCode ?? "";

/** The payer pays, on the simulator's page for its operators. */
async function pay(
  { gateway }: Installation,
  payrun: Payrun,
  { code, payable }: { readonly code: string; readonly payable: string },
): Promise<void> {
  const form = { merchant: merchantIn(payrun), code, action: "pay", amount: payable };
  const body = new URLSearchParams(form);
  const answer = await fetch(`${gateway.url}/operator`, {
    method: "POST",
    body,
    redirect: "manual",
  });
  if (answer.status !== 303) throw new Error(`not paid: ${answer.status} ${await answer.text()}`);
}

/** Waits until every deposit has its result, and payrun no longer queries it. */
async function untilDepositsEnd({ database }: Payrun): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const { rows } = await sql<{ state: string }>`
      select state from payrun.deposits
      where state not in ('completed', 'declined') or due_at is not null`.execute(database);
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("the deposits have no result");
}

/** Downloads the statement of today. */
async function statement(installation: Installation, payrun: Payrun): Promise<string> {
  const day = new Date().toISOString().slice(0, 10);
  const asked = new URLSearchParams({ merchant: merchantIn(payrun), currency: "INR", day });
  const answer = await fetch(`${installation.gateway.url}/statement?${asked.toString()}`);
  const file = join(installation.folder, "files", "statement.csv");
  writeFileSync(file, await answer.text());
  return file;
}

/** Returns a caller of the API: a user who may collect and comment, but not approve. */
async function signedIn({ database }: Payrun, url: string) {
  const at = new Date();
  const user = {
    email: "proof@example.test",
    name: "Proof",
    roles: ["operator", "uploader"] as const,
  };
  const userId = await insertUser(database, { ...user, at });
  const visit = { userId, secure: false, address: "127.0.0.1", agent: "proof", at };
  const token = (await openSession(database, visit)).token.reveal();
  let requests = 0;
  return async <T>(path: string, body: object): Promise<T> => {
    const answer = await fetch(url + path, {
      method: "POST",
      headers: {
        cookie: `${cookieName(false)}=${token}`,
        "x-payrun-csrf": csrfToken(token),
        "content-type": "application/json",
        "idempotency-key": `proof-${(requests += 1)}`,
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
}
