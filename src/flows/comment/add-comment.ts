import { newId } from "#base/ids.ts";
import type { Clock } from "#base/clock.ts";
import { err, ok, type Result } from "#base/result.ts";
import { mentionsIn } from "#comment/mentions.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";

interface CommentDeps {
  readonly ledger: LedgerSteps;
  readonly clock: Clock;
}

/** A comment as a person wrote it. */
export interface WrittenComment {
  readonly on: { readonly batch: string } | { readonly payout: string };
  readonly text: string;
  /** The ID of the comment that this one answers. Null: none. */
  readonly replyTo: string | null;
  readonly actor: string;
}

/** Thrown to roll back a comment that answers a comment on another batch or payout. */
class OtherThread extends Error {}

/**
 * Adds a comment to a batch or payout, and records it in the audit log. The users that it mentions
 * are notified by the next round of notifications. Returns the ID of the comment.
 */
export async function addComment(
  { on, text, replyTo, actor }: WrittenComment,
  { ledger, clock }: CommentDeps,
): Promise<Result<string, "not_found" | "other_thread">> {
  const subject = await ledger.comment.findCommentSubject(on);
  if (!subject) return err("not_found");
  const mentions = mentionsIn(text, await ledger.comment.findMentionableUsers());
  const [id, at] = [newId("CM"), new Date(clock.nowMs())];
  const facts = {
    comment: id,
    ...(replyTo !== null && { reply_to: replyTo }),
    ...(mentions.length > 0 && { mentions: mentions.map((user) => `user:${user.id}`) }),
  };
  try {
    await ledger.transaction(async (transaction) => {
      const sealed = await transaction.comment.sealNewComment({ id, text });
      const comment = { id, subject, replyTo, actor, text, sealed, mentions, at };
      if (!(await transaction.comment.insertComment(comment))) throw new OtherThread();
      // The log keeps the sealed text, which nobody can open after an erasure.
      const said = sealed === null ? { text } : { sealed_text: sealed.toString("base64") };
      const line = {
        actor,
        action: "comment",
        object: subject.object,
        facts: { ...facts, ...said },
      } as const;
      await transaction.integrity.appendAudit(at, line);
    });
  } catch (error) {
    if (error instanceof OtherThread) return err("other_thread");
    throw error;
  }
  return ok(id);
}
