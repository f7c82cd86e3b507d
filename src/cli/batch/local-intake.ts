import { createReadStream } from "node:fs";
import { parseControlTotals } from "#intake/batch/control-totals.ts";
import { stateText } from "#intake/batch/batch-lifecycle.ts";
import type { Problem } from "#intake/text/problems.ts";
import type { Intake } from "#cli/batch/batches.ts";
import { leftOutRowsOf, retriesOf } from "#cli/batch/batch-client.ts";
import { localBatchErrors } from "#cli/batch/local-errors.ts";
import type { LocalErrors } from "#cli/terminal/local-api.ts";
import { refusalText } from "#flows/payout/retry-refusal-text.ts";
import { localBatches } from "#cli/batch/local-batches.ts";
import { problemSummary } from "#cli/batch/check-report.ts";
import { fileNameOf } from "#cli/terminal/file.ts";
import type { ApiClient } from "#cli/terminal/api-client.ts";
import { CliError, EXIT, type ExitCode } from "#cli/terminal/exit.ts";
import { currentActor, say } from "#cli/terminal/output.ts";
import { systemClock } from "#base/clock.ts";
import { correct } from "#flows/intake/correct.ts";
import { recordReupload, NO_DIFFERENCES } from "#flows/approval/request-approval.ts";
import { uploadFile } from "#flows/intake/upload.ts";
import { readingChoices } from "#cli/terminal/reading-options.ts";
import type { Payrun } from "#app/wiring.ts";

/**
 * The batches of this machine's ledger, with file uploads. A local file is read in place, twice.
 * The API would first store a copy in the upload folder, which belongs to the server that may be
 * running on this machine.
 */
export function localIntake(payrun: Payrun, client: ApiClient): Intake {
  const { database, sealer, ledger, keyring, rows } = payrun;
  const uploadOf = (path: string) => ({
    fileName: fileNameOf(path),
    open: () => createReadStream(path),
    actor: currentActor(),
  });
  return {
    ...localBatches(payrun, client),
    ...retriesOf(client),
    ...leftOutRowsOf(client),
    async create(path, said) {
      const { name = null, purpose = null, total = [], canary, priority } = said;
      const described = {
        name,
        purpose,
        expected: { rows: null, sums: parseControlTotals(total) },
      };
      const upload = {
        ...uploadOf(path),
        described,
        ...(canary !== undefined && { canary }),
        ...(priority && { priority }),
        choices: readingChoices(said),
      };
      const taken = await uploadFile(upload, true, { ledger, keyring, rows });
      if (!taken.ok) throw unreadable(path, taken.error);
      const { batch, isNew } = taken.value;
      const at = new Date(systemClock.nowMs());
      // The operator of this machine may set the priority of every batch.
      const sending = { canary, priority, whyNotPrioritize: () => null };
      const again = { ...described, ...sending, batchId: batch.id, actor: currentActor(), at };
      const { differences, notApplied } = isNew
        ? NO_DIFFERENCES
        : await recordReupload(again, ledger);
      if (differences.length > 0) throw new CliError(EXIT.problems, differences.join(" "));
      return { id: batch.id, isNew, notApplied };
    },
    async correct(id, path) {
      const at = new Date(systemClock.nowMs());
      const deps = { ledger, database, sealer, keyring, rows, at };
      const corrected = await correct(id, uploadOf(path), deps);
      if (!corrected.ok) throw unreadable(path, corrected.error);
      const { value } = corrected;
      switch (value.kind) {
        case "corrected":
          return value;
        case "known":
          return { rows: 0, corrected: 0 };
        case "not_found":
          throw new CliError(EXIT.notFound, `There is no batch ${id}. See: payrun batch list`);
        case "wrong_state":
          throw new CliError(
            EXIT.conflict,
            `Batch ${id} cannot be corrected. ${stateText(value.state)}`,
          );
        case "content_changed":
          throw new CliError(
            EXIT.conflict,
            `Batch ${id} has changed in the meantime. No changes were made.`,
          );
        case "other_batch":
          throw new CliError(
            EXIT.conflict,
            `${path} belongs to batch ${value.batchId}. No changes were made.`,
          );
      }
    },
  };
}

function unreadable(path: string, problems: readonly Problem[]): CliError {
  say(problemSummary(problems));
  return new CliError(
    EXIT.problems,
    `${path} is not a valid payout file. The file was not stored.`,
  );
}

const EXIT_CODES: Readonly<Record<string, ExitCode>> = {
  not_found: EXIT.notFound,
  no_valid_rows: EXIT.problems,
};

/** The refusals of batches and retry batches in the local ledger. */
export const localRetryErrors: LocalErrors = (request, problem) => {
  if (!request.operation.endsWith("/retry-batch")) return localBatchErrors(request, problem);
  const { id = "" } = request.params;
  const { code, detail = "" } = problem;
  const says = code === "ledger_frozen" ? refusalText(id, { kind: "frozen" }) : detail;
  return new CliError(EXIT_CODES[code] ?? EXIT.conflict, says);
};
