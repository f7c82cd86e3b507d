import type { Campaign } from "./campaign.ts";
import type { Violation } from "./violation.ts";

const REQUESTS = new Set(["accepted", "refused", "request"]);

/**
 * I11: an occurrence of the schedule is one batch, however many ticks came and whatever was killed
 * during them.
 */
export function checkOccurrences({ bounds, batches }: Campaign): Violation[] {
  return bounds.occurrences.flatMap(({ file: about }) => {
    const { length } = batches.filter(({ file }) => file === about);
    return length === 1
      ? []
      : [{ check: "occurrence", about, text: `has become ${length} batches` }];
  });
}

/** I7: a batch with a send time is sent only after its release, which happens once. */
export function checkSendTimes({ bounds, batches, payouts, book, audit }: Campaign): Violation[] {
  const requests = Map.groupBy(
    book.filter(({ event }) => REQUESTS.has(event)),
    (line) => line.transaction_code,
  );
  const isSent = new Map(bounds.occurrences.map(({ file, sent }) => [file, sent]));
  return batches.flatMap(({ batch_id: id, file }): Violation[] => {
    const sent = isSent.get(file);
    if (sent === undefined) return [];
    const letGo = audit.filter(({ action, object }) => action === "release" && object === id);
    const since = sent && letGo[0] ? Date.parse(letGo[0].at) : Infinity;
    const found: Violation[] =
      letGo.length === Number(sent)
        ? []
        : [{ check: "early", about: file, text: `was released ${letGo.length} times` }];
    for (const { transaction_code: about, batch_id: of, attempts, state } of payouts) {
      if (of !== id) continue;
      const times = [
        ...attempts.map(({ opened_at }) => Date.parse(opened_at)),
        ...(requests.get(about) ?? []).map(({ at }) => at),
      ];
      const before = times.filter((at) => at < since).length;
      if (before > 0) {
        found.push({ check: "early", about, text: `${before} of its sends came before its time` });
      } else if (!sent && state !== "approved") {
        found.push({ check: "early", about, text: `is ${state}, and its time has not come` });
      }
    }
    return found;
  });
}
