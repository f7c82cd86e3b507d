import { createHmac, hkdfSync } from "node:crypto";
import type { Campaign } from "./campaign.ts";
import type { Violation } from "./violation.ts";

/** I12: the hash chain, recomputed as in export.md, and an approval in it for each batch. */
export function checkAuditChain({ audit, batches, bounds }: Campaign): Violation[] {
  const ledgerKey = Buffer.from(bounds.payrun_key, "hex");
  const signingKey = Buffer.from(hkdfSync("sha256", ledgerKey, "", "payrun audit v1", 32));
  const found: Violation[] = [];
  let before: Buffer = Buffer.alloc(32);
  for (const [place, line] of audit.entries()) {
    const about = `audit line ${line.seq}`;
    if (line.seq !== place + 1) {
      found.push({ check: "audit", about, text: `is at position ${place + 1}` });
    }
    const { seq, at, actor, action, object, facts, key } = line;
    const text = JSON.stringify([seq, at, actor, action, object, facts, key]);
    const hash = createHmac("sha256", signingKey).update(before).update(text).digest();
    if (hash.toString("hex") !== line.hash) {
      found.push({
        check: "audit",
        about,
        text: "its hash does not follow from the line before it",
      });
    }
    before = Buffer.from(line.hash, "hex");
  }
  for (const { batch_id: id } of batches) {
    const approvals = audit.filter(({ action, object }) => action === "approve" && object === id);
    if (approvals.length !== 1) {
      found.push({
        check: "audit",
        about: id,
        text: `has ${approvals.length} recorded approvals`,
      });
    }
  }
  return found;
}

const SHOWN_MAX = 5;

/** I14: no planted account number and no key in any log, queue, dump or error text. */
export function checkLeaks({ texts, bounds }: Campaign): Violation[] {
  const secret = new RegExp(bounds.secrets.join("|"), "g");
  const found: Violation[] = [];
  for (const { name, text } of texts) {
    const places = [...text.matchAll(secret)].slice(0, SHOWN_MAX);
    for (const { index, 0: match } of places) {
      const around = text.slice(Math.max(index - 80, 0), index);
      found.push({
        check: "leak",
        about: name,
        text: `${around}[${match.length} secret characters]`,
      });
    }
  }
  return found;
}

/** I13: the gateway never had more requests in service than all processes together may make. */
export function checkLoad({ book, bounds }: Campaign): Violation[] {
  return book
    .filter((line) => line.at_once > bounds.at_once_max)
    .map(({ seq, at_once }) => ({
      check: "load",
      about: `transaction log line ${seq}`,
      text: `${at_once} concurrent requests, ${bounds.at_once_max} are allowed`,
    }));
}
