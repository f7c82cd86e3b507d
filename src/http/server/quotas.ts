import type { FastifyInstance } from "fastify";
import type { ApiOperation } from "#api/app/operation.ts";
import { bucketPerSender } from "#http/server/rate-limit.ts";
import type { ServerDeps } from "#views/deps.ts";
import { Problem } from "#api/app/problems.ts";

/**
 * Limits per person for files, which cost disk space, memory and database time, so that one
 * person's files do not delay those of others.
 */
const QUOTAS = {
  upload: { burst: 60, perSecond: 1, atOnce: 4 },
  download: { burst: 60, perSecond: 1, atOnce: 6 },
};
type Kind = keyof typeof QUOTAS;

const kindOf = ({ upload, answer }: ApiOperation): Kind | null =>
  upload ? "upload" : answer === "file" ? "download" : null;

/**
 * Refuses a file while too many files of the same person are in progress or have just been
 * transferred.
 */
export function limitFiles(app: FastifyInstance, { clock }: ServerDeps): void {
  const nowMs = (): number => clock.monotonicMs();
  const mayCome = {
    upload: bucketPerSender(QUOTAS.upload, nowMs),
    download: bucketPerSender(QUOTAS.download, nowMs),
  };
  const onTheWay = new Map<string, number>();
  app.addHook("onRequest", async ({ person, routeOptions: { config } }, { raw }) => {
    const kind = config.operation ? kindOf(config.operation) : null;
    if (!kind || !person) return;
    const sender = `${kind} ${person.actor}`;
    const running = onTheWay.get(sender) ?? 0;
    if (running >= QUOTAS[kind].atOnce || !mayCome[kind](sender)) {
      throw new Problem("too_many_uploads", {}, { "retry-after": "5" });
    }
    onTheWay.set(sender, running + 1);
    raw.once("close", () => {
      const left = (onTheWay.get(sender) ?? 1) - 1;
      if (left > 0) onTheWay.set(sender, left);
      else onTheWay.delete(sender);
    });
  });
}
