/** camt.053 files with one fault each, for the right day: the fault itself is the reason. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { camtOfDay } from "../../support/reconciliation/camt-of-day.ts";
import { SETTLED_DAY, settledDayWith } from "../../support/reconciliation/statement-of-day.ts";

let server: TestServer;
let operator: Caller;
beforeAll(async () => {
  server = await startTestServer({}, ["approver"]);
  operator = await server.newUser(["operator"]);
  await settledDayWith(server.deps.config.DATABASE_URL ?? "", {});
});
afterAll(() => server.close());

const { lane, day } = SETTLED_DAY;
const upload = (body: string | Uint8Array) => {
  const query = new URLSearchParams({ lane, day, file_name: "statement.xml" });
  query.set("confirm_mapping", "true");
  return operator.send("POST", `/api/statements?${query.toString()}`, {
    body,
    headers: { "content-type": "application/xml" },
  });
};

const whole = camtOfDay();
/** Replaces the first text that matches, which must exist. */
function edited(from: string | RegExp, to: string, xml = whole): string {
  const result = xml.replace(from, to);
  if (result === xml) throw new Error(`the file does not contain ${String(from)}`);
  return result;
}
const inHead = (xml: string) => edited("<TxsSummry>", `${xml}<TxsSummry>`);
const withoutTotals = (xml = whole) => edited(/<TxsSummry>.*<\/TxsSummry>/, "", xml);
const batch = (inner: string) => edited("<NtryDtls>", `<NtryDtls><Btch>${inner}</Btch>`);
const entries = whole.match(/<Ntry>.*<\/Ntry>/g) ?? [];
const [firstEntry = ""] = entries;
const asCredit = (entry: string) => entry.replace(">DBIT<", ">CRDT<");
/** A credit of the whole amount, without a charge. */
const reversed = (entry: string) => asCredit(entry).replaceAll(/<(Chrgs|AmtDtls)>.*?<\/\1>/g, "");
const utf16 = Buffer.from(`\uFEFF${whole}`, "utf16le");
const latin1 = Buffer.from(edited("<MsgId>", "<MsgId>\u00e9"), "latin1");

