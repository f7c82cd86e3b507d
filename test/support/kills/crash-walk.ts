import { walkFaults, walkKills } from "./kill-walk.ts";
import { type Env, FAST, merchantsFile, scratch } from "../servers/payrun.ts";
import { startPostgres } from "../servers/postgres.ts";
import { startRedis } from "../servers/redis.ts";
import { startSimulator } from "../servers/simulator.ts";

/** The kill tests on both queues with their own servers: the figure that `npm run bench` prints. */
export async function walkCrashes(): Promise<{ kills: number; paidTwice: number; lost: number }> {
  const merchants = merchantsFile(scratch());
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  const walkOn = async (queue: Env) => {
    const gateway = await startSimulator({ settleMs: 300, faults: walkFaults() });
    const { url } = await postgres.createDatabase();
    const env = { ...FAST, DATABASE_URL: url, GATEWAY_URL: gateway.url, MERCHANTS_FILE: merchants };
    const { kills, missed, confirmedTwice, lost } = await walkKills({ ...env, ...queue }, gateway);
    await gateway.stop();
    if (missed.length > 0) throw new Error(`workers that did not die: ${missed.join("; ")}`);
    return { kills, paidTwice: confirmedTwice.length, lost: lost.length };
  };
  try {
    const walks = await Promise.all([walkOn({}), walkOn({ REDIS_URL: redis.url })]);
    return walks.reduce((one, other) => ({
      kills: one.kills + other.kills,
      paidTwice: one.paidTwice + other.paidTwice,
      lost: one.lost + other.lost,
    }));
  } finally {
    await Promise.all([postgres.stop(), redis.stop()]);
  }
}
