import type { FastifyInstance } from "fastify";
import { Problem } from "#api/app/problems.ts";
import { closeDay } from "#flows/reconciliation/close-day.ts";
import { openDays } from "#flows/reconciliation/open-days.ts";
import { decideOnDay, proposeOnDay } from "#flows/reconciliation/work-days.ts";
import { orRefuse } from "#http/server/problems.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";
import { sendFile } from "#http/server/send-file.ts";
import { findNextDay, findOpeningBalances } from "#ledger/reconciliation/day-closes.ts";
import { amountRuleText } from "#money/format.ts";
import { parseDecimal } from "#money/money.ts";
import type { ExactAmount } from "#reconciliation/records.ts";
import { daysAfter, isDay } from "#reconciliation/statement-time.ts";
import { isZone } from "#schedule/calendar.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Person } from "#views/person.ts";
import { reconciledLanes } from "#views/reconciliation/lanes.ts";
import { allItems } from "#views/reconciliation/day-items.ts";
import { dayRecords } from "#views/reconciliation/day-report.ts";
import { type AskedVersion, dayView, findVersion, listedDays } from "#views/reconciliation/days.ts";

type Deps = RouteDeps & Pick<ServerDeps, "ledger">;

/** Registers the routes for business days. */
export function dayRoutes(app: FastifyInstance, deps: Deps): void {
  listRoute(app, deps);
  dayViewRoutes(app, deps);
  closeRoutes(app, deps);
  proposalRoutes(app, deps);
}

async function show(asked: AskedVersion, person: Person, deps: Deps) {
  const shown = await dayView(asked, person, deps);
  if (!shown) throw new Problem("not_found", { detail: "This day or version does not exist." });
  return shown;
}

/** Reads an amount that a person entered, in the digits of the lane's currency. */
async function amountIn(
  lane: string,
  name: string,
  text: string,
  { ledger }: Deps,
): Promise<ExactAmount> {
  const known = (await ledger.payout.findAllLanes()).find((each) => each.lane === lane);
  if (!known) throw new Problem("not_found", { detail: `Lane ${lane} has never had a payout.` });
  const isNegative = text.startsWith("-");
  const read = parseDecimal(isNegative ? text.slice(1) : text, known.minorDigits);
  const { currency, minorDigits } = known;
  if (read?.minorDigits !== minorDigits) {
    throw invalid(name, amountRuleText(currency, minorDigits));
  }
  return { ...read, minor: isNegative ? -read.minor : read.minor };
}

function listRoute(app: FastifyInstance, deps: Deps): void {
  const { database, ledger } = deps;
  route(app, deps, "GET /api/reconciliation-lanes", async () => ({
    items: await reconciledLanes(deps),
  }));
  route(app, deps, "GET /api/days", async ({ query: { month, lane } }) => {
    const from = `${month}-01`;
    const to = daysAfter(`${daysAfter(from, 31).slice(0, 7)}-01`, -1);
    const [opened, lanes, items] = await Promise.all([
      findOpeningBalances(database),
      ledger.payout.findAllLanes(),
      listedDays({ from, to, lane: lane ?? null }, deps),
    ]);
    const known = new Set(opened.map((each) => each.lane));
    return {
      lanes: await Promise.all(
        opened.map(async (each) => ({
          lane: each.lane,
          zone: each.zone,
          first_day: each.day,
          next_day: (await findNextDay(database, each.lane)) ?? each.day,
        })),
      ),
      other_lanes: lanes.flatMap((each) => (known.has(each.lane) ? [] : [each.lane])),
      items,
    };
  });
}

function dayViewRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, "GET /api/days/:day", ({ params, query, person }) =>
    show({ ...params, ...query }, person, deps),
  );

  route(app, deps, "GET /api/days/:day/report", async ({ params, query, person, reply }) => {
    const { format, ...asked } = query;
    const shown = await show({ ...params, ...asked }, person, deps);
    const name = `day-${params.day}-${asked.lane.replaceAll(/[^A-Za-z0-9]+/g, "-")}`;
    const laneDay = {
      lane: shown.lane,
      day: shown.day,
      startsAt: new Date(shown.starts_at),
      endsAt: new Date(shown.ends_at),
    };
    const records = dayRecords(shown, allItems(laneDay, deps));
    return sendFile(reply, name, format, records, ",");
  });

  route(app, deps, "GET /api/days/:day/document", async ({ params, query, reply }) => {
    const found = await findVersion({ ...params, ...query }, deps);
    if (!found) throw new Problem("not_found", { detail: "This version does not exist." });
    const name = `day-${params.day}-version-${found.version}.json`;
    return reply
      .type("application/json; charset=utf-8")
      .header("content-disposition", `attachment; filename="${name}"`)
      .send(found.document);
  });
}

function closeRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, "POST /api/days/:day/open", async ({ params, body, person }) => {
    const { lane, balance, reason, zone } = body;
    const { day } = params;
    if (!isDay(day)) throw invalid("day", "must be a date from 1970 to 2999");
    if (zone !== undefined && !isZone(zone))
      throw invalid("zone", "must be a time zone such as Asia/Kolkata");
    const entered =
      balance === undefined || reason === undefined
        ? null
        : { amount: await amountIn(lane, "balance", balance, deps), reason };
    const { actor } = person;
    orRefuse(await openDays({ lane, day, entered, zone: zone ?? null, actor }, deps));
    return show({ lane, day }, person, deps);
  });

  route(app, deps, "POST /api/days/:day/close", async ({ params, body, person }) => {
    const asked = { ...params, ...body };
    orRefuse(await closeDay(asked, person.actor, deps));
    return show(asked, person, deps);
  });
}

function proposalRoutes(app: FastifyInstance, deps: Deps): void {
  const { ledger } = deps;
  route(app, deps, "POST /api/days/:day/adjust", async ({ params, body, person }) => {
    const asked = { lane: body.lane, day: params.day };
    const amount = await amountIn(body.lane, "amount", body.amount, deps);
    if (amount.minor === 0n) throw invalid("amount", "must be an amount other than zero");
    const { actor } = person;
    orRefuse(await proposeOnDay({ ...asked, amount, reason: body.reason, actor }, deps));
    return show(asked, person, deps);
  });

  route(app, deps, "POST /api/days/:day/reopen", async ({ params, body, person }) => {
    const asked = { lane: body.lane, day: params.day };
    const { actor } = person;
    orRefuse(await proposeOnDay({ ...asked, amount: null, reason: body.reason, actor }, deps));
    return show(asked, person, deps);
  });

  route(app, deps, "POST /api/days/:day/decide", async ({ params, body, person }) => {
    const { lane, agree, proposal: id } = body;
    const known = await ledger.reconciliation.findDayProposal(id);
    if (known?.lane !== lane || known.day !== params.day) throw new Problem("not_found");
    orRefuse(await decideOnDay({ id, agree, actor: person.actor }, deps));
    return show({ lane, day: params.day }, person, deps);
  });
}

const invalid = (name: string, message: string): Problem =>
  new Problem("invalid_request", { places: [{ place: `body.${name}`, message }] });
