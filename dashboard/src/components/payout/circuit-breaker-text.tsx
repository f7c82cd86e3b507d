import type { Answer } from "../../server/client.ts";
import classes from "./circuit-breaker-text.module.css";
import { detailMessages } from "../detail-messages.tsx";

type Lane = Answer<"GET /api/operations">["lanes"][number];
type CircuitBreaker = NonNullable<NonNullable<Lane["stop"]>["breaker"]>;

/**
 * The circuit breaker that stopped a lane, what it protects and when sending resumes. The texts
 * come from the server.
 */
export const CircuitBreakerText = ({
  breaker: { name, protects, opens },
}: {
  readonly breaker: Omit<CircuitBreaker, "code">;
}) => (
  <dl className={classes.breaker}>
    <dt>{detailMessages.breaker.name}</dt>
    <dd>{name}</dd>
    <dt>{detailMessages.breaker.protects}</dt>
    <dd>{protects}</dd>
    <dt>{detailMessages.breaker.resumes}</dt>
    <dd>{opens}</dd>
  </dl>
);
