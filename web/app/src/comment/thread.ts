import type { Comment } from "../api/type.ts";

/** A comment and the replies to it, in the order in which they were written. */
export type Thread = { first: Comment; replies: Comment[] };

/**
 * Groups comments, which come thread by thread. A thread whose beginning is on no page that was read
 * is shown from its first comment there.
 */
export function threadsOf(comments: readonly Comment[]): Thread[] {
  const threads = new Map<string, Thread>();
  for (const comment of comments) {
    const thread = threads.get(comment.threadId);
    if (!thread) threads.set(comment.threadId, { first: comment, replies: [] });
    else if (![thread.first, ...thread.replies].some((one) => one.id === comment.id)) thread.replies.push(comment);
  }
  return [...threads.values()];
}

/** Reports whether a thread has a comment. */
export const has = ({ first, replies }: Thread, id: string | undefined) =>
  id !== undefined && [first, ...replies].some((comment) => comment.id === id);
