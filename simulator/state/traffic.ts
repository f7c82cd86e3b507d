import type { ServerResponse } from "node:http";

/** Load on the gateway since the previous line of the transaction log. */
export interface Traffic {
  /** Peak number of requests in service at once, of all kinds. */
  readonly at_once: number;
  /** Number of status queries, which add no line of their own. */
  readonly questions: number;
}

export interface TrafficCounter {
  begin(response: ServerResponse): void;
  question(): void;
  /** Returns the counts and resets them. */
  take(): Traffic;
  stop(): void;
}

const LOOK_MS = 20;

/**
 * Counts requests in service. Samples them on a clock instead of on each arrival: between two
 * samples every queued event is seen, so a client that has disconnected is not counted together
 * with its next request.
 */
export function countTraffic(): TrafficCounter {
  let underWay = 0;
  let atOnce = 0;
  let questions = 0;
  const timer = setInterval(() => {
    atOnce = Math.max(atOnce, underWay);
  }, LOOK_MS);
  return {
    begin(response) {
      underWay += 1;
      response.once("close", () => {
        underWay -= 1;
      });
    },
    question() {
      questions += 1;
    },
    take() {
      const gathered = { at_once: atOnce, questions };
      atOnce = 0;
      questions = 0;
      return gathered;
    },
    stop: () => clearInterval(timer),
  };
}
