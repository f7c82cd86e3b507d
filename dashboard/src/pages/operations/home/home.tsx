import { SimpleGrid } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ErrorState } from "../../../components/error-state.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Page } from "../../../components/page.tsx";
import { useLive } from "../../../server/live.ts";
import { refetchQuery } from "../../../server/query-client.ts";
import { RecentBatches } from "./recent-batches.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { RecentAmounts } from "./recent-amounts.tsx";
import { messages } from "./messages.tsx";
import { type Home, homeQuery } from "./queries.ts";
import { PayoutsInDoubt, YourTasks } from "./your-tasks.tsx";

/** The reader's tasks, the payouts in doubt, and the progress of recent batches. */
export function HomePage() {
  const { data: home, error, refetch } = useQuery(homeQuery);
  useLive(["home"], () => void refetchQuery(homeQuery));
  return (
    <Page title={messages.title}>
      {error && !home ? <ErrorState error={error} reset={() => void refetch()} /> : null}
      {home ? <Overview home={home} /> : error ? null : <Loading />}
    </Page>
  );
}

function Overview({ home }: { readonly home: Home }) {
  if (home.is_empty) return <FirstSteps />;
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <YourTasks home={home} />
        <PayoutsInDoubt heap={home.in_doubt} />
      </SimpleGrid>
      <RecentBatches batches={home.batches} />
      <RecentAmounts lines={home.recent_amounts} />
    </>
  );
}
