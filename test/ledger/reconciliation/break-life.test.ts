import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { decideProposedStatement } from "#flows/reconciliation/decide-statement.ts";
import { stepOnBreak } from "#flows/reconciliation/work-breaks.ts";
import { findBreak, findBreakEvents } from "#ledger/reconciliation/breaks.ts";
import type { StatementRow } from "#simulator/statements/defects.ts";
import { statementRowsOf } from "../../../bench/settled-day.ts";
import { DAY, LANE, ReconciledLedger } from "../../support/reconciliation/reconciled-ledger.ts";
import { csvOf } from "../../support/reconciliation/statement-of-day.ts";

const ledger = new ReconciledLedger();
const rows = statementRowsOf(DAY);
const [first] = rows as [StatementRow];
const withFirst = (changes: Partial<StatementRow>, from = rows) =>
  csvOf(from.map((row) => (row.code === first.code ? { ...row, ...changes } : row))).csv;

const PROPOSE = { kind: "propose", explanation: "Rounded by the bank" } as const;

async function oneBreak(csv = withFirst({ amount: "5.00" }), kind = "amount") {
  await ledger.reconcile(csv);
  return ledger.breakOf(kind);
}

async function propose(id: number, version: number, actor: string, explanation = "Rounded") {
  const step = { kind: "propose", explanation } as const;
  const done = await stepOnBreak({ id, version, actor }, step, ledger.deps());
  expect(done).toEqual({ ok: true, value: true });
  const proposal = (await findBreak(ledger.database, id))?.proposalId;
  return { kind: "decide", agree: true, proposal: proposal ?? 0 } as const;
}

describe("the resolution of a break", () => {
  test("is confirmed by an approver who did not propose it", async () => {
    const [operator, approver] = [await ledger.person("operator"), await ledger.person("approver")];
    const { id, version } = await oneBreak();
    const by = (actor: string) => ({ id, version, actor });
    const assign = { kind: "assign", assignee: operator } as const;
    expect(await stepOnBreak(by(operator), assign, ledger.deps())).toMatchObject({ ok: true });
    const own = await propose(id, version, approver);
    const refusal = async (actor: string, step: typeof own) =>
      stepOnBreak(by(actor), step, ledger.deps());
    expect(await refusal(approver, own)).toEqual({ ok: false, error: "own_resolution" });
    expect(await refusal(operator, own)).toEqual({ ok: false, error: "not_an_approver" });
    const agree = await propose(id, version, operator);
    expect(await refusal(approver, agree)).toMatchObject({ ok: true });
    expect(await findBreak(ledger.database, id)).toMatchObject({
      state: "resolved",
      assignee: operator,
      outcome: "agreed",
      decidedBy: approver,
    });
    const events = await findBreakEvents(ledger.database, id);
    const names = ["found", "assigned", "proposed", "proposed", "resolved"];
    expect(events.map(({ event }) => event)).toEqual(names);
    const resolved = (await ledger.audit()).at(-1);
    expect(resolved).toMatchObject({
      action: "resolve_break",
      facts: { version: 1, ledger: `${first.amount} INR`, statement: "5.00 INR", text: "Rounded" },
    });
  });

  test("is not confirmed with an explanation that the approver has not seen", async () => {
    const [operator, approver] = [await ledger.person("operator"), await ledger.person("approver")];
    const { id, version } = await oneBreak();
    const seen = await propose(id, version, operator, "Rounded by the bank");
    await propose(id, version, operator, "Something else");
    expect(await stepOnBreak({ id, version, actor: approver }, seen, ledger.deps())).toEqual({
      ok: false,
      error: "content_changed",
    });
    expect(await findBreak(ledger.database, id)).toMatchObject({ state: "proposed" });
  });

  test("keeps the values that both people saw", async () => {
    const { id, version } = await oneBreak();
    await propose(id, version, "cli:asha");
    await ledger.reconcile(withFirst({ amount: "6.00" }));
    const { rows: kept } = await sql`
      select statement_shows, basis from break_resolutions where break_id = ${id}`.execute(
      ledger.database,
    );
    const basis = `${first.amount} INR, ${first.number} | 5.00 INR, ${first.number}`;
    expect(kept).toEqual([{ statement_shows: "5.00 INR", basis }]);
  });

  test("returns to open when an approver refuses it", async () => {
    const [operator, approver] = [await ledger.person("operator"), await ledger.person("approver")];
    const { id, version } = await oneBreak();
    const decide = await propose(id, version, operator);
    await stepOnBreak({ id, version, actor: approver }, { ...decide, agree: false }, ledger.deps());
    expect(await findBreak(ledger.database, id)).toMatchObject({
      state: "open",
      explanation: null,
    });
  });

  const CHANGES: readonly (readonly [
    string,
    string,
    Partial<StatementRow>,
    Partial<StatementRow>,
  ])[] = [
    ["another amount", "amount", { amount: "5.00" }, { amount: "6.00" }],
    [
      "another amount of a status",
      "status",
      { status: "Failed" },
      { status: "Failed", amount: "6.00" },
    ],
    ["another currency", "currency", { currency: "USD" }, { currency: "EUR" }],
    ["another number", "amount", { amount: "5.00" }, { amount: "5.00", number: "WD888" }],
  ];
  test.each(CHANGES)("is undone by %s", async (_, kind, before, after) => {
    const { id, version } = await oneBreak(withFirst(before), kind);
    await propose(id, version, "cli:asha");
    expect(await findBreak(ledger.database, id)).toMatchObject({ state: "resolved" });
    const compared = await ledger.reconcile(withFirst(after));
    expect(compared.reopened).toEqual([id]);
    expect(await findBreak(ledger.database, id)).toMatchObject({ state: "open", version: 2 });
    expect((await ledger.audit()).at(-1)?.facts).toMatchObject({ reopened_breaks: [id] });
  });

  test("is not undone by another result of the same amounts", async () => {
    const { id, version, ledgerShows, statementShows } = await oneBreak();
    await propose(id, version, "cli:asha");
    const compared = await ledger.reconcile(withFirst({ status: "Failed", amount: "5.00" }));
    expect(compared).toMatchObject({ breaks: { amount: 1, status: 1 }, reopened: [] });
    const kept = { state: "resolved", version, ledgerShows, statementShows };
    expect(await findBreak(ledger.database, id)).toMatchObject(kept);
    await ledger.reconcile(withFirst({ status: "Failed", amount: "6.00" }));
    const changed = { state: "open", version: 2, statementShows: "failed, 6.00 INR" };
    expect(await findBreak(ledger.database, id)).toMatchObject(changed);
  });

  test("is not undone by the same values on other lines", async () => {
    const doubled = [first, ...rows];
    const { id, version } = await oneBreak(csvOf(doubled).csv, "listed_twice");
    await propose(id, version, "cli:asha");
    const compared = await ledger.reconcile(csvOf(doubled.toReversed()).csv);
    expect(compared).toMatchObject({ isNew: true, reopened: [] });
    expect(await findBreak(ledger.database, id)).toMatchObject({
      state: "resolved",
      lines: [21, 22],
    });
  });

  test("is made by one person on the command line of a ledger without approvers", async () => {
    const { id, version } = await oneBreak();
    await propose(id, version, "cli:asha");
    expect(await findBreak(ledger.database, id)).toMatchObject({
      state: "resolved",
      outcome: "alone",
    });
    expect(await stepOnBreak({ id, version, actor: "cli:asha" }, PROPOSE, ledger.deps())).toEqual({
      ok: false,
      error: "wrong_state",
    });
  });
});

