import { describe, expect, test } from "vitest";
import { DEFAULT_FILE_LIMITS } from "#intake/text/file-limits.ts";
import { balance, document, entry } from "./document.ts";
import { mappingOf, read } from "./read.ts";

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
    expect(lines).toMatchObject([{ code: "#B_7" }, { code: "#S-2026-11-26-2-1" }]);
  });

  test("gives transactions without a reference different numbers in all statements", async () => {
    const part = `<TxDtls><Refs><AcctSvcrRef>B9</AcctSvcrRef></Refs><Amt Ccy="INR">50.00</Amt></TxDtls>`;
    const rest = "<NtryRef>1</NtryRef><AcctSvcrRef>B9</AcctSvcrRef>";
    const numbered = "<NtryRef>1</NtryRef>";
    const first = document({
      entries: [
        entry({ details: part + part }),
        entry({ rest, details: part.replace(/<Refs.*Refs>/, "").repeat(2) }),
        entry({ rest: numbered, details: "" }),
        entry({ rest: numbered, details: "" }),
      ],
    });
    const files = [
      first,
      first.replace("<Stmt><Id>S<", "<Stmt><Id>T<"),
      first.replaceAll("2026-11-26", "2026-11-27"),
    ];
    const codes = (await Promise.all(files.map((file) => read(file)))).flatMap(({ lines }) =>
      lines.map(({ code }) => code),
    );
    expect(codes.slice(0, 4)).toEqual(
      [1, 2].flatMap((of) => [1, 2].map((at) => `#S-2026-11-26-${of}-${at}`)),
    );
    expect(codes).toHaveLength(18);
    expect(new Set(codes).size).toBe(18);
  });

  test("is refused if neither a transaction nor the statement has an identifier", async () => {
    const nameless = document({ entries: [entry(), entry({ details: "" })] });
    expect((await read(nameless.replace("<Stmt><Id>S</Id>", "<Stmt>"))).problems).toMatchObject([
      { column: "Stmt/Id", line: 7, expected: "an Id in Stmt" },
    ]);
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
    const page = (name: string, last: string, number = 1) =>
      `<${name}><PgNb>${number}</PgNb><LastPgInd>${last}</LastPgInd></${name}>`;
    const inStatement = (last: string, number = 1) =>
      document({ before: page("StmtPgntn", last, number) });
    const inMessage = (last: string, number = 1) =>
      document().replace("</GrpHdr>", `${page("MsgPgntn", last, number)}</GrpHdr>`);
    for (const [paged, column] of [
      [inStatement, "StmtPgntn"],
      [inMessage, "MsgPgntn"],
    ] as const) {
      for (const last of ["false", "0", "no"]) {
        const found = `page 1, LastPgInd ${last}`;
        expect(await problemOf(paged(last))).toMatchObject({ column, found });
      }
      expect(await problemOf(paged("true", 2))).toMatchObject({ column, found: "page 2" });
      for (const last of ["true", "1"]) expect(await problemOf(paged(last))).toBeUndefined();
    }
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

  test.each(["OPBD", "PRCD", "CLBD"])(
    "is refused if it states %s twice or unreadably",
    async (type) => {
      const one = balance(type, "1.00");
      expect(await problemOf(document({ before: one }))).toBeUndefined();
      expect(await problemOf(document({ before: one + one }))).toMatchObject({
        column: `Bal/${type}`,
        found: "two",
      });
      const unreadable = one.replace("CRDT", "Credit");
      expect(await problemOf(document({ before: unreadable }))).toMatchObject(
        found(/balance cannot be read/, /CdtDbtInd/),
      );
    },
  );

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
