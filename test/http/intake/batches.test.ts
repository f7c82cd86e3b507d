import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  type Answer,
  type Caller,
  startTestServer,
  type TestServer,
} from "../../support/dashboard/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name,reference";
let files = 0;
const row = (place: number, { amount = "100.00", ifsc = "HDFC0000001", mark = files } = {}) =>
  `U-${place},INR,${amount},Asha Rao,50100000${String(mark * 100 + place).padStart(6, "0")},${ifsc},HDFC,HDFC Bank,f${mark}`;
const fileOf = (...rows: readonly string[]) => [HEADER, ...rows, ""].join("\n");
const clean = () => {
  files += 1;
  return fileOf(row(1), row(2), row(3));
};
const dirty = () => {
  files += 1;
  return fileOf(row(1), row(2, { ifsc: "HDFCO000001" }), row(3, { amount: "12.555" }));
};

const upload = (text: string | Buffer, query = "", headers = {}): Promise<Answer> =>
  server.as("uploader").post(`/api/batches?file_name=payouts.csv${query}`, text, { headers });
const taken = async (text: string, query = ""): Promise<string> => {
  const { status, json, text: said } = await upload(text, query);
  if (status !== 201) throw new Error(said);
  return json.batch.batch_id;
};

test("stores and checks a file without sending it or querying the gateway", async () => {
  const { status, json } = await upload(clean(), "&name=Salaries&purpose=November");
  expect([status, json.is_new]).toEqual([201, true]);
  expect(json.batch).toMatchObject({
    file: "payouts.csv",
    name: "Salaries",
    purpose: "November",
    state: "draft",
    rows: 3,
    rejected: 0,
    totals: [{ currency: "INR", amount: "300.00", payouts: 3 }],
    maker: { name: "uploader" },
    approval_requested_at: null,
    progress: null,
  });
});

test("stores typed totals with the file, even if the server is killed right after", async () => {
  const text = clean();
  const { ledger, database } = server.deps;
  const store = ledger.intake.createBatch.bind(ledger.intake);
  vi.spyOn(ledger.intake, "createBatch").mockImplementationOnce(async (...batch) => {
    await store(...batch);
    throw new Error("killed");
  });
  const query = "&name=Salaries&expect_rows=4&expect_sum=INR=999";
  expect((await upload(text, query)).status).toBe(500);
  const { json } = await upload(text);
  expect(json).toMatchObject({ is_new: false, batch: { name: "Salaries" } });
  const batch = await database
    .selectFrom("batches")
    .select("expected")
    .where("id", "=", json.batch.batch_id)
    .executeTakeFirstOrThrow();
  expect(batch.expected).toEqual({ rows: 4, sums: { INR: "999" } });
});

test("F77 returns the existing batch for the same file, whatever its name", async () => {
  const text = clean();
  const id = await taken(text);
  const again = await server.as("uploader").post("/api/batches?file_name=other.csv", text);
  expect(again.json).toMatchObject({ is_new: false, batch: { batch_id: id, file: "payouts.csv" } });
});

test("leaves no upload on the disk, even after a refusal", async () => {
  await taken(clean());
  expect((await upload("no,header\n1,2\n")).json).toMatchObject({
    code: "file_unreadable",
    problems: [{ code: "columns_missing" }],
  });
  expect((await server.as("uploader").post("/api/batches?file_name=x", { a: 1 })).status).toBe(400);
  expect(readdirSync(join(server.deps.config.PAYRUN_DATA, "uploads"))).toEqual([]);
});

test("treats a repeated Idempotency-Key as the same creation", async () => {
  const text = clean();
  const headers = { "idempotency-key": "once" };
  const [first, second] = await Promise.all([upload(text, "", headers), upload(text, "", headers)]);
  // The later request meets the first one while it runs, or just after.
  const isReplay = ({ headers: told }: Answer) => told["idempotency-replayed"] === "true";
  const made = [first, second].filter((answer) => answer.status === 201 && !isReplay(answer));
  expect(made).toHaveLength(1);
  expect([first, second].every((answer) => answer.status === 409 || answer.status === 201)).toBe(
    true,
  );
  const again = await upload(text, "", headers);
  expect(again).toMatchObject({ status: 201, headers: { "idempotency-replayed": "true" } });
  expect(again.json.is_new).toBe(true);
  expect(await upload(clean(), "", headers)).toMatchObject({
    status: 422,
    json: { code: "idempotency_key_reused" },
  });
  // A request that created nothing may be repeated.
  const refused = { "idempotency-key": "refused" };
  expect((await upload("nothing", "", refused)).status).toBe(422);
  expect((await upload(clean(), "", refused)).status).toBe(201);
});

