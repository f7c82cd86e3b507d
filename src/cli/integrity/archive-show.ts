import { systemClock } from "#base/clock.ts";
import { archiveErrors, openedArchive } from "#cli/integrity/archive-file.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { withLedger } from "#cli/terminal/open.ts";
import { currentActor, print, printJson, table } from "#cli/terminal/output.ts";
import { maskPayout } from "#intake/masking.ts";
import type { ArchivePart } from "#integrity/archive/manifest.ts";
import { type ArchivedPayout, type OpenArchive, payoutsIn } from "#integrity/archive/read.ts";
import { record } from "#ledger/integrity/archive/work-archive.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { moneyText } from "#money/display.ts";
import { formatMoney } from "#money/format.ts";

interface ShowFlags {
  readonly batch?: string;
  readonly code?: string;
  readonly full?: boolean;
  readonly json?: boolean;
}

/** Shows batches, the payouts of a batch, or one payout from an archive file. */
export async function showArchive(path: string, flags: ShowFlags): Promise<void> {
  await withLedger(({ database, sealer }) =>
    openedArchive(path, sealer.publicKeys(), async ({ archive }) => {
      const { id } = archive.manifest;
      if (flags.code !== undefined || flags.batch !== undefined) {
        const facts = {
          ...(flags.batch !== undefined && { batch: flags.batch }),
          ...(flags.code !== undefined && { code: flags.code }),
          accounts: flags.full === true ? "in_full" : "masked",
        };
        await record({ database, clock: systemClock }, currentActor(), "view_archive", id, facts);
      }
      await archiveErrors(path, () => show(archive, sealer, flags));
    }),
  );
}

async function show(archive: OpenArchive, sealer: Sealer, flags: ShowFlags): Promise<void> {
  const { batch, code, full = false, json = false } = flags;
  if (batch === undefined && code === undefined) return showBatches(archive, json);
  const parts = archive.manifest.parts.filter(
    (part) => batch === undefined || part.batch_id === batch,
  );
  let shown = 0;
  for await (const each of payoutsOf(archive, parts)) {
    if (code !== undefined && each.details.transaction_code !== code) continue;
    shown += 1;
    const document = documentOf(each, sealer, full);
    if (json) printJson(document);
    else if (code === undefined) print(lineOf(document));
    else printPayout(document);
  }
  if (shown > 0) return;
  const what = code === undefined ? `batch ${batch}` : `payout ${code}`;
  throw new CliError(EXIT.notFound, `The archive does not contain ${what}.`);
}

async function showBatches(archive: OpenArchive, json: boolean): Promise<void> {
  const counts = Map.groupBy(archive.manifest.parts, ({ batch_id: id }) => id);
  const rows: { id: string; file: string; state: string; payouts: number }[] = [];
  for await (const line of archive.batches()) {
    const { batch } = JSON.parse(line) as {
      batch: { id: string; file_name: string; state: string };
    };
    const payouts = (counts.get(batch.id) ?? []).reduce((sum, part) => sum + part.payouts, 0);
    rows.push({ id: batch.id, file: batch.file_name, state: batch.state, payouts });
  }
  if (json) return printJson(rows);
  print(
    table([
      ["batch", "file", "state", "payouts"],
      ...rows.map(({ id, file, state, payouts }) => [id, file, state, String(payouts)]),
    ]),
  );
}

async function* payoutsOf(archive: OpenArchive, parts: readonly ArchivePart[]) {
  for (const part of parts) yield* payoutsIn(await archive.partText(part));
}

function documentOf(
  { payout, details, attempts, evidence, transitions }: ArchivedPayout,
  sealer: Sealer,
  isFull: boolean,
) {
  const { transaction_code: code } = details;
  const sealed = Buffer.from(details.sealed.slice(2), "hex");
  const opened = openPayout(sealer, code, sealed);
  const shown = isFull ? opened : maskPayout(payout.currency, opened);
  const { currency, amount_minor: minor, minor_digits: minorDigits } = payout;
  return {
    transaction_code: code,
    batch_id: payout.batch_id,
    line: payout.line,
    lane: payout.lane,
    currency,
    amount: formatMoney({ currency, minor: BigInt(minor), minorDigits }),
    state: payout.state,
    reason: payout.reason,
    gateway_number: payout.gateway_number,
    settled_at: payout.settled_at,
    beneficiary: shown.details,
    reference: shown.reference,
    attempts,
    evidence,
    transitions,
  };
}
type Shown = ReturnType<typeof documentOf>;

const lineOf = ({
  transaction_code: code,
  line,
  state,
  currency,
  amount,
  beneficiary,
}: Shown): string =>
  `${code}  line ${line}  ${state}  ${moneyText({ currency, amount })}  ${beneficiary.account_name ?? ""}`;

function printPayout(shown: Shown): void {
  print(lineOf(shown));
  print(
    `Batch ${shown.batch_id}, lane ${shown.lane}, gateway number ${shown.gateway_number ?? "none"}`,
  );
  for (const [field, text] of Object.entries(shown.beneficiary)) print(`${field}: ${text}`);
  const course = [
    ...shown.attempts.map(({ number, opened_at: at }) => ({ at, says: `attempt ${number}` })),
    ...shown.evidence.map(({ at, kind, facts }) => ({
      at,
      says: `${kind}  ${JSON.stringify(facts)}`,
    })),
    ...shown.transitions.map(({ at, event, to_state: to, actor, reason }) => ({
      at,
      says: `${event} → ${to}${reason === null ? "" : ` (${reason})`}, by ${actor}`,
    })),
  ];
  for (const { at, says } of course.toSorted((one, other) => (one.at < other.at ? -1 : 1)))
    print(`${at}  ${says}`);
}