describe("a statement that replaces a compared one", () => {
  test("needs an approver who has not uploaded it", async () => {
    const approver = await ledger.person("approver");
    const operator = await ledger.person("operator");
    await ledger.reconcile(withFirst({ amount: "5.00" }), { actor: operator });
    const loaded = await ledger.load(csvOf(rows).csv, { actor: operator });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
    const { statement } = loaded.value;
    expect(statement.state).toBe("proposed");
    await expect(ledger.compare(statement)).rejects.toThrow("content_changed");
    expect(await ledger.unresolved()).toEqual([`${DAY.day} amount`]);
    const decide = (actor: string, agree = true) =>
      decideProposedStatement({ id: statement.id, agree, actor }, ledger.deps());
    expect(await decide(operator)).toEqual({ ok: false, error: "own_resolution" });
    expect(await decide(approver)).toMatchObject({ ok: true });
    expect(await decide(approver)).toEqual({ ok: false, error: "content_changed" });
    expect(await ledger.compare(statement)).toMatchObject({ breaks: {}, closed: 1 });
    const audit = (await ledger.audit()).find(({ action }) => action === "confirm_statement");
    expect(audit?.facts).toMatchObject({ uploaded_by: operator, file: "statement.csv" });
  });

  test("changes nothing if it is refused, also with other balances or another mapping", async () => {
    const approver = await ledger.person("approver");
    const csv = withFirst({ amount: "5.00" });
    await ledger.reconcile(csv);
    const balances = { opening: 1n, closing: 1n, deposits: 0n };
    const proposed = await ledger.load(csv, { balances });
    expect(proposed).toMatchObject({ value: { statement: { state: "proposed" } } });
    const words = { erledigt: "completed" } as const;
    const other = await ledger.load(csv, { changes: { words } });
    if (!other.ok) throw new Error(JSON.stringify(other.error));
    const { id, state } = other.value.statement;
    expect(state).toBe("proposed");
    const withdraws = proposed.ok && proposed.value.statement.id;
    expect((await ledger.audit()).at(-1)?.facts).toMatchObject({ withdraws });
    await decideProposedStatement({ id, agree: false, actor: approver }, ledger.deps());
    const current = await ledger.open.ledger.reconciliation.findStatement(LANE, DAY.day);
    expect(current).toMatchObject({ mappingVersion: 1, balances: null });
  });
});

describe("the database refuses", () => {
  const FORBIDDEN: readonly (readonly [string, string, string])[] = [
    [
      "to resolve a break",
      "update breaks set state = 'resolved'",
      "without a confirmed resolution",
    ],
    ["to edit a break", "update breaks set statement_shows = 'x'", "are not edited"],
    ["to rename a break", "update breaks set code = 'x'", "are not edited"],
    [
      "to insert a resolved break",
      `insert into breaks (lane, day, class, code, statement_id, lines, basis, comparison, state)
       select lane, day, 'fee', 'x', statement_id, '{}', '', '', 'resolved' from breaks`,
      "a new break is open",
    ],
    ["to change a digest", "update statements set digest = 'x'", "is not edited"],
    [
      "to change balances",
      "update statements set opening_minor = 1, closing_minor = 1, deposits_minor = 1",
      "is not edited",
    ],
    ["to reuse a statement", "update statements set state = 'refused'", "is not edited"],
    [
      "to replace a compared statement alone",
      `with old as (update statements set state = 'replaced' returning *)
       insert into statements (id, lane, day, starts_at, ends_at, digest, file_name, mapping_version, zone, lines, minor_digits, actor, state)
       select 'X', lane, day, starts_at, ends_at, digest, file_name, mapping_version, zone, lines, minor_digits, 'user:1', 'current' from old`,
      "confirmed by another person",
    ],
  ];
  test.each(FORBIDDEN)("%s", async (_, statement, message) => {
    await oneBreak();
    await expect(sql.raw(statement).execute(ledger.database)).rejects.toThrow(message);
  });
});
