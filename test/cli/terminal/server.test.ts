/** Commands against a server: with an API key and without access to the ledger. */
import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { totalsOf } from "#flows/approval/approve.ts";
import { approveAs } from "#flows/approval/record-approval.ts";
import { KEY_SCOPES, type KeyScope, type Role } from "#people/roles.ts";
import { signedIn, workingKey } from "../../support/dashboard/server.ts";
import { startSetup, type Setup } from "../../support/journey.ts";
import { openTestLedger, type TestLedger } from "../../support/ledger.ts";
import {
  documentOf,
  type Ended,
  fileText,
  makeFile,
  runHere,
  runPayrun,
  type Running,
  startPayrun,
} from "../../support/servers/payrun.ts";
import { freePort } from "../../support/servers/ports.ts";

let setup: Setup;
let ledger: TestLedger;
let server: Running;
let url: string;
let approverId: string;
/** File of a key with every scope that keys can have. */
let keyFile: string;
let batchId: string;

const here = (words: string): Promise<Ended> => runHere(words.split(" "), setup.env);
/** Without DATABASE_URL and PAYRUN_KEY only the server can answer. */
const there = (words: string, key = keyFile): Promise<Ended> =>
  runHere([...words.split(" "), "--server", url, "--api-key-file", key]);
const jsonOf = ({ code, stdout, stderr }: Ended): unknown => {
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
};

const newUser = (role: Role) => signedIn({ database: ledger.database, clock: systemClock }, [role]);

async function newKey(scopes: readonly KeyScope[]): Promise<{ file: string; id: string }> {
  const world = { database: ledger.database, clock: systemClock };
  const { id, token } = await workingKey(world, scopes);
  return { file: fileOf(`${id}.key`, `${token.reveal()}\n`), id };
}

