import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_FILE_LIMITS } from "#intake/text/file-limits.ts";
import type { StatementLine } from "#reconciliation/records.ts";
import { openStatement } from "#reconciliation/statement-reader.ts";
import { balancesOf } from "#reconciliation/statement-balances.ts";
import { type StatementMapping, suggestColumns } from "#reconciliation/statement-mapping.ts";
import { openStatementTable } from "#reconciliation/statement-table.ts";
import { balance, document, entry } from "./document.ts";

const INR = { currency: "INR", minorDigits: 2 };

async function* bytesOf(content: string | Uint8Array, size = 1 << 20) {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function mappingOf(content: string): Promise<StatementMapping> {
  const table = await openStatementTable(bytesOf(content));
  if (!table.ok) throw new Error(JSON.stringify(table.error));
  const { names, fixed } = table.value;
  const columns = suggestColumns(names);
  return { columns, amountStyle: "plain", payoutSign: "none", words: {}, zone: "UTC", ...fixed };
}

async function read(content: string | Uint8Array, size?: number, limits = DEFAULT_FILE_LIMITS) {
  const mapping = await mappingOf(document());
  const opened = await openStatement(bytesOf(content, size), mapping, INR, { limits });
  if (!opened.ok) return { lines: [], facts: null, problems: opened.error.problems };
  const lines: StatementLine[] = [];
  for await (const chunk of opened.value.lines) lines.push(...chunk);
  const end = opened.value.end();
  if (!end.ok) return { lines, facts: null, problems: end.error };
  expect(end.value.digest).toBe(createHash("sha256").update(content).digest("hex"));
  return { lines, facts: end.value.facts, problems: [] };
}

describe("a camt.053 statement", () => {
  test("suggests a mapping of its elements", async () => {
    expect(await mappingOf(document())).toEqual({
      columns: {
        code: "EndToEndId",
        gateway_number: "TxId",
        amount: "Amt",
        currency: "Ccy",
        fee: "Chrgs",
        status: "Sts",
        time: "BookgDt",
      },
      amountStyle: "plain",
      payoutSign: "negative",
      words: { book: "completed", pdng: "pending" },
      zone: "UTC",
    });
  });

  test.each(["02", "03", "04", "06", "08"])("of version %s gives exact values", async (version) => {
    const exact = entry({ amount: "90071992547409.93" });
    const { lines, problems } = await read(document({ version, entries: [exact] }));
    expect(problems).toEqual([]);
    expect(lines).toEqual([
      {
        code: "PR1",
        line: 6,
        gatewayNumber: "WD1",
        currency: "INR",
        amount: { minor: 9_007_199_254_740_993n, minorDigits: 2 },
        fee: null,
        status: "completed",
        at: new Date("2026-11-26T09:30:15Z"),
      },
    ]);
  });

  test("reads the status of version 08, and a date as the start of its day", async () => {
    const dated = entry({ status: "<Cd>PDNG</Cd>" }).replace(
      "<DtTm>2026-11-26T09:30:15Z</DtTm>",
      "<Dt>2026-11-26</Dt>",
    );
    expect((await read(document({ entries: [dated] }))).lines).toMatchObject([
      { status: "pending", at: new Date("2026-11-26T00:00:00Z") },
    ]);
  });

  test("shows a credit as money that came back, and omits one that is not booked", async () => {
    const back = entry({ direction: "CRDT", rest: "<RvslInd>true</RvslInd>" });
    const expected = entry({ direction: "CRDT", status: "PDNG" });
    const { lines } = await read(document({ entries: [back, expected] }));
    expect(lines).toMatchObject([{ status: "returned", amount: { minor: 10_000n } }]);
  });

  test("keeps an entry that has no reference of payrun", async () => {
    const fee = entry({ details: "", rest: "<AcctSvcrRef>B 7</AcctSvcrRef>" });
    const refs = "<TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs></TxDtls>";
    const { lines } = await read(document({ entries: [fee, entry({ details: refs })] }));
    expect(lines).toMatchObject([{ code: "#B_7" }, { code: "#entry-2" }]);
  });

  test("ignores elements of other namespaces and parts that it does not need", async () => {
    const noise = `<Amt xmlns:x="urn:x" x:Ccy="USD" Ccy="INR">1</Amt><x:Amt xmlns:x="urn:x" Ccy="USD">9</x:Amt><AddtlNtryInf>&lt;Amt&gt; ]] &amp;</AddtlNtryInf>`;
    expect((await read(document({ entries: [entry({ rest: noise })] }))).lines).toMatchObject([
      { amount: { minor: 10_000n }, currency: "INR" },
    ]);
  });

  test("gives the same lines whatever the size of the pieces", async () => {
    const content = `\uFEFF${document({ entries: [entry(), entry({ rest: "<X>é€</X>" })] })}`;
    const whole = (await read(content)).lines;
    expect(whole).toHaveLength(2);
    for (const size of [1, 7, 1_000]) expect((await read(content, size)).lines).toEqual(whole);
  });
});

const included = (amount: string, is = "true") =>
  `<Chrgs><Rcrd><Amt Ccy="INR">${amount}</Amt><ChrgInclInd>${is}</ChrgInclInd></Rcrd></Chrgs>`;
const details = (code: string, amount: string, more = "") =>
  `<TxDtls><Refs><EndToEndId>${code}</EndToEndId></Refs><Amt Ccy="INR">${amount}</Amt>${more}</TxDtls>`;

describe("charges and transactions", () => {
  const shown = async (given: Parameters<typeof entry>[0]) => {
    const { lines, problems } = await read(document({ entries: [entry(given)] }));
    return problems.length > 0
      ? problems[0]?.message
      : lines.map(({ amount, fee }) => [amount.minor, fee?.minor ?? null]);
  };

  test("separates an included charge from the amount of the entry", async () => {
    expect(await shown({ amount: "101.50", rest: included("1.50") })).toEqual([[10_000n, 150n]]);
    const own = { amount: "101.50", details: details("A", "101.50", included("1.5")) };
    expect(await shown(own)).toEqual([[10_000n, 150n]]);
    const added = { amount: "101.50", details: details("A", "100", included("1.5")) };
    expect(await shown(added)).toEqual([[10_000n, 150n]]);
  });

  test("leaves out a charge that another entry books", async () => {
    expect(await shown({ rest: included("1.50", "false") })).toEqual([[10_000n, null]]);
  });

  test("decides by the sum about charges of version 02", async () => {
    const charge = `<Chrgs><Amt Ccy="INR">2</Amt></Chrgs>`;
    const stated = `<TxDtls><AmtDtls><TxAmt><Amt Ccy="INR">98</Amt></TxAmt></AmtDtls></TxDtls>`;
    expect(await shown({ rest: charge, details: stated })).toEqual([[9_800n, 200n]]);
    expect(await shown({ rest: charge })).toEqual([[10_000n, null]]);
  });

  test("divides an entry among its transactions", async () => {
    const two = details("A", "60.00") + details("B", "40");
    expect(await shown({ details: two })).toEqual([
      [6_000n, null],
      [4_000n, null],
    ]);
    const charged = details("A", "60", included("1")) + details("B", "37", included("2"));
    expect(await shown({ details: charged })).toEqual([
      [6_000n, 100n],
      [3_700n, 200n],
    ]);
  });

  test("refuses transactions that do not add up to their entry", async () => {
    const sum = "The transactions and charges of the entry do not add up to its amount.";
    expect(await shown({ details: details("A", "60") + details("B", "39") })).toBe(sum);
    expect(await shown({ details: details("A", "60") + "<TxDtls></TxDtls>" })).toBe(sum);
    expect(await shown({ rest: included("100.01") })).toBe(sum);
    const two = details("A", "60") + details("B", "39");
    expect(await shown({ details: two, rest: included("1") })).toBe(
      "The charges belong to several transactions.",
    );
  });

  test("always divides exactly what was booked", async () => {
    const cents = fc.integer({ min: 1, max: 1_000_000 });
    const parts = fc.array(fc.record({ amount: cents, fee: cents }), {
      minLength: 1,
      maxLength: 5,
    });
    const text = (minor: number) => (minor / 100).toFixed(2);
    await fc.assert(
      fc.asyncProperty(parts, async (given) => {
        const total = given.reduce((sum, { amount, fee }) => sum + amount + fee, 0);
        const written = given
          .map(({ amount, fee }, at) => details(`C${at}`, text(amount), included(text(fee))))
          .join("");
        expect(await shown({ amount: text(total), details: written })).toEqual(
          given.map(({ amount, fee }) => [BigInt(amount), BigInt(fee)]),
        );
      }),
      { numRuns: 50 },
    );
  });
});

describe("a bad camt.053 file", () => {
  const problemOf = async (content: string | Uint8Array) => (await read(content)).problems[0];
  const found = (message: RegExp, expected: RegExp) => ({
    message: expect.stringMatching(message),
    expected: expect.stringMatching(expected),
  });

  test("is refused if it is another version or another document", async () => {
    expect(await problemOf(document({ version: "09" }))).toMatchObject({
      ...found(/not a bank statement/, /camt\.053\.001\.02 to/),
      line: 2,
      found: expect.stringContaining("camt.053.001.09"),
    });
    expect(await problemOf("<a/>")).toMatchObject({ found: "a in the namespace (none)" });
  });

  test("is refused if it has a document type, and no entity is expanded", async () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "${"b".repeat(1_000)}"><!ENTITY c "&a;&a;">]><d>&c;</d>`;
    expect(await problemOf(bomb)).toMatchObject(found(/document type/, /without DOCTYPE/));
    expect(await problemOf(document().replace("<Id>S", "<Id>&c;"))).toMatchObject(
      found(/not well-formed/, /complete/),
    );
  });

  test("is refused wherever it is cut off", async () => {
    const content = document({ entries: [entry(), entry()] });
    for (let end = 200; end < content.trimEnd().length; end += 17) {
      expect(await problemOf(content.slice(0, end)), `cut at ${end}`).toBeDefined();
    }
  });

  test("is refused if it repeats an attribute or is not UTF-8", async () => {
    const twice = document().replace('Ccy="INR">100', 'Ccy="INR" Ccy="USD">100');
    expect(await problemOf(twice)).toMatchObject(found(/not well-formed/, /complete/));
    const latin = Buffer.from(document().replace("<MsgId>M", "<MsgId>é"), "latin1");
    expect(await problemOf(latin)).toMatchObject(found(/not UTF-8/, /UTF-8/));
    expect(await problemOf(document().replace("UTF-8", "ISO-8859-1"))).toMatchObject({
      found: "ISO-8859-1",
    });
  });

  test("is refused if it is one of several pages or statements", async () => {
    const page = (last: string) =>
      `<StmtPgntn><PgNb>1</PgNb><LastPgInd>${last}</LastPgInd></StmtPgntn>`;
    expect(await problemOf(document({ before: page("false") }))).toMatchObject({ found: "page 1" });
    expect(await problemOf(document({ before: page("true") }))).toBeUndefined();
    const two = document().replace("</Stmt>", "</Stmt><Stmt></Stmt>");
    expect(await problemOf(two)).toMatchObject(found(/several statements/, /one Stmt/));
    const none = document().replace(/<Stmt>[^]*<\/Stmt>/, "");
    expect(await problemOf(none)).toMatchObject(found(/no statement/, /Stmt/));
  });

  test("is refused if its entries are not those that it counts", async () => {
    const summary = (count: string, sum: string) =>
      `<TxsSummry><TtlNtries><NbOfNtries>${count}</NbOfNtries><Sum>${sum}</Sum></TtlNtries></TxsSummry>`;
    expect(await problemOf(document({ before: summary("1", "100") }))).toBeUndefined();
    expect(await problemOf(document({ before: summary("2", "100") }))).toMatchObject({
      column: "TxsSummry/TtlNtries/NbOfNtries",
      expected: "2",
      found: "1",
    });
    expect(await problemOf(document({ before: summary("1", "100.01") }))).toMatchObject({
      expected: "100.01",
      found: "100",
    });
  });

  test.each([
    [{ amount: "1e2" }, "Ntry/Amt", "1e2"],
    [{ amount: "-1" }, "Ntry/Amt", "-1"],
    [{ direction: "Debit" }, "CdtDbtInd", "Debit"],
    [{ direction: "" }, "Ntry/CdtDbtInd", null],
    [{ rest: "<RvslInd>yes</RvslInd>" }, "RvslInd", "yes"],
    [{ status: "INFO" }, "Sts", "INFO"],
    [{ currency: "in r" }, "Ntry/Amt", "in r"],
  ] as const)("names the element that cannot be read: %o", async (given, column, value) => {
    const problem = await problemOf(document({ entries: [entry(), entry(given)] }));
    expect(problem).toMatchObject({ column, found: value });
    expect([7, 8]).toContain(problem?.line);
  });

  test("is refused within bounded memory", async () => {
    const limits = { ...DEFAULT_FILE_LIMITS, rowsMax: 2, bytesMax: 5_000_000 };
    const many = document({ entries: [entry(), entry(), entry()] });
    expect((await read(many, 1_000, limits)).problems[0]).toMatchObject(
      found(/too many transactions/, /at most 2/),
    );
    const long = document().replace("<MsgId>M", `<MsgId>${"x".repeat(1_200_000)}`);
    expect(await problemOf(long)).toMatchObject(found(/too long/, /a tag every/));
    const deep = document().replace("<MsgId>M", `<MsgId>${"<a>".repeat(70)}`);
    expect(await problemOf(deep)).toMatchObject(found(/nested/, /64/));
    const wide = document({ entries: [entry({ rest: "<X/>".repeat(5_001) })] });
    expect(await problemOf(wide)).toMatchObject(found(/too many elements/, /5000/));
    const large = document({ entries: [entry({ rest: " ".repeat(900_000) })] });
    const small = { ...DEFAULT_FILE_LIMITS, bytesMax: 100_000 };
    expect((await read(large, 1_000, small)).problems[0]).toMatchObject(
      found(/too large/, /100000/),
    );
  });
});

describe("balances", () => {
  const day = "2026-11-26";
  const expected = { ...INR, day, balances: null };
  const factsOf = async (...balances: readonly string[]) =>
    (await read(document({ before: balances.join("") }))).facts;

  test("are read from the file, with the previous closing balance as the opening one", async () => {
    const facts = await factsOf(balance("PRCD", "1000.5"), balance("CLBD", "900.50"));
    expect(balancesOf(facts, expected)).toEqual({
      ok: true,
      value: { opening: 100_050n, closing: 90_050n, deposits: 0n },
    });
    const overdrawn = balance("CLBD", "7").replace("CRDT", "DBIT");
    const debit = await factsOf(balance("OPBD", "1"), overdrawn);
    expect(balancesOf(debit, expected)).toMatchObject({ value: { closing: -700n } });
    expect(balancesOf(await factsOf(), expected)).toEqual({ ok: true, value: null });
  });

  test("must be those of the account, the day and the person", async () => {
    const problemsOf = async (given: Partial<typeof expected> & object, ...all: string[]) => {
      const read = balancesOf(await factsOf(...all), { ...expected, ...given });
      return read.ok ? [] : read.error.map(({ message }) => message);
    };
    const both = [balance("OPBD", "1000.00"), balance("CLBD", "900.00")];
    expect(await problemsOf({ currency: "USD" }, ...both)).toHaveLength(3);
    expect(await problemsOf({ day: "2026-11-25" }, ...both)).toEqual([
      "The closing balance is from another day.",
    ]);
    expect(await problemsOf({ minorDigits: 0 }, balance("CLBD", "900.50"))).toEqual([
      "The balance has too many decimals.",
    ]);
    const given = { opening: 100_000n, closing: 90_000n, deposits: 0n };
    const asks = (balances: typeof given) => problemsOf({ balances } as never, ...both);
    expect(await asks(given)).toEqual([]);
    expect(await asks({ ...given, deposits: 1n })).toEqual([
      "The file states other balances than you. Its deposits are lines of the file.",
    ]);
  });

  test("cannot be stated twice", async () => {
    const twice = balance("CLBD", "1") + balance("CLBD", "2");
    expect((await read(document({ before: twice }))).problems).toMatchObject([{ found: "two" }]);
  });
});
