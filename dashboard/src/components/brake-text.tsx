import type { Answer } from "../client.ts";
import classes from "./brake-text.module.css";

type Lane = Answer<"GET /api/operations">["lanes"][number];
type Brake = NonNullable<NonNullable<Lane["stop"]>["brake"]>;

/** What holds, what it protects and how it opens, in the words of the server. */
export const BrakeText = ({
  brake: { name, protects, opens },
}: {
  readonly brake: Omit<Brake, "brake">;
}) => (
  <dl className={classes.brake}>
    <dt>Brake</dt>
    <dd>{name}</dd>
    <dt>Protects</dt>
    <dd>{protects}</dd>
    <dt>Opens</dt>
    <dd>{opens}</dd>
  </dl>
);