let files = 0;
function fileOf(name: string, content: string): string {
  const path = join(setup.folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

beforeAll(async () => {
  setup = await startSetup("postgres", { faults: [{ fault: "code_121", code: "REFUSED*" }] });
  const { path, totals } = makeFile(setup.folder, [{ code: "REFUSED-1" }, { code: "GOOD-1" }]);
  batchId = documentOf(await runPayrun(["pay", path, "--json", ...totals], setup.env)).batch_id;
  server = startPayrun(["serve"], { ...setup.env, PORT: "0" });
  [, url = ""] = await server.says(/listening at (http:\S+);/);
  ledger = await openTestLedger(setup.env["DATABASE_URL"]);
  approverId = (await newUser("approver")).userId;
  keyFile = (await newKey(KEY_SCOPES)).file;
});
afterAll(async () => {
  await server.end("SIGTERM");
  await ledger.close();
  await setup.stop();
});

describe("the same documents as on the ledger's machine", () => {
  test.each([
    "batch list --json",
    "batch show BATCH --json",
    "batch report BATCH",
    "batch report BATCH --json",
    "payout show GOOD-1 --json",
    "payout show GOOD-1",
    "lane list --json",
    "batch show BATCH",
  ])("%s", async (words) => {
    const asked = words.replace("BATCH", batchId);
    const [local, remote] = await Promise.all([here(asked), there(asked)]);
    expect(local.code).toBe(0);
    // The order of the members of a document has no meaning.
    const told = ({ stdout }: Ended) =>
      words === "payout show GOOD-1 --json" ? (JSON.parse(stdout) as object) : stdout;
    expect({ ...remote, stdout: told(remote) }).toEqual({ ...local, stdout: told(local) });
  });

  test("verifies the server's audit log on the client", async () => {
    expect(jsonOf(await there("audit verify --json"))).toMatchObject({
      intact: true,
      latest_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test("takes server and key from the environment", async () => {
    const env = { PAYRUN_SERVER: url, PAYRUN_API_KEY_FILE: keyFile };
    const listed = await runHere(["batch", "list", "--json"], env);
    expect(jsonOf(listed)).toMatchObject([{ batch_id: batchId }]);
  });
});

describe.each([
  ["on a server", there],
  ["on the ledger's machine", here],
])("a file, %s,", (_where, run) => {
  test("is uploaded, corrected, sent for approval, and watched until it is paid", async () => {
    const rows = [{ amount: "12.50" }, { amount: "wrong" }];
    const path = fileOf(`${files++}.csv`, fileText(rows));
    const created = await run(`batch create ${path} --total INR=20 --priority urgent --json`);
    expect([created.code, created.stderr]).toEqual([3, expect.stringMatching(/amount.*line 3/s)]);
    const { batch_id: id } = JSON.parse(created.stdout) as { batch_id: string };
    const again = await run(`batch create ${path} --total inr=20 --json`);
    expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining(`batch ${id}.`) });
    expect(JSON.parse(again.stdout)).toMatchObject({ batch_id: id, is_new: false, rejected: 1 });
    expect((await run(`batch show ${id}`)).stdout).toMatch(/^priority: urgent$/m);
    expect((await run(`batch watch ${id}`)).code).toBe(3);
    expect(await run(`batch request-approval ${id}`)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("cannot be sent for approval yet"),
    });

    const { stdout: rejects } = await run(`batch rejects ${id}`);
    const repaired = fileOf(`${id}.csv`, rejects.replace(",wrong,", ",7.50,"));
    const corrected = await run(`batch correct ${id} ${repaired} --json`);
    expect(JSON.parse(corrected.stdout)).toMatchObject({
      state: run === there ? "draft" : "awaiting_approval",
      corrected: 1,
      totals: { INR: "20.00" },
    });
    expect((await run(`batch request-approval ${id}`)).code).toBe(0);
    expect(await run(`batch request-approval ${id}`)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("has already been sent for approval"),
    });

    const watching = run(`batch watch ${id} --json`);
    await approveBatch(id);
    const { code, stdout } = await watching;
    expect(JSON.parse(stdout)).toMatchObject({
      state: "finished",
      sums: { INR: { settled: "20.00" } },
    });
    expect(code).toBe(0);
  }, 120_000);

  test("is refused as a whole and not stored", async () => {
    const before = (await here("batch list --json")).stdout;
    const ended = await run(`batch create ${fileOf("no.csv", "a,b\n1,2\n")}`);
    expect([ended.code, ended.stdout]).toEqual([3, ""]);
    expect(ended.stderr).toMatch(/column/);
    expect((await here("batch list --json")).stdout).toBe(before);
  });

  test("is watched until it finishes with a declined payout", async () => {
    const ended = await run(`batch watch ${batchId}`);
    expect([ended.code, ended.stderr]).toEqual([7, expect.stringMatching(/REFUSED-1.*declined/)]);
  });

  test("starts from a template", async () => {
    const csv = await run("template inr");
    expect(csv.stdout).toMatch(/user_id,currency_code.*\nSAMPLE,INR,0,/);
    expect((await run("template INR --xlsx")).stdout.slice(0, 2)).toBe("PK");
    expect((await run("template XXX")).code).toBe(4);
  });
});

async function approveBatch(batchId: string): Promise<void> {
  const batch = await ledger.ledger.payout.findBatch({ id: batchId });
  if (!batch) throw new Error(`no batch ${batchId}`);
  const { contentDigest } = batch;
  const approval = { batchId, userId: approverId, contentDigest, totals: totalsOf(batch) };
  const approved = await approveAs(approval, { ...ledger, clock: systemClock });
  if (!approved.ok) throw new Error(JSON.stringify(approved.error));
}

test("2: pay works only on the ledger's machine and says so when a server is named", async () => {
  const { path, totals } = makeFile(setup.folder, [{}]);
  const env = { ...setup.env, PAYRUN_SERVER: url, PAYRUN_API_KEY_FILE: keyFile };
  const ended = await runHere(["pay", path, ...totals], env);
  expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining("batch create")]);
});

describe("control commands", () => {
  test("pauses and resumes a lane in the name of the key", async () => {
    const { file, id } = await newKey(["read", "operate"]);
    const [lane] = (jsonOf(await there("lane list --json")) as { lanes: string[] }).lanes;
    expect((await there(`lane pause ${lane} --reason told`, file)).stdout).toMatch(/paused\. payr/);
    expect(jsonOf(await here("lane list --json"))).toMatchObject({
      paused: [{ lane, reason: "told", actor: `key:${id}` }],
    });
    await there(`lane pause ${lane} --drain --reason told`, file);
    expect((await there("lane list")).stdout).toMatch(/resumed, no batches are still being sent/);
    expect((await there("lane resume inr --reason told", file)).stdout).toBe(`${lane}: resumed\n`);
  });

  test("queries the gateway with payout query and records the query in the payout's history", async () => {
    const { timeline } = jsonOf(await there("payout query GOOD-1 --json")) as {
      timeline: { title: string }[];
    };
    expect(timeline.map(({ title }) => title)).toContain("Status query requested");
  });
});

