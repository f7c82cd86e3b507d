import type { ServerResponse } from "node:http";

/** What the gateway was asked to bear since the line of the book before. */
export interface Traffic {
  /** The most requests that were in service at once, of all kinds. */
  readonly at_once: number;
  /** Status questions, which make no line of their own. */
  readonly questions: number;
}

export interface TrafficCounter {
  begin(response: ServerResponse): void;
  question(): void;
  /** What has gathered; counts anew from here. */
  take(): Traffic;
  stop(): void;
}

const LOOK_MS = 20;

/**
 * Counts requests in service. Looks at the clock's beat and not at each arrival: between two beats everything that has
 * come in is seen, so that a client that has hung up is not counted beside the request it made afterwards.
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
