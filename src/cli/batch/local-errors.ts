import type { OperationName } from "#api/api.ts";
import type { StoredAsNumber } from "#intake/workbook/numeric-accounts.ts";
import { canaryText } from "#cli/batch/canary.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import type { LocalErrors } from "#cli/terminal/local-api.ts";
import { notComparedYet } from "#cli/batch/confirmations.ts";

/** Returns the error for an unknown batch. */
export const noBatch = (id: string): CliError =>
  new CliError(EXIT.notFound, `There is no batch ${id}. See: payrun batch list`);

/** @param standing the state of the batch, as a sentence. */
export const cannotOrder = (id: string, wish: string, standing: string): CliError =>
  new CliError(EXIT.conflict, `Batch ${id} cannot be ${wish}. ${standing}`);

/** Returns the error for a batch whose state does not allow the command. */
export const notWaiting = (id: string, why: string): CliError =>
  new CliError(
    EXIT.conflict,
    `Batch ${id} ${why}. No changes were made. See: payrun batch show ${id}`,
  );

const NOT_SCHEDULED =
  "cannot be rescheduled: it is not waiting for a scheduled send time, or it is held back";

/** Each order, as a sentence names it: "cannot be paused". */
const ORDER_PARTICIPLES: Partial<Record<OperationName, string>> = {
  "POST /api/batches/:id/withdraw": "withdrawn from approval",
  "POST /api/batches/:id/pause": "paused",
  "POST /api/batches/:id/resume": "resumed",
  "POST /api/batches/:id/release": "released",
  "POST /api/batches/:id/cancel": "cancelled",
  "POST /api/batches/:id/rows/leave-out": "changed",
  "POST /api/batches/:id/rows/put-back": "changed",
  "POST /api/batches/:id/request-approval": "sent for approval",
};

/** The refusals of batches in the local ledger, with the next command. */
export const localBatchErrors: LocalErrors = ({ operation, params, address }, problem) => {
  const { id = "" } = params;
  const { code, detail = "" } = problem;
  if (operation === "GET /api/batches/:id/comparison") {
    if (code === "not_found")
      return new CliError(EXIT.notFound, `${detail} See: payrun batch list`);
    // The ID of the other batch is too long for the API, so no batch has it.
    return noBatch(new URLSearchParams(address.split("?")[1]).get("against") ?? id);
  }
  if (operation === "POST /api/batches/:id/reschedule") {
    if (code === "not_found") return noBatch(id);
    if (code === "wrong_state") return notWaiting(id, NOT_SCHEDULED);
    return new CliError(EXIT.usage, detail);
  }
  const wish = ORDER_PARTICIPLES[operation];
  if (wish === undefined) return null;
  switch (code) {
    case "not_found":
      return noBatch(id);
    case "wrong_state":
      return cannotOrder(id, wish, detail);
    case "ledger_frozen":
      return new CliError(
        EXIT.conflict,
        `Batch ${id} was not ${wish}: the ledger is frozen, because it may have lost records of sent payouts. See: payrun doctor`,
      );
    case "no_canary":
      return new CliError(EXIT.conflict, `No payouts in batch ${id} are waiting for a canary.`);
    case "canary_failed": {
      const reason = detail.replace(/\.$/, "");
      return new CliError(EXIT.conflict, `${canaryText(id, reason)} No changes were made.`);
    }
    case "numbers_not_compared":
      return notComparedYet(problem["numbers"] as readonly StoredAsNumber[]);
    case "not_ready":
      return operation === "POST /api/batches/:id/rows/leave-out"
        ? new CliError(EXIT.problems, detail)
        : new CliError(EXIT.problems, `Batch ${id} cannot be sent for approval yet: ${detail}`);
    default:
      return null;
  }
};
