import type { OperationsView } from "../shared/operations-view.ts";
import { Processes } from "./processes.tsx";
import { QueueSection } from "./queue.tsx";
import { QueueJobs } from "./queue-jobs.tsx";

/** The worker processes, the queues with their throughput, and the queued jobs. */
export const WorkersTab = ({ view }: { readonly view: OperationsView }) => (
  <>
    <Processes workers={view.workers} />
    <QueueSection queue={view.queue} ledger={view.ledger} />
    <QueueJobs queues={view.queue.queues ?? []} />
  </>
);
