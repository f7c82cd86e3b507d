/**
 * A running demo whose ledger has data for every page of the dashboard: finished, waiting and
 * faulty batches in several scripts, a deposit, a schedule and a comment.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

const ROOT = join(import.meta.dirname, "../..");

/** Batches that are paid before the first picture, and their names. */
const PAID = [
  ["thb.csv", "Bangkok suppliers"],
  ["jpy.csv", "Tokyo contractors"],
  ["cny.csv", "Shenzhen bonuses"],
  ["bdt.csv", "Dhaka couriers"],
  ["inr.csv", "Pune suppliers"],
] as const;

/**
 * Names of the sample files, and the same names in the script of their country. They also keep the
 * batch that awaits approval from being an exact duplicate.
 */
const LOCAL_NAMES = [
  ["Rahim Uddin", "রহিম উদ্দিন"],
  ["Nasrin Akter", "নাসরিন আক্তার"],
  ["Asha Verma", "आशा वर्मा"],
  ["Ravi Nair", "रवि नायर"],
  ["Meena Pillai", "मीना पिल्लई"],
  ["Sunil Rao", "सुनील राव"],
  ["Divya Menon", "दिव्या मेनन"],
] as const;

/** A user of the demo, signed in. */
export interface DemoSession {
  readonly url: string;
  /** The value of the cookie `payrun`. */
  readonly token: string;
  /** Sends a request to the API. Throws the problem text of a refusal. */
  readonly call: (method: string, path: string, body?: unknown) => Promise<Answer>;
}

type Answer = Readonly<Record<string, unknown>>;

/** The demo with its data. */
export interface FilledDemo {
  readonly maker: DemoSession;
  readonly checker: DemoSession;
  /** IDs and codes that addresses of pages contain. */
  readonly ids: PageIds;
  close(): Promise<void>;
}

export interface PageIds {
  readonly finished: string;
  readonly waiting: string;
  readonly faulty: string;
  readonly declined: string;
  readonly settled: string;
  /** The lane of the settled payout. */
  readonly lane: string;
  readonly deposit: string;
  /** The payer's page of the deposit. */
  readonly payPage: string;
}