test("groups findings by correction and shows their rows with the problems", async () => {
  const id = await taken(dirty());
  const { json } = await server.as("viewer").get(`/api/batches/${id}/findings`);
  expect(json.findings).toMatchObject([
    { count: 1, lines: [3], example: { code: "bad_ifsc", column: "ifsc_code" } },
    { count: 1, lines: [4], example: { code: "amount_too_many_decimals" } },
  ]);
  expect(json.file.columns[0]).toEqual({ name: "user_id", column: "user_id" });
  expect(json.obstacles).toContain("2 rows have errors: correct them, or continue without them.");

  const page = await server.as("uploader").get(`/api/batches/${id}/rows?limit=1`);
  expect(page.json).toMatchObject({ items: [{ line: 3, rejected: true }], next: "3" });
  const rest = await server.as("uploader").get(`/api/batches/${id}/rows?limit=1&after=3`);
  expect(rest.json).toMatchObject({
    items: [{ line: 4, problems: [{ code: "amount_too_many_decimals", found: "12.555" }] }],
    next: null,
  });
});

test("masks accounts for users without permission, and records each reveal on the audit log", async () => {
  const id = await taken(dirty());
  const cellsFor = async (role: "uploader" | "viewer") =>
    (await server.as(role).get(`/api/batches/${id}/rows`)).json.items[0].cells[4];
  const full = await cellsFor("uploader");
  expect(full).toMatch(/^50100000\d{6}$/);
  expect(await cellsFor("viewer")).toBe(`••••••••••${full.slice(-4)}`);
  const report = await server.as("viewer").get(`/api/batches/${id}/report`);
  expect(report.text).not.toContain(full);
  expect((await server.as("operator").get(`/api/batches/${id}/report`)).text).toContain(full);

  const lines = await server.deps.database
    .selectFrom("audit")
    .select(["action", "actor"])
    .where("object", "=", id)
    .where("action", "in", ["view_rows", "download_report"])
    .execute();
  expect(lines.map(({ action }) => action)).toEqual([
    "view_rows",
    "download_report",
    "download_report",
  ]);
});

test("shows an uploader only accounts of their own batches, which no correction changes", async () => {
  const id = await taken(dirty());
  const other = await server.newUser(["uploader"], "other uploader");
  const own = (await server.as("uploader").get(`/api/batches/${id}/report`)).text;
  expect(own).toMatch(/50100000\d{6}/);
  const expectCovered = async () => {
    for (const what of ["rows", "findings", "report"]) {
      const { status, text } = await other.get(`/api/batches/${id}/${what}`);
      expect([what, status]).toEqual([what, 200]);
      expect(text).not.toMatch(/50100000\d{6}/);
    }
    expect((await other.get(`/api/batches/${id}/rejects`)).json).toMatchObject({
      code: "forbidden",
      status: 403,
    });
  };
  await expectCovered();
  expect(
    (await (await server.newUser(["uploader", "auditor"])).get(`/api/batches/${id}/rejects`))
      .status,
  ).toBe(200);

  const madeUp = `${HEADER},line\nU-1,INR,1.00,Nobody,1234,none,HDFC,HDFC Bank,x,3\n`;
  const corrected = await other.post(`/api/batches/${id}/corrections?file_name=r.csv`, madeUp);
  expect(corrected.json).toMatchObject({ rows: 1, corrected: 0 });
  await expectCovered();
});

