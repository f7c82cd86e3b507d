import { resolve } from "node:path";
import type { Readable } from "node:stream";
import cookie from "@fastify/cookie";
import helmet from "@fastify/helmet";
import type { FastifyBodyParser, FastifyInstance } from "fastify";
import { apiDescription } from "#http/app/api-description.ts";
import { approvalRuleRoutes } from "#http/approval/approval-rules.ts";
import { approvalRoutes } from "#http/approval/approvals.ts";
import { batchPageRoutes } from "#http/intake/batch-page.ts";
import { retentionRoutes } from "#http/integrity/retention.ts";
import { archiveRoutes } from "#http/integrity/archives.ts";
import { auditRoutes } from "#http/integrity/audit.ts";
import { erasureRoutes } from "#http/integrity/erasures.ts";
import { evidencePackRoutes } from "#http/integrity/evidence-packs.ts";
import { batchOrderRoutes } from "#http/payout/batch-orders.ts";
import { batchFileRoutes } from "#http/intake/batch-files.ts";
import { batchRowRoutes } from "#http/intake/batch-rows.ts";
import { singlePayoutRoutes } from "#http/intake/single-payouts.ts";
import { leftOutRowRoutes } from "#http/intake/left-out-rows.ts";
import { repairRoutes } from "#http/intake/repairs.ts";
import { batchListRoutes } from "#http/intake/batch-list.ts";
import { batchRoutes } from "#http/intake/batches.ts";
import { breakActionRoutes } from "#http/reconciliation/break-actions.ts";
import { breakRoutes } from "#http/reconciliation/breaks.ts";
import { dayRoutes } from "#http/reconciliation/days.ts";
import { boardRoutes } from "#http/operations/queue-board.ts";
import { depositRoutes } from "#http/deposit/deposits.ts";
import type { ServerDeps } from "#views/deps.ts";
import { commentRoutes } from "#http/comment/comments.ts";
import { comparisonRoutes } from "#http/approval/comparison.ts";
import { compressAnswers } from "#http/server/compression.ts";
import { eventRoutes } from "#http/feed/events.ts";
import { failureRoutes } from "#http/operations/failures.ts";
import { freezeRoutes } from "#http/integrity/freeze.ts";
import { frameRoutes } from "#http/operations/frame.ts";
import { homeRoutes } from "#http/operations/home.ts";
import { TOPICS } from "#http/app/topics.ts";
import { LiveDocuments, liveRoutes } from "#http/server/live.ts";
import { inboxRoutes } from "#http/notification/inbox.ts";
import { payoutLimitRoutes } from "#http/approval/payout-limits.ts";
import { channelRoutes, deliveryRoutes } from "#http/notification/notices.ts";
import { laneRoutes } from "#http/payout/lanes.ts";
import { methodsAt } from "#http/server/methods.ts";
import { priorityRoutes } from "#http/approval/priority.ts";
import { merchantAccountRoutes } from "#http/operations/merchant-accounts.ts";
import { monitoringRoutes } from "#http/operations/monitoring.ts";
import { operationsRoutes } from "#http/operations/operations.ts";
import { keyRoutes } from "#http/people/keys.ts";
import { peopleRoutes } from "#http/people/people.ts";
import { limitFiles } from "#http/server/quotas.ts";
import { answerProblem, problemOf } from "#http/server/problems.ts";
import { Problem } from "#api/app/problems.ts";
import { payoutRoutes } from "#http/payout/payouts.ts";
import { pendingChangeRoutes } from "#http/people/pending-changes.ts";
import { profileRoutes } from "#http/people/profile.ts";
import { denyByDefault, allowRoutes } from "#http/server/access.ts";
import { retryBatchRoutes } from "#http/payout/retry-batches.ts";
import { scheduleRoutes } from "#http/schedule/schedules.ts";
import { sendTimeRoutes } from "#http/schedule/send-times.ts";
import { sentRowRoutes } from "#http/approval/sent-rows.ts";
import { sessionRoutes } from "#http/people/session.ts";
import { deleteStaleUploads } from "#http/server/upload-spool.ts";
import { statementRoutes } from "#http/reconciliation/statements.ts";
import { staticRoutes } from "#http/app/static.ts";
import { templateRoutes } from "#http/intake/templates.ts";
import { reportRoutes } from "#http/operations/reports.ts";
import { assignmentRoutes } from "#http/operations/failure-assignments.ts";
import { viewRoutes } from "#http/people/saved-views.ts";
import { messageOf } from "#base/log.ts";

/** Registers the routes with which people reconcile and report. */
function reconciliationRoutes(app: FastifyInstance, deps: ServerDeps): void {
  breakRoutes(app, deps);
  breakActionRoutes(app, deps);
  dayRoutes(app, deps);
  statementRoutes(app, deps);
  reportRoutes(app, deps);
}

/**
 * Registers the API, its description, and the pages. Every route registered here and below states
 * who may use it.
 */
