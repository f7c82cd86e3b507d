import { newId } from "#base/ids.ts";
import { err, ok, type Result } from "#base/result.ts";
import {
  askForMapping,
  type ChosenMapping,
  mappingFor,
} from "#flows/reconciliation/choose-mapping.ts";
import type {
  LoadedStatement,
  LoadRefusal,
  StatementDeps,
  StatementUpload,
} from "#flows/reconciliation/statement-upload.ts";
import {
  digestOf,
  HasLinesOutsideDay,
  OtherHeader,
  storeLines,
  Unreadable,
} from "#flows/reconciliation/store-lines.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { Statement, StatementBalances } from "#ledger/reconciliation/statements.ts";
import { inheritanceProblems } from "#reconciliation/statement-balances.ts";
import { businessDay } from "#reconciliation/statement-time.ts";

/**
 * Loads a statement: all of its lines, or nothing. If one of the same day has been compared, the
 * new one is proposed, and replaces it when an approver confirms. The same file with the same
 * mapping and balances is loaded once.
 */
export async function loadStatement(
  upload: StatementUpload,
  deps: StatementDeps,
): Promise<Result<LoadedStatement, LoadRefusal>> {
  const stored = await deps.ledger.reconciliation.findStatementMapping(upload.lane);
  const mapping = await mappingFor(upload, stored);
  if (!mapping.ok) return mapping;
  const known = await findLoaded(upload, mapping.value, deps);
  if (known) return ok(known);
  try {
    const work = (ledger: LedgerSteps) => load(upload, mapping.value, { ...deps, ledger });
    return ok(await deps.ledger.transaction(work));
  } catch (error) {
    if (error instanceof OtherHeader) return askForMapping(upload, stored);
    if (error instanceof Unreadable) return err({ kind: "unreadable", problems: error.problems });
    if (error instanceof HasLinesOutsideDay)
      return err({ kind: "outside_day", count: error.count });
    throw error;
  }
}

/** Returns the statement if this file has been loaded in the same way. Null: it has not. */
async function findLoaded(
  upload: StatementUpload,
  { mapping, version }: ChosenMapping,
  { ledger: { reconciliation } }: StatementDeps,
): Promise<LoadedStatement | null> {
  if (version === null) return null;
  const { lane, day, balances } = upload;
  for (const state of ["proposed", "current"] as const) {
    const known = await reconciliation.findStatement(lane, day, state);
    const isSame =
      known?.mappingVersion === version &&
      (balances === null || isEqual(known.balances, balances)) &&
      known.digest === (await digestOf(upload));
    if (known && isSame)
      return { statement: known, mapping: { ...mapping, version }, isNew: false };
  }
  return null;
}

const isEqual = (left: StatementBalances | null, right: StatementBalances): boolean =>
  left?.opening === right.opening &&
  left.closing === right.closing &&
  (left.deposits ?? 0n) === (right.deposits ?? 0n);

async function load(
  upload: StatementUpload,
  { mapping, version }: ChosenMapping,
  { ledger, clock }: StatementDeps,
): Promise<LoadedStatement> {
  const { lane, account, day, fileName, actor } = upload;
  const { reconciliation } = ledger;
  const id = newId("ST");
  const at = new Date(clock.nowMs());
  const { from, to } = businessDay(day, mapping.zone);
  const times = { from, to };
  const { digest, lines, balances, stated } = await storeLines(id, upload, mapping, times, ledger);
  await reconciliation.lockStatements(lane);
  const mappingVersion = version ?? (await storeMapping(upload, mapping, { ledger, at }));
  const current = await reconciliation.findStatement(lane, day);
  const inherited = balances ? null : (current?.balances ?? null);
  const problems = inherited
    ? inheritanceProblems(stated, inherited, { ...account, payoutSign: mapping.payoutSign })
    : [];
  if (problems.length > 0) throw new Unreadable(problems);
  const statement: Statement = {
    id,
    lane,
    day,
    startsAt: from,
    endsAt: to,
    zone: mapping.zone,
    minorDigits: account.minorDigits,
    mappingVersion,
    digest,
    fileName,
    lines,
    actor,
    state: (await needsConfirmation(upload, ledger)) ? "proposed" : "current",
    balances: balances ?? inherited,
  };
  const withdrawn = await makeRoom(statement, ledger);
  await reconciliation.insertStatement(statement);
  const facts = {
    ...factsOf(statement),
    ...(current && { replaces: current.id }),
    ...(withdrawn !== null && { withdraws: withdrawn }),
    ...(upload.outsideDay > 0 && { outside_day: upload.outsideDay }),
  };
  await ledger.integrity.appendAudit(at, { actor, action: "load_statement", object: id, facts });
  return { statement, mapping: { ...mapping, version: mappingVersion }, isNew: true };
}

/** Returns the facts of a statement for the audit log. */
export function factsOf(statement: Statement): Readonly<Record<string, unknown>> {
  const { lane, day, fileName: file, digest, lines, mappingVersion, state, balances } = statement;
  const facts = { lane, day, file, digest, lines, mapping: mappingVersion, state };
  if (!balances) return facts;
  const { opening, closing, deposits } = balances;
  const minor = { opening: `${opening}`, closing: `${closing}`, deposits: `${deposits ?? 0n}` };
  return { ...facts, balances_minor: minor, digits: statement.minorDigits };
}

async function storeMapping(
  { lane, actor }: StatementUpload,
  mapping: ChosenMapping["mapping"],
  { ledger, at }: { readonly ledger: LedgerSteps; readonly at: Date },
): Promise<number> {
  const version = await ledger.reconciliation.insertStatementMapping({ lane, mapping, actor });
  const { columns, words, amountStyle, payoutSign, zone } = mapping;
  const facts = {
    version,
    columns,
    words,
    amount_style: amountStyle,
    payout_sign: payoutSign,
    zone,
  };
  await ledger.integrity.appendAudit(at, { actor, action: "map_statement", object: lane, facts });
  return version;
}

/**
 * Returns whether an approver must confirm the statement, because it replaces a compared one. On
 * the command line of a ledger without approvers, nobody could.
 */
async function needsConfirmation(
  { lane, day, actor }: StatementUpload,
  { reconciliation, payout }: LedgerSteps,
): Promise<boolean> {
  if (!(await reconciliation.hasComparedStatement(lane, day))) return false;
  return !actor.startsWith("cli:") || payout.hasApprover();
}

/**
 * Replaces the current statement of a day, and withdraws the proposed one, because a day has one of
 * each. Returns the withdrawn one. Null: there was none.
 */
async function makeRoom(
  { lane, day, state, actor }: Statement,
  { reconciliation }: LedgerSteps,
): Promise<string | null> {
  if (state === "current") await reconciliation.replaceStatement(lane, day);
  const waiting = await reconciliation.findStatement(lane, day, "proposed");
  if (!waiting) return null;
  await reconciliation.decideStatement({ id: waiting.id, state: "refused", by: actor });
  return waiting.id;
}
