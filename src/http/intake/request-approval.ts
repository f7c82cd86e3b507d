import type { FastifyInstance } from "fastify";
import { parseControlTotals } from "#intake/batch/control-totals.ts";
import { storedAsNumberText } from "#intake/workbook/numeric-accounts.ts";
import { type BatchState, stateText } from "#intake/batch/batch-lifecycle.ts";
import { requestApproval, type RequestApprovalRefusal } from "#flows/approval/request-approval.ts";
import { whyNotPrioritize } from "#views/approval/approval-state.ts";
import { lineOf } from "#views/intake/batch-lines.ts";
import { notFound } from "#views/intake/batch.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { Problem } from "#api/app/problems.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";

/** @param follow runs when the batch has been sent for approval. */
export function requestApprovalRoute(
  app: FastifyInstance,
  deps: RouteDeps & Pick<ServerDeps, "ledger">,
  live: Pick<LiveDocuments, "invalidateBatch">,
  follow: (batchId: string) => Promise<void>,
): void {
  const { database, ledger, clock } = deps;

  route(app, deps, "POST /api/batches/:id/request-approval", async ({ params, body, person }) => {
    const { leave_out: leaveOut, numbers_compared: numbersCompared } = body;
    const { content_digest: contentDigest } = body;
    const { name, purpose, expect_rows, expect_sum, canary, priority } = body;
    const submitted = await requestApproval(
      {
        batchId: params.id,
        leaveOut,
        numbersCompared,
        contentDigest,
        name: name ?? null,
        purpose: purpose ?? null,
        expected: expectedOf(expect_rows ?? undefined, expect_sum ?? undefined),
        canary,
        priority,
        whyNotPrioritize: whyNotPrioritize(person),
        actor: person.actor,
        at: new Date(clock.nowMs()),
      },
      ledger,
    );
    if (!submitted.ok) throw refusalProblem(params.id, submitted.error);
    live.invalidateBatch(params.id);
    await follow(params.id);
    return { batch: await lineOf(database, params.id) };
  });
}

/** Returns the problem for a batch whose state does not allow the request. */
export const wrongState = (state: BatchState): Problem =>
  new Problem("wrong_state", { detail: stateText(state), state });

function refusalProblem(id: string, refusal: RequestApprovalRefusal): Problem {
  switch (refusal.kind) {
    case "not_found":
      return notFound(id);
    case "wrong_state":
      return wrongState(refusal.state);
    case "approval_already_requested":
      return new Problem("approval_already_requested");
    case "content_changed":
      return new Problem("content_changed");
    case "forbidden":
      return new Problem("forbidden", { detail: refusal.why });
    case "numbers_not_compared":
      return new Problem("numbers_not_compared", {
        detail: `${storedAsNumberText(refusal.held)} Compare the values with their source, then confirm that you have done so.`,
        numbers: refusal.held,
      });
    case "obstacles":
      return new Problem("not_ready", {
        detail: refusal.obstacles.join(" "),
        obstacles: refusal.obstacles,
      });
  }
}

/** Converts control totals from a request. @throws when a sum is not an amount. */
export const expectedOf = (rows: number | undefined, sums: readonly string[] | undefined) => ({
  rows: rows ?? null,
  sums: parseControlTotals(sums ?? []),
});