/** Starts the demo in a temporary folder and fills its ledger. */
export async function openFilledDemo(): Promise<FilledDemo> {
  const place = mkdtempSync(join(tmpdir(), "payrun-filled-demo-"));
  const demo = spawn(join(ROOT, "payrun"), ["demo"], {
    env: { ...process.env, PAYRUN_DATA: place, PORT: "0" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const close = async (): Promise<void> => {
    if (demo.exitCode === null) {
      const ended = new Promise((resolve) => demo.once("exit", resolve));
      demo.kill("SIGINT");
      await ended;
    }
    rmSync(place, { recursive: true, force: true });
  };
  try {
    const [maker, checker] = await sessionsOf(demo.stderr);
    return { maker, checker, ids: await fill(maker, checker), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Signs in with the two links that the demo prints when it is ready. */
async function sessionsOf(output: Readable): Promise<readonly [DemoSession, DemoSession]> {
  const links: URL[] = [];
  for await (const line of createInterface({ input: output })) {
    const link = /^ +(http:\S+\/enter#\S+)$/.exec(line)?.[1];
    if (link) links.push(new URL(link));
    if (links.length === 2) break;
  }
  // A full pipe would block the demo.
  output.resume();
  const [maker, checker] = links;
  if (!maker || !checker) throw new Error("the demo did not start");
  return [await signIn(maker), await signIn(checker)];
}

async function signIn({ origin, hash }: URL): Promise<DemoSession> {
  const { email, password } = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  const answer = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  const { csrf_token: csrf } = (await answer.json()) as { csrf_token: string };
  const token = /payrun=([^;]+)/.exec(answer.headers.getSetCookie().join("\n"))?.[1] ?? "";
  const call: DemoSession["call"] = async (method, path, body) => {
    const isFile = body instanceof Buffer;
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        cookie: `payrun=${token}`,
        "x-payrun-csrf": csrf,
        ...(body !== undefined && {
          "content-type": isFile ? "text/csv" : "application/json",
        }),
      },
      ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  await call("POST", "/api/session/step-up", { password });
  return { url: origin, token, call };
}

async function fill(maker: DemoSession, checker: DemoSession): Promise<PageIds> {
  const paid: string[] = [];
  for (const [file, name] of PAID) paid.push(await pay(file, name, maker, checker));
  for (const id of paid) await waitUntilFinished(id, checker);
  const batches = itemsOf(await checker.call("GET", "/api/batches"));
  const batchIn = (state: string): string =>
    String(batches.find((batch) => batch["state"] === state)?.["batch_id"]);
  const finished = batchIn("finished_with_exceptions");
  const payoutIn = async (state: string): Promise<string> =>
    String(
      itemsOf(await checker.call("GET", `/api/payouts?batch=${finished}&state=${state}`))[0]?.[
        "code"
      ],
    );
  const settled = await payoutIn("settled");
  await maker.call("POST", "/api/comments", {
    batch: finished,
    text: "The bank has confirmed the new account numbers. Please retry the declined payouts.",
  });
  await maker.call("POST", "/api/schedules", {
    name: "Bangkok suppliers, monthly",
    calendar: {
      rule: { every: "last_working_day" },
      time: "09:00",
      zone: "Asia/Bangkok",
      holidays: "THB",
    },
    list: paid[0],
  });
  return {
    finished,
    waiting: batchIn("awaiting_approval"),
    faulty: batchIn("needs_correction"),
    declined: await payoutIn("declined"),
    settled,
    lane: String((await checker.call("GET", `/api/payouts/${settled}`))["lane"]),
    ...(await requestDeposit(maker)),
  };
}

const itemsOf = (answer: Answer): readonly Answer[] => answer["items"] as readonly Answer[];

/** Uploads a sample file, sends it for approval, and approves it with its own totals. */
async function pay(
  file: string,
  name: string,
  maker: DemoSession,
  checker: DemoSession,
): Promise<string> {
  const fileName = `${name.toLowerCase().replaceAll(" ", "-")}.csv`;
  const query = new URLSearchParams({ file_name: fileName, amounts: "plain" });
  const sample = readFileSync(join(ROOT, "samples", file), "utf8");
  const bytes = Buffer.from(
    LOCAL_NAMES.reduce((text, [latin, local]) => text.replaceAll(latin, local), sample),
  );
  const { batch } = await maker.call("POST", `/api/batches?${query.toString()}`, bytes);
  const id = String((batch as Answer)["batch_id"]);
  const details = { name, purpose: "Invoices", leave_out: true };
  await maker.call("POST", `/api/batches/${id}/request-approval`, details);
  const sheet = await checker.call("GET", `/api/batches/${id}/approval`);
  const totals = (sheet["totals"] as readonly Answer[]).map(({ currency, amount }) => ({
    currency,
    amount,
  }));
  const { to_acknowledge } = sheet["anomalies"] as Answer;
  const findings = to_acknowledge as readonly Answer[];
  await checker.call("POST", `/api/batches/${id}/approve`, {
    content_digest: sheet["content_digest"],
    totals,
    acknowledged: findings.map(({ finding, rows }) => ({ finding, rows })),
  });
  return id;
}

/** Time limit for a sample batch to finish. */
const FINISHED_MS_MAX = 120_000;

async function waitUntilFinished(id: string, { call }: DemoSession): Promise<void> {
  const until = Date.now() + FINISHED_MS_MAX;
  while (Date.now() < until) {
    const { state } = await call("GET", `/api/batches/${id}`);
    if (String(state).startsWith("finished")) return;
    await sleep(500);
  }
  throw new Error(`batch ${id} did not finish`);
}

async function requestDeposit(maker: DemoSession): Promise<Pick<PageIds, "deposit" | "payPage">> {
  const { code } = await maker.call("POST", "/api/deposits", {
    currency: "BDT",
    amount: "1500.00",
    user_id: "u-1042",
    deposit_name: "Rahim Uddin",
    phone: "01812345678",
  });
  const { pay_url: payPage } = await maker.call("GET", `/api/deposits/${String(code)}/pay-url`);
  return { deposit: String(code), payPage: String(payPage) };
}
