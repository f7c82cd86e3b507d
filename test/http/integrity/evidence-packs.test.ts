import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { verifyPack } from "#integrity/evidence-pack/verify.ts";
import {
  createSettledBatch,
  type SettledBatch,
} from "../../../proof/evidence-packs/settled-batch.ts";
import { filesOf } from "../../../proof/evidence-packs/forge.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { TEST_KEYRING } from "../../support/ledger.ts";
import { scratch } from "../../support/servers/payrun.ts";
import { asTestOwner, query } from "../../support/servers/postgres.ts";

const folder = scratch();
let server: TestServer;
let batch: SettledBatch;
let code: string;
beforeAll(async () => {
  server = await startTestServer();
  const { ledger, databaseUrl } = server.deps;
  await query(databaseUrl, "insert into settings values ('approval people', '1')");
  batch = await createSettledBatch(3, "DOWNLOAD", { ledger, keyring: TEST_KEYRING });
  code = batch.codes[0] ?? "";
});
afterAll(() => server.close());

const download = async (role: "viewer" | "operator" | "auditor", path: string) => {
  const { headers } = server.as(role);
  const answer = await server.app.inject({ method: "GET", url: path, headers });
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload };
};

test("downloads a pack that verifies with the installation's public key", async () => {
  const { json } = await server.as("viewer").get("/api/evidence-keys");
  for (const path of [`/api/payouts/${code}`, `/api/batches/${batch.batchId}`]) {
    const { status, headers, bytes } = await download("viewer", `${path}/evidence-pack`);
    expect(status).toBe(200);
    expect(headers["content-disposition"]).toMatch(/-evidence\.zip"$/);
    const file = join(folder, "pack.zip");
    writeFileSync(file, bytes);
    await expect(verifyPack(file, { key: json.keys[0] })).resolves.toBeDefined();
  }
});

test("shows accounts and the facts of audit entries only on request, to users who may see them", async () => {
  const contentFor = async (role: "viewer" | "operator" | "auditor", accounts = "") => {
    const path = `/api/batches/${batch.batchId}/evidence-pack${accounts}`;
    const { bytes } = await download(role, path);
    const files = filesOf(bytes);
    const audit = files.get("audit.jsonl") ?? "";
    const payouts = files.get("payouts.jsonl") ?? "";
    return { facts: audit.includes('"facts":'), masked: payouts.includes("••") };
  };
  expect(await contentFor("viewer")).toEqual({ facts: false, masked: true });
  expect(await contentFor("auditor")).toEqual({ facts: false, masked: true });
  const full = "?accounts=in_full";
  expect(await contentFor("operator", full)).toEqual({ facts: false, masked: false });
  expect(await contentFor("auditor", full)).toEqual({ facts: true, masked: false });
});

test("masks a pack on request, and refuses a full one to users who may not see accounts", async () => {
  const path = `/api/batches/${batch.batchId}/evidence-pack?accounts=`;
  const masked = await download("auditor", `${path}masked`);
  expect(filesOf(masked.bytes).get("payouts.jsonl")).toContain("••");
  expect(filesOf(masked.bytes).get("audit.jsonl")).not.toContain('"facts":');
  const full = await download("auditor", `${path}in_full`);
  expect(filesOf(full.bytes).get("payouts.jsonl")).not.toContain("••");
  const refused = await download("viewer", `${path}in_full`);
  expect(refused.status).toBe(403);
  expect(JSON.parse(refused.bytes.toString())).toMatchObject({ code: "forbidden" });
});

test("records each pack on the audit log before it is sent", async () => {
  const auditor = server.as("auditor");
  const packsOf = async (object: string) =>
    (await auditor.get(`/api/audit?object=${object}`)).json.items.filter(
      ({ action }: { action: string }) => action.endsWith("_evidence"),
    );
  const before = (await packsOf(code)).length;
  await download("operator", `/api/payouts/${code}/evidence-pack?accounts=in_full`);
  const after = await packsOf(code);
  expect(after).toHaveLength(before + 1);
  expect(after[0]).toMatchObject({
    action: "download_payout_evidence",
    facts: { accounts: "in full", archive: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  await download("viewer", `/api/payouts/${code}/evidence-pack`);
  expect((await packsOf(code))[0]).toMatchObject({ facts: { accounts: "masked" } });
});

test("builds at most two packs at once", async () => {
  const reader = new Client({ connectionString: asTestOwner(server.deps.databaseUrl) });
  await reader.connect();
  const answers: number[] = [];
  try {
    await reader.query("begin; lock table payrun.audit in access exclusive mode");
    const packs = Array.from({ length: 4 }, async () => {
      answers.push((await download("operator", `/api/payouts/${code}/evidence-pack`)).status);
    });
    await vi.waitFor(() => expect(answers).toEqual([429, 429]), { timeout: 5_000 });
    await reader.query("rollback");
    await Promise.all(packs);
  } finally {
    await reader.end();
  }
  expect(answers).toEqual([429, 429, 200, 200]);
});

test("answers not found for an unknown payout or batch", async () => {
  for (const path of ["/api/payouts/NONE", "/api/batches/NONE"])
    expect((await download("viewer", `${path}/evidence-pack`)).status).toBe(404);
});

test("refuses a checkpoint that is not on the log", async () => {
  const root = "0".repeat(64);
  const path = `/api/payouts/${code}/evidence-pack?checkpoint=1:${root}`;
  expect((await download("viewer", path)).status).toBe(400);
});
