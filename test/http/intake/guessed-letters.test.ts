/** Edits of rows that payrun read as Windows-1252. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name";
let files = 0;
const edit = (id: string, action: "check" | "correct", line: number, values: object) =>
  server.as("uploader").post(`/api/batches/${id}/rows/${action}`, { rows: [{ line, values }] });

/** A row of a file in Windows-1252, in which é and ú are one byte each. */
const accented = (place: number, name: string, bank: string, ifsc = "hdfc0000001") =>
  `W-${place},INR,${place}.00,${name},50100001234${place},${ifsc},HDFC,${bank}`;
async function uploadedAs1252(...rows: readonly string[]): Promise<string> {
  files += 1;
  const text = [HEADER, ...rows, "\n".repeat(files)].join("\n");
  const { json } = await server
    .as("uploader")
    .post(`/api/batches?file_name=w${files}.csv&amounts=plain`, Buffer.from(text, "latin1"));
  return json.batch.batch_id;
}
const rowsWith = async (id: string) =>
  (await server.as("uploader").get(`/api/batches/${id}/rows`)).json.items.map(
    ({
      line,
      cells,
      problems,
    }: {
      line: number;
      cells: string[];
      problems: { code: string }[];
    }) => ({
      line,
      name: cells[3],
      bank: cells[7],
      codes: problems.map(({ code }) => code).sort(),
    }),
  );
const DOUBTFUL = ["encoding_doubtful", "encoding_doubtful"];

test("keeps the other values of a row that was read as Windows-1252", async () => {
  const id = await uploadedAs1252(
    accented(61, "Ana Núñez", "Bänk Número"),
    accented(62, "José Café", "Bänk ÿ"),
    accented(63, "Asha Rao", "HDFC Bank", "HDFC0000001"),
  );
  const one = { line: 2, name: "Ana Núñez", bank: "Bänk Número" };
  const other = { line: 3, name: "José Café", bank: "Bänk ÿ" };
  const wrong = [...DOUBTFUL, "ifsc_misspelt"];
  expect(await rowsWith(id)).toEqual([
    { ...one, codes: wrong },
    { ...other, codes: wrong },
  ]);

  const checked = await edit(id, "check", 2, { ifsc_code: "HDFC0000001" });
  expect(checked.json.items[0].problems.map(({ code }: { code: string }) => code)).toEqual(
    DOUBTFUL,
  );
  expect((await edit(id, "correct", 2, { ifsc_code: "HDFC0000001" })).json.corrected).toBe(0);
  const fixes = { kind: "capitals", values: 1 };
  const fixed = await server.as("uploader").post(`/api/batches/${id}/row-fixes`, fixes);
  expect(fixed.json).toMatchObject({ rows: 1, corrected: 0 });
  expect(await rowsWith(id)).toEqual([
    { ...one, codes: DOUBTFUL },
    { ...other, codes: DOUBTFUL },
  ]);

  const summary = (await server.as("uploader").get(`/api/batches/${id}/row-fixes`)).json.items;
  expect(summary).toMatchObject([{ kind: "letters", values: 4 }]);

  // A person who enters a name again has checked it. The bank is still in doubt.
  expect((await edit(id, "correct", 2, { account_name: "Ana Núñez" })).json.corrected).toBe(0);
  expect((await rowsWith(id))[0]).toEqual({
    ...one,
    codes: ["encoding_doubtful", "letters_confirmed"],
  });
  expect((await edit(id, "correct", 2, { bank_name: "HDFC Bank" })).json.corrected).toBe(1);
  const [paid] = (await server.as("uploader").get(`/api/payouts?batch=${id}&line=2`)).json.items;
  expect(paid).toMatchObject({ beneficiary: "Ana Núñez" });
});

test("confirms the letters of all names at once, on record and shown to the approver", async () => {
  const id = await uploadedAs1252(
    accented(71, "Ana Núñez", "HDFC Bank", "HDFC0000001"),
    accented(72, "José Café", "HDFC Bank"),
  );
  const uploader = server.as("uploader");
  const letters = { kind: "letters", values: 2 };
  const confirmed = await uploader.post(`/api/batches/${id}/row-fixes`, letters);
  expect(confirmed.json).toMatchObject({ rows: 2, corrected: 1, batch: { rejected: 1 } });
  // The confirmation outlasts a later edit of another value.
  expect((await edit(id, "correct", 3, { ifsc_code: "HDFC0000001" })).json.corrected).toBe(1);
  const { findings } = (await uploader.get(`/api/batches/${id}/findings`)).json;
  expect(findings).toMatchObject([
    {
      count: 2,
      example: { code: "letters_confirmed", severity: "warning", column: "account_name" },
    },
  ]);
  const sheet = (await server.as("approver").get(`/api/batches/${id}/approval`)).json;
  const [warned] = sheet.anomalies.found.filter(
    ({ check }: { check: string }) => check === "warned",
  );
  expect(warned).toMatchObject({ attention: true, count: 2 });
  expect(warned.rows[0].warnings[0]).toContain("confirmed its letters");
});
