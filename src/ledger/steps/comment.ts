import {
  findCommentSubject,
  findMentionableUsers,
  insertComment,
  sealNewComment,
} from "#ledger/comment/comments.ts";
import { bind } from "#ledger/steps/bind.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** Steps about comments on batches and payouts. */
export const commentSteps = (database: Database, sealer: Sealer) => ({
  ...bind([database], { findCommentSubject, findMentionableUsers, insertComment }),
  ...bind([database, sealer], { sealNewComment }),
});
export type CommentSteps = ReturnType<typeof commentSteps>;
