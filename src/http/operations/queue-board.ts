import { createBullBoard } from "@bull-board/api";
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter";
import { FastifyAdapter } from "@bull-board/fastify";
import type { FastifyInstance } from "fastify";
import type { ServerDeps } from "#views/deps.ts";
import { problemOf } from "#http/server/problems.ts";
import { Problem } from "#api/app/problems.ts";
import { allowRoutes } from "#http/server/access.ts";
import { callbackJob } from "#jobs/callback.ts";
import { depositJob } from "#jobs/deposit.ts";
import { resolveJob, submitJob } from "#jobs/submit.ts";

const PATH = "/api/board";
const READ_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Shows the queues through BullMQ's board, for operators, read-only. Every request that could
 * change something is refused before it reaches the board: payouts are managed only on payrun's own
 * pages.
 */
export async function boardRoutes(app: FastifyInstance, { queues }: ServerDeps): Promise<void> {
  const server = new FastifyAdapter();
  const board = createBullBoard({
    queues: [],
    serverAdapter: server,
    options: { uiConfig: { boardTitle: "Queues (read-only)" } },
  });
  server.setBasePath(PATH);
  // The board's own error handler would report a refusal as a server error.
  server.setErrorHandler((error) => {
    const problem = problemOf(error) ?? new Problem("unexpected");
    return { status: problem.status as 500, body: problem.document() };
  });

  let opening: Promise<void> | null = null;
  const open = async () => {
    const names = [submitJob, resolveJob, callbackJob, depositJob].map(({ queue }) => queue);
    const shown = await Promise.all(names.map((name) => queues.queue(name)));
    board.setQueues(shown.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })));
  };
  allowRoutes(app, "operate");
  app.addHook("onRequest", async (request, reply) => {
    if (!READ_METHODS.has(request.method)) throw new Problem("queue_board_read_only");
    // The board's page names the address to which its file paths are relative.
    const policy = String(reply.getHeader("content-security-policy"));
    reply.header("content-security-policy", policy.replace("base-uri 'none'", "base-uri 'self'"));
    opening ??= open();
    await opening.catch((error: unknown) => {
      opening = null;
      throw error;
    });
  });
  await app.register(server.registerPlugin(), { prefix: PATH });
}
