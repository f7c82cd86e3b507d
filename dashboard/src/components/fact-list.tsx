import { Fragment, type ReactNode } from "react";
import classes from "./fact-list.module.css";
import { UserText } from "./user-text.tsx";

/** The names and values of a list of facts, in order. */
export type Facts = readonly (readonly [name: string, value: ReactNode])[];

/** A list of names and values. */
export function FactList({ facts }: { readonly facts: Facts }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === "string" ? <UserText text={value} /> : value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