describe("refusals", () => {
  test.each([
    [2, "batch pause BATCH", /--reason TEXT/],
    [2, "batch pause BATCH --reason x", /^Invalid input; .*\n  reason: must have at least 3/],
    [2, "lane pause all --reason why --until 2001-01-01T00:00:00Z", /^  until: must be in /m],
    [4, "batch show BNOTHING", /^There is no batch BNOTHING\.$/m],
    [4, "batch report BNOTHING", /no batch BNOTHING/],
    [4, "payout show PRNOTHING", /^There is no payout PRNOTHING\.$/m],
    [5, "batch approve BATCH --total INR=1", /keys cannot approve .*\/batches\/B\w+\/approval/],
    [6, "batch cancel BATCH --reason why", /state is “finished with exceptions”/],
    [6, "lane resume all --reason why", /paused/],
  ])("%i: %s", async (code, words, says) => {
    const ended = await there(words.replace("BATCH", batchId));
    expect(ended).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(says) });
  });

  test("5: a wrong key, and one without permission", async () => {
    const unknown = fileOf("unknown.key", `pk_${"A".repeat(43)}`);
    const [refused, forbidden] = await Promise.all([
      there("batch list", unknown),
      there(`batch pause ${batchId} --reason why`, (await newKey(["read"])).file),
    ]);
    expect([refused.code, forbidden.code]).toEqual([5, 5]);
    expect(refused.stderr).toMatch(/unknown, revoked or expired/);
    expect(forbidden.stderr).toMatch(
      /do not have permission.* The operate permission is required\. Your permissions: read\.$/m,
    );
  });

  test("9: an unreachable server", async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const words = ["batch", "list", "--server", nobody, "--api-key-file", keyFile];
    const ended = await runHere(words);
    expect(ended).toMatchObject({ code: 9, stderr: expect.stringContaining(nobody) });
  });
});

describe("API key", () => {
  test("F113 is sent over plain http only to this machine", async () => {
    const words = ["batch", "list", "--api-key-file", keyFile, "--server"];
    const ended = await Promise.all(
      ["http://pay.example", "http://127.0.0.1.example", "http://0.0.0.0:1"].map((address) =>
        runHere([...words, address]),
      ),
    );
    for (const { code, stderr } of ended) {
      expect([code, stderr]).toEqual([2, expect.stringContaining("Use https")]);
    }
  });

  test("F113 does not follow redirects, and escapes foreign answers on the terminal", async () => {
    const asked: string[] = [];
    const stranger = createServer((request, response) => {
      asked.push(request.url ?? "");
      if (request.url?.startsWith("/api/payouts")) {
        response.writeHead(404, { "content-type": "application/problem+json" });
        response.end(JSON.stringify({ code: "not_found", title: "\u001b[2Jgone" }));
      } else response.writeHead(302, { location: `${url}/api/batches` }).end();
    });
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    const { port } = stranger.address() as { port: number };
    const to = ["--server", `http://127.0.0.1:${port}`, "--api-key-file", keyFile];
    const [moved, drawn] = await Promise.all([
      runHere(["batch", "list", ...to]),
      runHere(["payout", "show", "X", ...to]),
    ]);
    stranger.close();
    expect([moved.code, moved.stderr]).toEqual([2, expect.stringContaining("does not follow")]);
    expect([drawn.code, drawn.stderr]).toEqual([4, " [2Jgone.\n"]);
    expect(asked).toHaveLength(2);
  });

  test("F113 is read only from a file that others cannot read, and never printed", async () => {
    const open = (await newKey(["read"])).file;
    chmodSync(open, 0o644);
    const [warned, wrong, missing, none] = await Promise.all([
      there("batch list", open),
      there("batch list", fileOf("wrong.key", "pk_not-a-key-at-all")),
      there("batch list", join(setup.folder, "no.key")),
      runHere(["batch", "list", "--server", url]),
    ]);
    expect([warned.code, warned.stderr]).toEqual([0, expect.stringContaining("chmod 600")]);
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("does not contain an API key"),
    });
    expect(wrong.stderr).not.toContain("not-a-key-at-all");
    expect([missing.code, none.code]).toEqual([2, 2]);
    expect(none.stderr).toMatch(/--api-key-file/);
  });
});
