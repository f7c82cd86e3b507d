import type { ReactNode } from "react";
import { ApiProblem } from "../client.ts";
import { EmptyState } from "./empty-state.tsx";
import { ErrorState } from "./error-state.tsx";
import { Loading } from "./loading.tsx";
import { Page } from "./page.tsx";

/** The page of one thing that has a code: it may not be there, may not come, or may still be on its way. */
export function StoryPage<Thing>({
  noun,
  code,
  found: { data: thing, error, refetch },
  children,
}: {
  readonly noun: "payout" | "deposit";
  readonly code: string;
  readonly found: {
    readonly data: Thing | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  readonly children: (thing: Thing) => ReactNode;
}) {
  const title = noun === "payout" ? "Payout" : "Deposit";
  if (error instanceof ApiProblem && error.code === "not_found") {
    return (
      <Page title={`No such ${noun}`}>
        <EmptyState text={`There is no ${noun} ${code} in this ledger.`} />
      </Page>
    );
  }
  if (error || thing === undefined) {
    return (
      <Page title={title}>
        {error ? <ErrorState error={error} reset={() => void refetch()} /> : <Loading lines={8} />}
      </Page>
    );
  }
  return children(thing);
}
