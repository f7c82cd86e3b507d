/** How fast the desk answers with a million payouts in the ledger, over HTTP, signed in. Embedded PostgreSQL. */
import { readConfig } from "#config.ts";
import { createApp } from "#http/app.ts";
import { sealAccount } from "#http/account-filter.ts";
import { deskOf } from "#http/desk.ts";
import type { Sealer } from "#ledger/sealed.ts";
import { openPayrun } from "#wiring.ts";
import { accountOf, fill, type Filled } from "./million.ts";
import { scratch, signIn, writeMerchants } from "./support.ts";

interface Asked {
  readonly name: string;
  readonly medianMs: number;
  readonly p95Ms: number;
}

const TARGET_MS = 150;
const TIMES = 40;
const WARM_UP = 5;

/** Each question with other words every time, as people ask. */
const questions = (
  { batchIds, working, waiting }: Filled,
  sealer: Sealer,
): Record<string, (turn: number) => string> => {
  const old = (turn: number) => batchIds[turn % 20] ?? "";
  const list = (query: string) => `/api/payouts?${query}`;
  return {
    "list, newest": () => list(""),
    "list, oldest": () => list("sort=oldest"),
    "list, last changed": () => list("sort=changed"),
    "state: settled": () => list("state=settled"),
    "state: in doubt": () => list("state=in_doubt"),
    "state: declined, held, returned": () => list("state=declined,held,returned"),
    cause: () => list("reason=resend_window_over"),
    currency: () => list("currency=INR"),
    "rare currency": () => list("currency=MYR"),
    "rare currency, declined": () => list("currency=MYR&state=declined"),
    amount: (turn) => list(`amount=${100 + turn * 13}`),
    "range of amounts": (turn) =>
      list(`amount_from=${turn * 50}&amount_to=${turn * 50 + 5}&currency=INR`),
    "name, two words": (turn) => list(`name=first${turn}%20last${turn}`),
    "name, very common": () => list("name=nguyen"),
    "name, very common, declined": () => list("name=nguyen&state=declined"),
    "name and amount": (turn) => list(`name=first${turn}&amount=${1_000 + turn}`),
    account: (turn) => list(`account=${sealAccount(sealer, accountOf(turn * 31))}`),
    "end of an account": (turn) => list(`account_last4=${accountOf(turn * 31).slice(-4)}`),
    "bank, declined": (turn) => list(`bank=BANK${turn % 40}&state=declined`),
    "gateway number": (turn) => list(`gateway_number=GW${turn * 1_001}`),
    "code, its beginning": (turn) => list(`code=PR${"0123456789ABCDEF"[turn % 16]}${turn % 10}`),
    "one batch": (turn) => list(`batch=${old(turn)}`),
    "the large batch, settled": () => list(`batch=${working}&state=settled`),
    "a line of the large batch": (turn) => list(`batch=${working}&line=${2 + turn * 997}`),
    "sent on a day": (turn) => {
      const at = Date.now() - (turn + 1) * 86_400_000;
      return list(
        `sent_from=${new Date(at).toISOString()}&sent_to=${new Date(at + 86_400_000).toISOString()}`,
      );
    },
    "search: name and amount": (turn) => `/api/search?q=first${turn}%20${1_000 + turn}`,
    "search: a word": (turn) => `/api/search?q=last${turn}`,
    "search: a number": (turn) => `/api/search?q=${accountOf(turn * 17)}`,
    batches: () => "/api/batches",
    "a batch": (turn) => `/api/batches/${old(turn)}`,
    "the large batch": () => `/api/batches/${working}`,
    home: () => "/api/home",
    failures: () => "/api/failures",
    "failures of a currency": () => "/api/failures?currency=INR",
    "failures of a batch": (turn) => `/api/failures?batch=${old(turn)}`,
    "charts of the large batch": () => `/api/batches/${working}/progress`,
    "timeline of a batch": (turn) => `/api/batches/${old(turn)}/timeline`,
    "what can be paid again": (turn) => `/api/batches/${old(turn)}/remainder`,
    approvals: () => "/api/approvals",
    "approval sheet": () => `/api/batches/${waiting}/approval`,
    "limits of a batch that waits": () => `/api/batches/${waiting}/limits`,
    "beside the last batch like it": () => `/api/batches/${waiting}/diff`,
    findings: () => `/api/batches/${waiting}/findings`,
    headroom: () => "/api/money-limits/headroom",
    operations: () => "/api/operations",
    rates: () => "/api/operations/rates",
    schedules: () => "/api/schedules",
    deposits: () => "/api/deposits",
    audit: () => "/api/audit",
  };
};

export async function measureDesk(payouts: number): Promise<readonly Asked[]> {
  const folder = scratch();
  const payrun = await openPayrun(
    readConfig({
      DATABASE_URL: "",
      REDIS_URL: "",
      PAYRUN_DATA: folder,
      GATEWAY_URL: "http://127.0.0.1:1",
      MERCHANTS_FILE: writeMerchants(folder),
      LOG_LEVEL: "warn",
    }),
  );
  const { database, ledger, log } = payrun;
  try {
    const filled = await fill(database, ledger, payouts);
    const desk = deskOf(payrun, "simulated");
    const app = createApp({ log, receiveCallback: async () => {}, health: async () => [], desk });
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    const headers = await signIn(database, ["operator", "uploader", "approver", "auditor"]);
    const all = Object.entries(questions(filled, payrun.sealer));
    const one = filled.batchIds[0] ?? "";
    const answer = await fetch(`${url}/api/payouts?batch=${one}&limit=${TIMES + WARM_UP}`, {
      headers,
    });
    const codes = ((await answer.json()) as { items: { code: string }[] }).items.map(
      ({ code }) => code,
    );
    all.push(["a payout", (turn) => `/api/payouts/${codes[turn]}`]);
    all.push(["search: a code", (turn) => `/api/search?q=${codes[turn]}`]);
    const asked: Asked[] = [];
    for (const [name, question] of all) {
      const took: number[] = [];
      for (let turn = 0; turn < TIMES + WARM_UP; turn++) {
        const startedMs = performance.now();
        const [path = "", q] = question(turn).split("/api/search?q=");
        const got =
          q === undefined
            ? await fetch(`${url}${path}`, { headers })
            : await fetch(`${url}/api/search`, {
                method: "POST",
                headers: { ...headers, "content-type": "application/json" },
                body: JSON.stringify({ q: decodeURIComponent(q) }),
              });
        await got.arrayBuffer();
        if (got.status !== 200) throw new Error(`${name}: HTTP ${got.status}`);
        if (turn >= WARM_UP) took.push(performance.now() - startedMs);
      }
      const sorted = took.toSorted((a, b) => a - b);
      const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
      const figure = { name, medianMs: at(0.5), p95Ms: at(0.95) };
      asked.push(figure);
      const mark = figure.p95Ms <= TARGET_MS ? " " : "!";
      process.stderr.write(
        `  ${mark} ${name.padEnd(34)} ${figure.medianMs.toFixed(0).padStart(6)} ms ${figure.p95Ms.toFixed(0).padStart(6)} ms\n`,
      );
    }
    await app.close();
    return asked;
  } finally {
    await payrun.close();
  }
}

export const slowest = (asked: readonly Asked[]): Asked =>
  asked.reduce((one, other) => (other.p95Ms > one.p95Ms ? other : one));
