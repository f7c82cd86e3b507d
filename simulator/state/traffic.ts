import type { ServerResponse } from "node:http";

/** Load on the gateway since the previous line of the transaction log. */
export interface Load {
  /** Peak number of requests in service at once, of all kinds. */
  readonly at_once: number;
  /** Number of status queries, which add no line of their own. */
  readonly questions: number;
}

export interface LoadCounter {
  begin(response: ServerResponse): void;
  countStatusQuery(): void;
  /** Returns the counts and resets them. */
  drain(): Load;
  stop(): void;
}

const SAMPLE_MS = 20;

/**
 * Counts requests in service. Samples them on a clock instead of on each arrival: between two
 * samples every queued event is seen, so a client that has disconnected is not counted together
 * with its next request.
 */
export function countLoad(): LoadCounter {
  let underWay = 0;
  let atOnce = 0;
  let questions = 0;
  const timer = setInterval(() => {
    atOnce = Math.max(atOnce, underWay);
  }, SAMPLE_MS);
  return {
    begin(response) {
      underWay += 1;
      response.once("close", () => {
        underWay -= 1;
      });
    },
    countStatusQuery() {
      questions += 1;
    },
    drain() {
      const gathered = { at_once: atOnce, questions };
      atOnce = 0;
      questions = 0;
      return gathered;
    },
    stop: () => clearInterval(timer),
  };
}
