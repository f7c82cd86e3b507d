import type { ReactNode } from "react";
import { ApiProblem } from "../client.ts";
import { EmptyState } from "./empty-state.tsx";
import { ErrorState } from "./error-state.tsx";
import { Go } from "./go.tsx";
import { Loading } from "./loading.tsx";
import { Page } from "./page.tsx";
import { apart } from "../words.ts";

// biome-ignore format: the columns are the point
const NOUNS = {
  batch:   { title: "Batch",   list: "/batches",  all: "All batches" },
  payout:  { title: "Payout",  list: "/payouts",  all: "All payouts" },
  deposit: { title: "Deposit", list: "/deposits", all: "All deposits" },
} as const;
type Noun = keyof typeof NOUNS;

/** The server knows nothing by this name: no failure, and nothing to try again. */
export const isNotThere = (error: unknown): boolean =>
  error instanceof ApiProblem && error.code === "not_found";

export const NotThere = ({ noun, code }: { readonly noun: Noun; readonly code: string }) => (
  <Page title={`No such ${noun}`}>
    <EmptyState text={`There is no ${noun} ${apart(code)} in this ledger.`}>
      <Go to={NOUNS[noun].list}>{NOUNS[noun].all}</Go>
    </EmptyState>
  </Page>
);

/** The page of one thing that has a code: it may not be there, may not come, or may still be on its way. */
export function StoryPage<Thing>({
  noun,
  code,
  found: { data: thing, error, refetch },
  children,
}: {
  readonly noun: Noun;
  readonly code: string;
  readonly found: {
    readonly data: Thing | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  readonly children: (thing: Thing) => ReactNode;
}) {
  if (isNotThere(error)) return <NotThere noun={noun} code={code} />;
  const failed = error ? <ErrorState error={error} reset={() => void refetch()} /> : null;
  if (thing === undefined)
    return <Page title={NOUNS[noun].title}>{failed ?? <Loading lines={8} />}</Page>;
  // What is there stays, with all that somebody may have typed, when it could not be read anew.
  return (
    <>
      {failed}
      {children(thing)}
    </>
  );
}