describe("is refused, with its own fault as the reason:", () => {
  test.each<[kind: string, file: string | Uint8Array, problem: object]>([
    [
      "a wrong number of entries",
      edited("<NbOfNtries>10<", "<NbOfNtries>11<"),
      { column: "TxsSummry/TtlNtries/NbOfNtries", expected: "11", found: "10" },
    ],
    [
      "a wrong number of debits",
      edited(/<TtlDbtNtries><NbOfNtries>10</, "<TtlDbtNtries><NbOfNtries>9<"),
      { column: "TxsSummry/TtlDbtNtries/NbOfNtries", expected: "9", found: "10" },
    ],
    ["a wrong sum", edited("<Sum>", "<Sum>1"), { column: "TxsSummry/TtlNtries/Sum" }],
    [
      "a wrong net sum",
      edited(
        "</TtlNtries>",
        "<TtlNetNtry><Amt>1.00</Amt><CdtDbtInd>DBIT</CdtDbtInd></TtlNetNtry></TtlNtries>",
      ),
      { column: "TxsSummry/TtlNtries/TtlNetNtry/Amt", expected: "DBIT 1.00" },
    ],
    [
      "a wrong net sum of version 02",
      edited(
        "</TtlNtries>",
        "<TtlNetNtryAmt>1.00</TtlNetNtryAmt><CdtDbtInd>CRDT</CdtDbtInd></TtlNtries>",
      ),
      { column: "TxsSummry/TtlNtries/TtlNetNtryAmt", expected: "CRDT 1.00" },
    ],
    [
      "a wrong number of transactions in a batch",
      batch("<NbOfTxs>2</NbOfTxs>"),
      { column: "Ntry/NtryDtls/Btch/NbOfTxs", expected: "2", found: "1" },
    ],
    [
      "an unreadable number of transactions in a batch",
      batch("<NbOfTxs>one</NbOfTxs>"),
      { column: "Ntry/NtryDtls/Btch/NbOfTxs", expected: "one", found: "1" },
    ],
    [
      "a wrong sum of a batch",
      batch('<NbOfTxs>1</NbOfTxs><TtlAmt Ccy="INR">7.77</TtlAmt>'),
      { column: "Ntry/NtryDtls/Btch/TtlAmt", expected: "7.77" },
    ],
    [
      "an account in another currency",
      edited("<Ccy>INR</Ccy>", "<Ccy>USD</Ccy>"),
      { column: "Acct/Ccy", expected: "INR", found: "USD" },
    ],
    [
      "a balance in another currency",
      edited(/(CLBD.*?)Ccy="INR"/, '$1Ccy="USD"'),
      { column: "Bal (closing)", expected: "INR", found: "USD" },
    ],
    [
      "a balance that is not a number",
      edited(/(OPBD.*?>)1000000\.00</, "$11,000,000.00<"),
      { column: "Bal/OPBD" },
    ],
    [
      "two closing balances",
      edited(/<Bal>.*CLBD.*<\/Bal>/, "$&$&"),
      { column: "Bal/CLBD", found: "two" },
    ],
    [
      "a closing balance from another day",
      edited(/(CLBD.*?<Dt><Dt>)[\d-]+/, "$12026-11-25"),
      { column: "Bal/Dt", message: expect.stringContaining("closing"), expected: day },
    ],
    [
      "a closing balance at a time of another day",
      edited(/(CLBD.*?<Dt>)<Dt>[\d-]+<\/Dt>/, "$1<DtTm>2026-11-24T23:59:59Z</DtTm>"),
      { column: "Bal/Dt", message: expect.stringContaining("closing"), found: "2026-11-24" },
    ],
    [
      "an opening balance from a later day",
      edited(/(OPBD.*?<Dt><Dt>)[\d-]+/, "$12026-11-30"),
      { column: "Bal/Dt", message: expect.stringContaining("opening"), found: "2026-11-30" },
    ],
    [
      "another period",
      inHead(
        "<FrToDt><FrDtTm>2026-11-01T00:00:00Z</FrDtTm><ToDtTm>2026-11-02T00:00:00Z</ToDtTm></FrToDt>",
      ),
      { column: "FrToDt", expected: day, found: "2026-11-01 to 2026-11-02" },
    ],
    [
      "entries of other days only",
      whole.replaceAll(/<BookgDt><DtTm>[\d-]+/g, "<BookgDt><DtTm>2026-11-20"),
      { message: expect.stringMatching(/^No line of the statement is from/) },
    ],
    [
      "entries that are cut off",
      camtOfDay({ file: ["truncated"] }),
      { column: "TxsSummry/TtlNtries/NbOfNtries" },
    ],
    [
      "an entry that is cut off",
      camtOfDay({ file: ["cut_row"] }),
      { expected: "a complete XML file" },
    ],
    [
      "another namespace",
      edited("camt.053.001.08", "camt.052.001.08"),
      { found: expect.stringContaining("camt.052") },
    ],
    ["no namespace", edited(/ xmlns="[^"]*"/, ""), { found: "Document in the namespace (none)" }],
    ["a document type", edited("?>", "?><!DOCTYPE Document>"), { found: "DOCTYPE" }],
    [
      "an entity",
      edited("?>", '?><!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]>').replace(
        "<MsgId>",
        "<MsgId>&a;",
      ),
      { found: "DOCTYPE" },
    ],
    ["an unknown entity", edited("<MsgId>", "<MsgId>&a;"), { expected: "a complete XML file" }],
    [
      "an encoding that payrun does not read",
      edited("UTF-8", "ISO-8859-1"),
      { found: "ISO-8859-1" },
    ],
    ["bytes of another encoding", latin1, { expected: "text in UTF-8" }],
    ["UTF-16", utf16, { expected: "text in UTF-8" }],
    ["two statements", edited("</Stmt>", "</Stmt><Stmt></Stmt>"), { found: "a second Stmt" }],
    [
      "one of several pages",
      inHead("<StmtPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></StmtPgntn>"),
      { column: "StmtPgntn" },
    ],
    ["no direction", edited(/<CdtDbtInd>DBIT<\/CdtDbtInd>/, ""), { column: "Ntry/CdtDbtInd" }],
    ["an unknown direction", edited(">DBIT<", ">D<"), { column: "CdtDbtInd", found: "D" }],
    ["an amount with a sign", edited(/(<Ntry><Amt Ccy="INR">)/, "$1-"), { column: "Ntry/Amt" }],
    [
      "an amount without a currency",
      edited('<Ntry><Amt Ccy="INR">', "<Ntry><Amt>"),
      { column: "Ntry/Amt" },
    ],
    ["no status", edited(/<Sts>.*?<\/Sts>/, ""), { column: "Sts" }],
    [
      "an unknown status",
      edited("<Cd>BOOK</Cd>", "<Cd>FUTR</Cd>"),
      { column: "Sts", found: "FUTR" },
    ],
    [
      "a day that does not exist",
      edited(/(<BookgDt><DtTm>)[\d-]+/, "$12026-02-30"),
      { column: "BookgDt" },
    ],
    [
      "the opposite direction of an entry with a charge",
      withoutTotals(edited(firstEntry, asCredit(firstEntry))),
      { column: "Ntry/NtryDtls" },
    ],
    [
      "transactions that do not add up",
      edited(/(<TxAmt><Amt Ccy="INR">)/, "$19"),
      { column: "Ntry/NtryDtls" },
    ],
  ])("%s", async (_kind, file, problem) => {
    const { status, json } = await upload(file);
    expect([status, json.code]).toEqual([422, "file_unreadable"]);
    expect(json.problems[0]).toMatchObject(problem);
  });
});

test("asks about entries of other days", async () => {
  const moved = edited(/<BookgDt><DtTm>[\d-]+/, "<BookgDt><DtTm>2026-11-20");
  expect((await upload(moved)).json).toMatchObject({ code: "reading_unconfirmed", outside_day: 1 });
});

describe("is compared, and the fault is a break:", () => {
  /** Loads a file and lets an approver confirm that it replaces the one before. */
  async function compared(file: string) {
    const { json } = await upload(file);
    if (!json.statement) throw new Error(JSON.stringify(json));
    if (json.statement.state !== "proposed") return json;
    const at = `/api/statements/${json.statement.id}/decide`;
    return (await server.as("approver").post(at, { agree: true })).json;
  }

  test("nothing, in a file without a fault", async () => {
    expect((await compared(whole)).comparison).toMatchObject({ matched: 10, breaks: {} });
  });

  test.each<[kind: string, file: string, breaks: object]>([
    [
      "a closing balance that the entries do not explain",
      edited(/(CLBD.*?Ccy="INR">)/, "$11"),
      { unexplained_movement: 1 },
    ],
    [
      "an entry that is listed twice",
      withoutTotals(edited(firstEntry, firstEntry + firstEntry)),
      { listed_twice: 1, unexplained_movement: 1 },
    ],
    [
      "an entry that is missing",
      withoutTotals(edited(firstEntry, "")),
      { missing_at_gateway: 1, unexplained_movement: 1 },
    ],
    [
      "an entry in another currency",
      withoutTotals(edited(firstEntry, firstEntry.replaceAll('"INR"', '"USD"'))),
      { currency: 1, unexplained_movement: 1 },
    ],
    [
      "an entry with the opposite direction",
      withoutTotals(edited(firstEntry, reversed(firstEntry))),
      { amount: 1, late_return: 1, unexplained_movement: 1 },
    ],
  ])("%s", async (_kind, file, breaks) => {
    expect((await compared(file)).comparison.breaks).toEqual(breaks);
  });

  test("none, without a closing balance: that of the replaced file stays", async () => {
    const answer = await compared(edited(/<Bal>.*CLBD.*<\/Bal>/, ""));
    expect(answer.comparison).toMatchObject({ has_balances: true, breaks: {} });
  });
});
