import type { Strike } from "./plan.ts";
import { LEASE_MS } from "./setup.ts";

/** Returns the name under which a strike is counted. */
export const nameOf = (act: Strike): string => {
  switch (act.kind) {
    case "kill":
      if ("promotes" in act) return "kill postgres and promote its synchronous standby";
      if (act.whom === "primary") return "kill primary of redis";
      if (!("loss" in act)) return `kill ${act.whom.replace(/-.*/, "")}`;
      return act.loss === "cut"
        ? "kill redis and cut its file"
        : "kill redis and restore an older file";
    case "freeze":
      return `freeze ${act.whom.replace(/-.*/, "")}${act.forMs > LEASE_MS ? " past its lease" : ""}`;
    case "end":
      return `end ${act.whom.replace(/-.*/, "")}`;
    case "flush":
      return "flush redis";
    case "failover":
      return act.how === "freeze" ? "freeze primary of redis" : "fail over redis";
    case "link": {
      const { bytes } = act.how;
      return `${bytes === 0 ? "cut" : bytes < 100 ? "drip" : "delay"} ${act.link}`;
    }
  }
};

/** Counts the strikes of a plan by name. */
export const countedByName = (plan: readonly Strike[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(plan.map(nameOf).toSorted(), (name) => name)].map(([name, all]) => [
      name,
      all.length,
    ]),
  );
