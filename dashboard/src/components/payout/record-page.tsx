import type { ReactNode } from "react";
import { ApiProblem } from "../../server/client.ts";
import { EmptyState } from "../empty-state.tsx";
import { ErrorState } from "../error-state.tsx";
import { PageLink } from "../page-link.tsx";
import { Loading } from "../loading.tsx";
import { Page } from "../page.tsx";
import { isolateDirection } from "../../base/text.ts";
import { detailMessages } from "../detail-messages.tsx";

const texts = detailMessages.things;

const LISTS = { batch: "/batches", payout: "/payouts", deposit: "/deposits" } as const;
type RecordKind = keyof typeof LISTS;

/** The thing does not exist, so a retry is pointless. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiProblem && error.code === "not_found";

/** The page shown for a batch, payout or deposit that is not in the ledger. */
export const RecordNotFound = ({
  noun,
  code,
}: {
  readonly noun: RecordKind;
  readonly code: string;
}) => (
  <Page title={texts[noun].missing}>
    <EmptyState text={texts.notInLedger(noun, isolateDirection(code))}>
      <PageLink to={LISTS[noun]}>{texts[noun].all}</PageLink>
    </EmptyState>
  </Page>
);

/** The page of one thing with a code, including its loading, error and not-found states. */
export function RecordPage<Thing>({
  noun,
  code,
  found: { data: thing, error, refetch },
  children,
}: {
  readonly noun: RecordKind;
  readonly code: string;
  readonly found: {
    readonly data: Thing | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  readonly children: (thing: Thing) => ReactNode;
}) {
  if (isNotFound(error)) return <RecordNotFound noun={noun} code={code} />;
  const failed = error ? <ErrorState error={error} reset={() => void refetch()} /> : null;
  if (thing === undefined)
    return <Page title={texts[noun].title}>{failed ?? <Loading lines={8} />}</Page>;
  // A failed refresh keeps the shown thing and the typed text.
  return (
    <>
      {failed}
      {children(thing)}
    </>
  );
}
