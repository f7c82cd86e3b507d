import type { Payrun } from "#app/wiring.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import type { ChangeSinceUpload } from "#ledger/intake/change-since-upload.ts";
import type { Batch } from "#ledger/ledger.ts";

const CHANGES: Readonly<Record<ChangeSinceUpload, string>> = {
  edited: "rows were edited after the upload, so it is no longer this file",
  withdrawn: "its uploader withdrew it from approval",
};

/**
 * A person who pays a file approves the contents of the file.
 *
 * @throws CliError if the batch of the file was changed after the upload, or withdrawn.
 */
export async function refuseChanged({ id }: Batch, { database }: Payrun): Promise<void> {
  const { changeSinceUpload } = await import("#ledger/intake/change-since-upload.ts");
  const change = await changeSinceUpload(database, id);
  if (change === null) return;
  throw new CliError(
    EXIT.conflict,
    `Batch ${id} was not approved: ${CHANGES[change]}. Check the batch on the dashboard. To approve it as it is now: payrun batch approve ${id}`,
  );
}
