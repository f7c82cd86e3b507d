import { ingest, type Ingested, type Upload } from "#flows/intake/ingest.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import type { Problem } from "#intake/text/problems.ts";
import type { Keyring } from "#gateway/wire/keyring.ts";
import type { Ledger } from "#ledger/ledger.ts";
import type { Result } from "#base/result.ts";

interface UploadDeps {
  readonly ledger: Ledger;
  readonly keyring: Keyring;
  readonly rows: RowSettings;
}

/**
 * Reads a person's file into the ledger, as `ingest` does. The mapping that the person confirmed
 * for an earlier file with the same header is suggested again.
 *
 * @param remembers true: the mapping of this file is suggested for the next ones.
 */
export async function uploadFile(
  { choices = {}, ...upload }: Upload,
  remembers: boolean,
  { ledger, keyring, rows }: UploadDeps,
): Promise<Result<Ingested, readonly Problem[]>> {
  const { actor } = upload;
  const recall = await ledger.intake.recallColumns(actor);
  const taken = await ingest(
    { ...upload, choices: { ...choices, recall } },
    { ledger, keyring, rows },
  );
  if (taken.ok && taken.value.isNew && remembers && (choices.columns || choices.currency)) {
    const { columns: mapping = new Map(), currency = null } = choices;
    await ledger.intake.rememberColumns(actor, taken.value.ownHeader, { mapping, currency });
  }
  return taken;
}