test("returns a key's uploads to the key and its maker, but none of the maker's uploads to the key", async () => {
  const maker = await server.newUser(["uploader"], "maker of keys");
  const key = await server.newKey(["upload", "read"], maker);
  const uploaded = await key.post("/api/batches?file_name=key.csv", dirty());
  const id = uploaded.json.batch.batch_id;
  const rejects = async (caller: Caller, batch: string) =>
    (await caller.get(`/api/batches/${batch}/rejects`)).status;
  expect(await rejects(key, id)).toBe(200);
  expect(await rejects(maker, id)).toBe(200);
  expect(await rejects(server.as("uploader"), id)).toBe(403);
  const { json } = await maker.post("/api/batches?file_name=own.csv", dirty());
  expect(await rejects(key, json.batch.batch_id)).toBe(403);
});

test("exports rejected rows, accepts corrections, and adds them to the same batch", async () => {
  const id = await taken(dirty());
  const { text, headers } = await server.as("uploader").get(`/api/batches/${id}/rejects`);
  expect(headers["content-disposition"]).toContain(`${id}-rejects.csv`);
  const [names = [], ...rows] = parse(text, { bom: true });
  expect(names).toEqual([...HEADER.split(","), "line", "reason", "hint"]);
  expect(rows.map((cells) => cells.slice(-3, -1))).toEqual([
    ["3", "ifsc_code: bad_ifsc"],
    ["4", "transaction_amount: amount_too_many_decimals"],
  ]);

  const unrepaired = await server
    .as("uploader")
    .post(`/api/batches/${id}/corrections?file_name=r.csv`, text);
  expect(unrepaired.json).toMatchObject({ rows: 2, corrected: 0, batch: { rejected: 2 } });
  const seen = async () => (await server.as("viewer").get(`/api/batches/${id}`)).json.state;
  expect(await seen()).toBe("needs_correction");
  const repaired = await server
    .as("uploader")
    .post(
      `/api/batches/${id}/corrections?file_name=r.csv`,
      text.replaceAll("HDFCO000001", "HDFC0000001").replaceAll("12.555", "12.50"),
    );
  expect(repaired.json).toMatchObject({
    corrected: 2,
    batch: { state: "draft", rejected: 0, totals: [{ amount: "212.50" }] },
  });
  // A page that many users open is rendered once for all, and again when it changes.
  expect(await seen()).toBe("draft");
  const { json } = await server.as("viewer").get(`/api/batches/${id}/findings`);
  expect(json.findings).toEqual([]);
  expect(json.corrections).toMatchObject([{ corrected: 0 }, { corrected: 2, rows: 2 }]);
  expect(json.corrections[0].digest).toMatch(/^[0-9a-f]{64}$/);
});

test("requests approval once, with matching totals, and only when someone can approve", async () => {
  const id = await taken(clean(), "&expect_rows=4&expect_sum=INR=300.00");
  const submit = (body: object) =>
    server.as("uploader").post(`/api/batches/${id}/request-approval`, body);
  expect((await submit({})).json).toMatchObject({
    code: "not_ready",
    obstacles: ["You expected 4 rows, but the file has 3."],
  });
  const handedIn = await submit({ expect_rows: 3, purpose: "Bonus" });
  expect(handedIn.json).toMatchObject({ batch: { purpose: "Bonus" } });
  expect(handedIn.json.batch.approval_requested_at).not.toBeNull();
  expect((await submit({})).json.code).toBe("approval_already_requested");
});

test("continues without wrong rows only on explicit request", async () => {
  const id = await taken(dirty());
  const submit = (body: object) =>
    server.as("uploader").post(`/api/batches/${id}/request-approval`, body);
  expect((await submit({})).json.code).toBe("not_ready");
  const { json: before } = await server.as("uploader").get(`/api/batches/${id}`);
  const excess = { leave_out: true, expect_rows: before.rows + 1 };
  expect((await submit(excess)).json.code).toBe("not_ready");
  // The uploader's own records lack the rows that are left out.
  const own = { leave_out: true, expect_rows: before.rows - before.rejected };
  expect((await submit(own)).json.batch.state).toBe("awaiting_approval");
  files += 1;
  const one = await taken(fileOf(row(1), row(2, { amount: "12.555" })));
  expect(
    (await server.as("uploader").post(`/api/batches/${one}/request-approval`, {})).json,
  ).toMatchObject({
    obstacles: ["1 row has errors: correct it, or continue without it."],
  });
});