export async function dashboardApp(app: FastifyInstance, deps: ServerDeps): Promise<void> {
  answerProblems(app, deps);
  // Uploaded files are passed on as streams and not parsed here. All other bodies are JSON.
  app.removeContentTypeParser(["text/plain", "application/json"]);
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, jsonParser(app));
  app.addContentTypeParser("*", (_request: unknown, file: Readable, done) => done(null, file));
  await app.register(cookie);
  await app.register(helmet, HEADERS);
  await compressAnswers(app);
  app.addHook("onRequest", async (request, reply) => {
    if (request.url.startsWith("/api/")) reply.header("cache-control", "no-store");
  });
  denyByDefault(app, deps);
  limitFiles(app, deps);
  await deleteStaleUploads(resolve(deps.config.PAYRUN_DATA));

  const live = new LiveDocuments(deps, TOPICS);
  sessionRoutes(app, deps);
  scheduleRoutes(app, deps);
  sendTimeRoutes(app, deps, live);
  approvalRoutes(app, deps, live);
  approvalRuleRoutes(app, deps);
  sentRowRoutes(app, deps);
  batchListRoutes(app, deps);
  batchRoutes(app, deps, live);
  batchRowRoutes(app, deps);
  singlePayoutRoutes(app, deps, live);
  repairRoutes(app, deps, live);
  leftOutRowRoutes(app, deps, live);
  batchFileRoutes(app, deps);
  templateRoutes(app, deps);
  batchPageRoutes(app, deps, live);
  batchOrderRoutes(app, deps, live);
  reconciliationRoutes(app, deps);
  commentRoutes(app, deps);
  comparisonRoutes(app, deps);
  retryBatchRoutes(app, deps);
  depositRoutes(app, deps, live);
  eventRoutes(app, deps);
  failureRoutes(app, deps);
  frameRoutes(app, deps, live);
  assignmentRoutes(app, deps, live);
  homeRoutes(app, deps, live);
  liveRoutes(app, deps, live);
  operationsRoutes(app, deps, live);
  monitoringRoutes(app, deps);
  merchantAccountRoutes(app, deps, live);
  freezeRoutes(app, deps, live);
  laneRoutes(app, deps, live);
  priorityRoutes(app, deps, live);
  integrityRoutes(app, deps, live);
  payoutLimitRoutes(app, deps);
  channelRoutes(app, deps);
  deliveryRoutes(app, deps);
  inboxRoutes(app, deps);
  profileRoutes(app, deps);
  viewRoutes(app, deps);
  peopleRoutes(app, deps);
  keyRoutes(app, deps);
  pendingChangeRoutes(app, deps);
  payoutRoutes(app, deps, live);

  await app.register(async (description) => apiDescription(description, deps));
  await app.register(async (board) => boardRoutes(board, deps));
  await app.register(async (pages) => {
    allowRoutes(pages, "public");
    await staticRoutes(pages);
  });
}

/** Registers what proves the history of the ledger, moves it to files, or erases a person. */
function integrityRoutes(app: FastifyInstance, deps: ServerDeps, live: LiveDocuments): void {
  archiveRoutes(app, deps);
  retentionRoutes(app, deps);
  auditRoutes(app, deps);
  erasureRoutes(app, deps, live);
  evidencePackRoutes(app, deps);
}

/**
 * Parses JSON strictly as UTF-8 (RFC 8259, 8.1). A lenient reading would turn each letter of
 * another encoding into a � in stored and sent texts.
 */
function jsonParser(app: FastifyInstance): FastifyBodyParser<Buffer> {
  const parse = app.getDefaultJsonParser("error", "error");
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return (request, body, done) => {
    let text: string;
    try {
      text = decoder.decode(body);
    } catch {
      done(new Problem("invalid_request", { detail: "The body is not valid UTF-8." }));
      return;
    }
    void parse(request, text, done);
  };
}

function answerProblems(app: FastifyInstance, { log }: ServerDeps): void {
  app.setErrorHandler(async (error, request, reply) => {
    const { url: route, bodyLimit } = request.routeOptions;
    const problem = problemOf(error, bodyLimit) ?? new Problem("unexpected");
    if (isClientGone(error, request.raw)) log.info({ route }, "client aborted the request");
    else if (problem.code === "unexpected") {
      log.error({ err: error, route }, "failed to respond to a request");
    } else if (problem.code === "database_unavailable") {
      log.warn({ err: messageOf(error), route }, "failed to respond to a request");
    }
    return answerProblem(reply, problem);
  });
  app.setNotFoundHandler(async ({ method, url }, reply) =>
    answerProblem(reply, notFoundAt(method, url)),
  );
}

/**
 * Whether the client disconnected. This is no fault of the server, and there is no client left to
 * answer.
 */
const isClientGone = (error: unknown, { errored }: Readable): boolean =>
  errored !== null && errored === error && "code" in errored && errored.code === "ECONNRESET";

function notFoundAt(method: string, url: string): Problem {
  const [path = ""] = url.split("?", 1);
  const methods = methodsAt(path);
  if (methods.length === 0 || methods.includes(method)) return new Problem("not_found");
  const allow = methods.join(", ");
  return new Problem(
    "method_not_allowed",
    { detail: `${path} does not support ${method}. Use ${allow}.` },
    { allow },
  );
}

const SELF = "'self'";
/**
 * Permits only our own files, nothing inline without the nonce of the answer, and no framing by
 * other sites.
 */
const HEADERS = {
  enableCSPNonces: true,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: [SELF],
      styleSrc: [SELF],
      imgSrc: [SELF, "data:"],
      fontSrc: [SELF],
      connectSrc: [SELF],
      manifestSrc: [SELF],
      formAction: [SELF],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
  xFrameOptions: { action: "deny" as const },
};
