import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useDeferredValue } from "react";
import { ErrorState } from "../../../components/error-state.tsx";
import { Later, Loading } from "../../../components/loading.tsx";
import { Page } from "../../../components/page.tsx";
import { useMay, usePerson } from "../../../server/session.ts";
import { proposedActionsQuery } from "../../payout-action/action-query.ts";
import { ActionRequired } from "./action-required.tsx";
import { FirstSteps } from "./first-steps.tsx";
import classes from "./home.module.css";
import { InDoubt } from "./in-doubt.tsx";
import { messages } from "./messages.tsx";
import { NextRuns } from "./next-runs.tsx";
import { type HomeTasks, tasksQuery } from "./queries.ts";
import { type ProposedAction, summaryOf } from "./tasks.ts";

/** Loaded after the tasks: charts and tables are large, and the tasks come first. */
const HomeFigures = lazy(async () => ({
  default: (await import("./figures.tsx")).HomeFigures,
}));

const FIGURES_TO_COME = <Skeleton height={220} radius="lg" />;

/** The tasks of the reader, the payouts in doubt, the next runs and the figures of today. */
export function HomePage() {
  const { data, error, refetch } = useQuery(tasksQuery);
  const home = useDeferredValue(data);
  const mayUpload = useMay("upload");
  const proposed = useProposedActions();
  return (
    <Page
      title={messages.title}
      facts={home ? summaryOf(home, proposed) : null}
      actions={
        mayUpload ? (
          <Button component={Link} to="/upload" size="md">
            {messages.upload}
          </Button>
        ) : null
      }
    >
      {error && !home ? <ErrorState error={error} reset={() => void refetch()} /> : null}
      {home ? <Dashboard home={home} proposed={proposed} /> : error ? null : <Loading />}
    </Page>
  );
}

/** The bulk actions that the reader may confirm. The proposer cannot. */
function useProposedActions(): readonly ProposedAction[] {
  const { data } = useQuery({ ...proposedActionsQuery, enabled: useMay("approve") });
  const actor = `user:${usePerson()?.id}`;
  return (data?.items ?? []).filter(({ created_by: by }) => by.actor !== actor);
}

function Dashboard({
  home,
  proposed,
}: {
  readonly home: HomeTasks;
  readonly proposed: readonly ProposedAction[];
}) {
  const isNew = home.first_steps !== null && home.first_steps.length > 0;
  return (
    <>
      {isNew && home.first_steps ? <FirstSteps steps={home.first_steps} /> : null}
      <div className={classes.grid}>
        <ActionRequired home={home} proposed={proposed} />
        <div className={classes.side}>
          <InDoubt of={home.in_doubt} />
          <NextRuns runs={home.next_runs} />
        </div>
      </div>
      <Later fallback={FIGURES_TO_COME}>
        <Suspense fallback={FIGURES_TO_COME}>
          <HomeFigures />
        </Suspense>
      </Later>
    </>
  );
}
