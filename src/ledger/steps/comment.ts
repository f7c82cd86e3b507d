import {
  findCommentSubject,
  findMentionableUsers,
  insertComment,
} from "#ledger/comment/comments.ts";
import { bind } from "#ledger/steps/bind.ts";
import type { Database } from "#ledger/store/database.ts";

/** Steps about comments on batches and payouts. */
export const commentSteps = (database: Database) =>
  bind([database], { findCommentSubject, findMentionableUsers, insertComment });
export type CommentSteps = ReturnType<typeof commentSteps>;
