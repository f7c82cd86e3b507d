import type { Answer } from "../../../server/client.ts";

/** A batch as lists show it. */
export type ListedBatch = Answer<"GET /api/batches">["items"][number];
