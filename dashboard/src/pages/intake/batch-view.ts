import type { API } from "#api/api.ts";
import type { AnswerOf } from "#api/app/operation.ts";

/** A batch as its page shows it. */
export type BatchView = AnswerOf<(typeof API)["GET /api/batches/:id"]>;
