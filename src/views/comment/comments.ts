import type { z } from "zod";
import type { COMMENT_API } from "#api/comment/comments.ts";
import { type CommentSubject, findComments, findLastSeen } from "#ledger/comment/comments.ts";
import { findActorNames } from "#ledger/people/names.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Person } from "#views/person.ts";

type Thread = z.output<(typeof COMMENT_API)["GET /api/comments"]["answer"]>;

/** Returns the comments on a batch or payout, and how many of them are new to this person. */
export async function commentThread(
  subject: CommentSubject,
  person: Person,
  { database, sealer }: Pick<ServerDeps, "database" | "sealer">,
): Promise<Thread> {
  const [comments, seen] = await Promise.all([
    findComments(database, sealer, subject),
    findLastSeen(database, person.id, subject.object),
  ]);
  const nameOf = await findActorNames(
    database,
    comments.map(({ actor }) => actor),
  );
  const items = comments.map(({ id, at, actor, text, mentions, replyTo, number }) => ({
    id,
    at: at.toISOString(),
    by: { actor, name: nameOf(actor) },
    text: text ?? "",
    is_erased: text === null,
    mentions: [...mentions],
    reply_to: replyTo,
    is_new: person.kind === "user" && number > seen && actor !== person.actor,
  }));
  return { items, unread: items.filter(({ is_new }) => is_new).length };
}
