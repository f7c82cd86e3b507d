/**
 * Prints the bytes of a sealed payout, and the processor time to seal and open it, as JSON under a
 * key of the ledger (before) and as compact text under the key of its account.
 *
 *     node bench/growth/sealed-rows.ts
 */
import { randomBytes } from "node:crypto";
import { Secret } from "#base/secret.ts";
import type { SealedPayout } from "#ledger/store/keys/compact-payout.ts";
import { openPayout, sealPayout } from "#ledger/store/sealed-rows.ts";
import { createSealer } from "#ledger/store/sealing.ts";

const ROWS = 100_000;

interface Row {
  readonly account: Buffer;
  readonly code: string;
  readonly payout: SealedPayout;
}

const rows = Array.from({ length: ROWS }, (_, at): Row => {
  const code = `PR${String(at).padStart(18, "0")}`;
  const account = String(50_100_000_000_000 + at);
  const [user, name, reference] = [`U-${at}`, `Asha Rao ${at % 977}`, `Salary November ${at}`];
  const details = {
    user_id: user,
    account_name: name,
    bank_account_number: account,
    ifsc_code: "HDFC0000001",
    bank_code: "HDFC",
    bank_name: "HDFC Bank",
  };
  const bank = ["HDFC0000001", "HDFC", "HDFC Bank"];
  const cells = [user, "INR", "12500.00", name, account, ...bank, code, reference];
  return {
    account: randomBytes(32),
    code,
    payout: { details, payoutCode: null, callbackUrl: null, reference, cells },
  };
});

/** Processor time of this process. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function measure(name: string, isUsed: boolean): void {
  const sealer = createSealer(new Secret(randomBytes(32).toString("hex")));
  sealer.subjects.isUsed = isUsed;
  const sealAll = () => rows.map(({ payout, ...subject }) => sealPayout(sealer, subject, payout));
  sealAll();
  const started = cpuMs();
  const sealed = sealAll();
  const between = cpuMs();
  rows.forEach(({ code }, at) => openPayout(sealer, code, sealed[at] as Buffer));
  const ended = cpuMs();
  const bytes = sealed.reduce((sum, { length }) => sum + length, 0) / ROWS;
  const micros = (ms: number) => ((ms * 1_000) / ROWS).toFixed(1);
  process.stdout.write(
    `${name}: ${bytes.toFixed(0)} bytes, seal ${micros(between - started)} µs, open ${micros(ended - between)} µs\n`,
  );
}

measure("JSON, key of the ledger", false);
measure("compact, key of the account", true);
