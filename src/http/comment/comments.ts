import type { FastifyInstance } from "fastify";
import { addComment } from "#flows/comment/add-comment.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";
import {
  type CommentSubject,
  findCommentSubject,
  findMentionableUsers,
  markCommentsSeen,
} from "#ledger/comment/comments.ts";
import { Problem } from "#api/app/problems.ts";
import { commentThread } from "#views/comment/comments.ts";
import type { ServerDeps } from "#views/deps.ts";

interface Asked {
  readonly batch?: string | undefined;
  readonly payout?: string | undefined;
}

/** Returns the subject of a request, which the API table has checked to be exactly one. */
const subjectOf = ({ batch = "", payout }: Asked) =>
  payout === undefined ? { batch } : { payout };

/** Registers the routes for comments on batches and payouts. */
export function commentRoutes(
  app: FastifyInstance,
  deps: RouteDeps & Pick<ServerDeps, "ledger" | "sealer">,
): void {
  const { database } = deps;

  const find = async (asked: Asked): Promise<CommentSubject> => {
    const subject = await findCommentSubject(database, subjectOf(asked));
    if (!subject) throw notFound(asked);
    return subject;
  };

  route(app, deps, "GET /api/comments", async ({ query, person }) =>
    commentThread(await find(query), person, deps),
  );

  route(app, deps, "POST /api/comments", async ({ body, person }) => {
    const { text, reply_to: replyTo = null } = body;
    const { actor } = person;
    const added = await addComment({ on: subjectOf(body), text, replyTo, actor }, deps);
    if (!added.ok) throw added.error === "not_found" ? notFound(body) : otherThread();
    const { items } = await commentThread(await find(body), person, deps);
    const comment = items.find(({ id }) => id === added.value);
    if (!comment) throw new Error(`comment ${added.value} is gone`);
    return comment;
  });

  route(app, deps, "POST /api/comments/seen", async ({ body, person }) => {
    const { object } = await find(body);
    await markCommentsSeen(database, { userId: person.id, object, commentId: body.up_to });
  });

  route(app, deps, "GET /api/comments/people", async () => ({
    items: [...(await findMentionableUsers(database))],
  }));
}

const notFound = ({ batch, payout }: Asked): Problem =>
  new Problem("not_found", {
    detail: payout === undefined ? `There is no batch ${batch}.` : `There is no payout ${payout}.`,
  });

const otherThread = (): Problem =>
  new Problem("not_found", {
    detail: "The comment that you answered does not belong to this batch or payout.",
  });
