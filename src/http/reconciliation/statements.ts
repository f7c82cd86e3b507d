import type { FastifyInstance } from "fastify";
import type { STATEMENT_API, StatementResult } from "#api/reconciliation/statements.ts";
import type { QueryOf } from "#api/app/operation.ts";
import { Problem } from "#api/app/problems.ts";
import { compareDay } from "#flows/reconciliation/compare-day.ts";
import { decideProposedStatement } from "#flows/reconciliation/decide-statement.ts";
import { loadStatement } from "#flows/reconciliation/load-statement.ts";
import type { LoadRefusal, StatementUpload } from "#flows/reconciliation/statement-upload.ts";
import { orRefuse } from "#http/server/problems.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";
import type { Statement } from "#ledger/reconciliation/statements.ts";
import { amountRuleText } from "#money/format.ts";
import { parseDecimal } from "#money/money.ts";
import { parseChoices } from "#reconciliation/mapping-choices.ts";
import type { StatementMapping } from "#reconciliation/statement-mapping.ts";
import { decimal } from "#reconciliation/day-figures.ts";
import type { StatementProblem } from "#reconciliation/statement-table.ts";
import type { StatementAccount } from "#reconciliation/statement-reader.ts";
import { isDay } from "#reconciliation/statement-time.ts";
import { isZone } from "#schedule/calendar.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Person } from "#views/person.ts";
import { proposedStatements, statementResult } from "#views/reconciliation/statements.ts";

type Asked = QueryOf<(typeof STATEMENT_API)["POST /api/statements"]>;

/** Registers the upload of statements. */
export function statementRoutes(
  app: FastifyInstance,
  deps: RouteDeps & Pick<ServerDeps, "ledger">,
): void {
  const { ledger } = deps;

  /** Compares a current statement. A proposed or refused one has no comparison. */
  const compared = async (loaded: Loaded, person: Person): Promise<StatementResult> => {
    if (loaded.state === "replaced") throw new Problem("content_changed");
    if (loaded.state !== "current") return statementResult(loaded, null);
    return statementResult(loaded, orRefuse(await compareDay(loaded, person.actor, deps)));
  };

  route(app, deps, "POST /api/statements", async ({ query, file, person }) => {
    const { lane, day } = query;
    if (!isDay(day)) throw invalid("day", "must be a date from 1970 to 2999");
    const known = (await ledger.payout.findAllLanes()).find((each) => each.lane === lane);
    if (!known) throw new Problem("not_found", { detail: `Lane ${lane} has never had a payout.` });
    const upload = uploadOf(query, { account: known, actor: person.actor, open: file.open });
    const loaded = await loadStatement(upload, deps);
    if (!loaded.ok) throw refused(loaded.error, day);
    const { statement, isNew } = loaded.value;
    return compared({ ...statement, isNew }, person);
  });

  route(app, deps, "GET /api/statements", async ({ person }) => ({
    items: await proposedStatements(person, deps),
  }));

  route(app, deps, "POST /api/statements/:id/decide", async ({ params: { id }, body, person }) => {
    const { agree } = body;
    orRefuse(await decideProposedStatement({ id, agree, actor: person.actor }, deps));
    const decided = await ledger.reconciliation.findStatementById(id);
    if (!decided) throw new Problem("not_found");
    return compared({ ...decided, isNew: true }, person);
  });
}

type Loaded = Statement & { readonly isNew: boolean };

interface Uploaded {
  readonly account: StatementAccount;
  readonly actor: string;
  readonly open: StatementUpload["open"];
}

function uploadOf(query: Asked, { account, actor, open }: Uploaded): StatementUpload {
  const { currency, minorDigits } = account;
  const { lane, day, total } = query;
  return {
    lane,
    account: { currency, minorDigits },
    day,
    fileName: query.file_name,
    actor,
    open,
    changes: changesOf(query),
    isConfirmed: query.confirm_mapping === "true",
    isReview: query.confirm_mapping === "false",
    outsideDay: query.outside_day ?? 0,
    control: {
      lines: query.lines ?? null,
      total: total === undefined ? null : parseDecimal(total, minorDigits),
    },
    balances: balancesOf(query, { currency, minorDigits }),
  };
}

const invalid = (name: string, message: string): Problem =>
  new Problem("invalid_request", { places: [{ place: `query.${name}`, message }] });

function changesOf({ columns, words, amounts, sign, zone }: Asked): Partial<StatementMapping> {
  const choices = parseChoices(columns ?? [], words ?? []);
  if (!choices.ok) {
    throw invalid(
      "columns",
      `"${choices.error}" is not a name with its meaning, or contradicts it`,
    );
  }
  if (zone !== undefined && !isZone(zone))
    throw invalid("zone", "must be a time zone such as Asia/Kolkata");
  return {
    ...(columns && { columns: choices.value.columns }),
    ...(words && { words: choices.value.words }),
    ...(amounts && { amountStyle: amounts }),
    ...(sign && { payoutSign: sign }),
    ...(zone !== undefined && { zone }),
  };
}

function balancesOf({ opening, closing, deposits }: Asked, account: StatementAccount) {
  const { currency, minorDigits } = account;
  if (opening === undefined && closing === undefined && deposits === undefined) return null;
  const minor = (name: string, text: string | undefined): bigint => {
    const read = text === undefined ? null : parseDecimal(text, minorDigits);
    if (read?.minorDigits !== minorDigits) {
      throw invalid(name, amountRuleText(currency, minorDigits));
    }
    return read.minor;
  };
  return {
    opening: minor("opening", opening),
    closing: minor("closing", closing),
    deposits: deposits === undefined ? 0n : minor("deposits", deposits),
  };
}

/** Returns the problem for a statement that is not loaded. */
function refused(refusal: LoadRefusal, day: string): Problem {
  if (refusal.kind === "outside_day") {
    const { count } = refusal;
    const lines = count === 1 ? "1 line has a time" : `${count} lines have times`;
    const detail = `${lines} outside ${day}. The statement was not loaded. Check these lines, and confirm their number.`;
    return new Problem("reading_unconfirmed", { detail, outside_day: count });
  }
  if (refusal.kind === "unreadable") {
    const problems = refusal.problems.map(problemView);
    return new Problem("file_unreadable", { detail: problems[0]?.message ?? "", problems });
  }
  const { mapping, names, samples, missing, review, isByPerson } = refusal;
  return new Problem("reading_unconfirmed", {
    detail: isByPerson
      ? "Confirm the mapping of the statement's columns. The statement was not loaded."
      : "A person must confirm the mapping of the statement's columns. The statement was not loaded.",
    mapping: {
      columns: mapping.columns,
      words: mapping.words,
      amounts: mapping.amountStyle,
      sign: mapping.payoutSign,
      zone: mapping.zone,
    },
    names,
    samples,
    missing,
    review: review && {
      lines: review.lines,
      total: decimal(review.total),
      outside_day: review.outsideDay,
      problems: review.problems.slice(0, REVIEWED_PROBLEMS).map(problemView),
    },
  });
}

/** Number of unreadable rows that a person sees before confirming a mapping. */
const REVIEWED_PROBLEMS = 5;

const problemView = ({ line, column, message, expected, found }: StatementProblem) => ({
  line,
  column,
  message,
  expected,
  found,
});
