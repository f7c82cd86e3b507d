import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { AnswerOf } from "#api/app/operation.ts";
import type { HomeView } from "#api/operations/home.ts";
import type { HOME_TASKS_API } from "#api/operations/home-tasks.ts";
import { messageOf } from "#base/log.ts";
import { queryBalances } from "#flows/approval/query-balance.ts";
import { balanceDeps } from "#http/approval/payout-limits.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Person } from "#views/person.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import type { Figures } from "#views/operations/home-figures.ts";
import { ownTasks } from "#views/operations/home-tasks.ts";
import { nextRuns } from "#views/operations/next-runs.ts";
import type { Overview } from "#views/operations/overview.ts";
import { titleAndDetail } from "#operations/alarm-texts.ts";
import { route } from "#http/server/routes.ts";
import { findWaitingBatches } from "#ledger/approval/waiting-batches.ts";
import { countAwaitingCorrection } from "#ledger/payout/batches.ts";
import { findAllLanes } from "#ledger/payout/lane/balances.ts";

const queryAllBalances = async (deps: ServerDeps): Promise<void> =>
  queryBalances(await findAllLanes(deps.database), balanceDeps(deps));

type HomeAlarms = AnswerOf<(typeof HOME_TASKS_API)["GET /api/home/tasks"]>["alarms"];

/** Splits an alarm into its lanes, batches or reasons, each with its payouts. */
const partsOf = ({ code, says, parts }: Overview["alarms"][number]): HomeAlarms =>
  parts.length === 0
    ? [{ code, says, ...titleAndDetail(says), about: null }]
    : parts.map(({ says: sentence, ...about }) => ({
        code,
        says: sentence,
        ...titleAndDetail(sentence),
        about,
      }));

/** Adds the API routes for the home page. */
export function homeRoutes(app: FastifyInstance, deps: ServerDeps, live: LiveDocuments): void {
  const { database, clock, log } = deps;

  /** The alarms that stop or endanger payouts. Only operators see them. */
  const alarmsFor = async ({ permissions }: Person): Promise<Overview["alarms"]> => {
    if (!permissions.has("operate")) return [];
    const operations = (await live.documentOf("operations").catch(() => null)) as Overview | null;
    return (operations?.alarms ?? []).filter(({ level }) => level === "critical");
  };

  route(app, deps, "GET /api/home", async ({ person }) => {
    const [view, alarms, waiting, correct] = await Promise.all([
      live.documentOf("home"),
      alarmsFor(person),
      person.kind === "user" ? findWaitingBatches(database, person.id) : [],
      countAwaitingCorrection(database, person.actor),
    ]);
    const approve = waiting.filter(({ mine }) => mine).length;
    const you = { approve, correct, alarms: alarms.map(({ says }) => says) };
    return { ...(view as z.output<typeof HomeView>), you };
  });

  route(app, deps, "GET /api/home/tasks", async ({ person }) => {
    const [own, alarms, next] = await Promise.all([
      ownTasks(person, deps),
      alarmsFor(person),
      nextRuns(deps),
    ]);
    const at = new Date(clock.nowMs()).toISOString();
    return { at, ...own, alarms: alarms.flatMap(partsOf), next_runs: [...next] };
  });

  route(app, deps, "GET /api/home/figures", async () => {
    // The next reader sees the answers of the gateway, so no reader waits.
    void queryAllBalances(deps).catch((error: unknown) =>
      log.warn({ err: messageOf(error) }, "balance queries for the home page failed"),
    );
    return (await live.documentOf("figures")) as Figures;
  });
}
