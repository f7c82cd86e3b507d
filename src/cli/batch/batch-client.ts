import type { Batches, Intake } from "#cli/batch/batches.ts";
import type { ApiClient } from "#cli/terminal/api-client.ts";
import { Refused } from "#cli/terminal/transport.ts";
import { momentText } from "#schedule/local-time.ts";

/** The operations that are the same on a server and in this machine's ledger. */
type SharedOperations = Pick<
  Batches,
  | "reschedule"
  | "withdraw"
  | "pause"
  | "resume"
  | "release"
  | "cancel"
  | "requestApproval"
  | "compare"
>;

/** How a reason is given to the API, if the user may have given none. */
export type ReasonBody = (given: string | null, instead?: string) => { readonly reason: string };

/** Returns the batches that this client reaches, on a server or in this machine's ledger. */
export const batchesOf = (client: ApiClient, reasonOf: ReasonBody): SharedOperations => ({
  async reschedule(id, { local, zone }, reason) {
    const body = { at: momentText({ local, zone }), ...reasonOf(reason, "none given") };
    await client.call("POST /api/batches/:id/reschedule", { params: { id }, body });
  },
  async withdraw(id, reason) {
    await client.call("POST /api/batches/:id/withdraw", { params: { id }, body: { reason } });
  },
  async pause(id, reason) {
    await client.call("POST /api/batches/:id/pause", { params: { id }, body: reasonOf(reason) });
  },
  async resume(id, reason) {
    await client.call("POST /api/batches/:id/resume", { params: { id }, body: reasonOf(reason) });
  },
  async release(id, reason) {
    const order = { params: { id }, body: { reason } };
    return (await client.call("POST /api/batches/:id/release", order)).released;
  },
  async cancel(id, reason) {
    const order = { params: { id }, body: reasonOf(reason) };
    return (await client.call("POST /api/batches/:id/cancel", order)).cancelled;
  },
  async requestApproval(id, { leaveOut, numbersCompared }) {
    const body = { leave_out: leaveOut, numbers_compared: numbersCompared };
    try {
      await client.call("POST /api/batches/:id/request-approval", { params: { id }, body });
      return true;
    } catch (error) {
      if (error instanceof Refused && error.code === "approval_already_requested") return false;
      throw error;
    }
  },
  compare: (id, against) =>
    client.call("GET /api/batches/:id/comparison", {
      params: { id },
      query: against === null ? {} : { against },
    }),
});

/** Returns the rows that this client leaves out of batches. */
export const leftOutRowsOf = (client: ApiClient): Pick<Intake, "leaveOut" | "putBack"> => ({
  async leaveOut(id, lines) {
    const order = { params: { id }, body: { lines: [...lines] } };
    return (await client.call("POST /api/batches/:id/rows/leave-out", order)).rows;
  },
  async putBack(id, lines) {
    const order = { params: { id }, body: { lines: [...lines] } };
    return (await client.call("POST /api/batches/:id/rows/put-back", order)).rows;
  },
});

/** Returns the retry batches that this client reaches. */
export const retriesOf = (
  client: ApiClient,
): Pick<Intake, "previewRetryBatch" | "createRetryBatch"> => ({
  previewRetryBatch: (id) => client.call("GET /api/batches/:id/retry-batch", { params: { id } }),
  createRetryBatch: (id, reason, returned) =>
    client.call("POST /api/batches/:id/retry-batch", {
      params: { id },
      body: {
        ...(reason !== undefined && { reason }),
        ...(returned !== undefined && { returned: [...returned] }),
      },
    }),
});
