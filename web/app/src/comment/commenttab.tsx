import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { MessageSquare } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useBase } from "../access/base.ts";
import { isLost } from "../api/lost.ts";
import { createComment, markInboxRead } from "../api/change.ts";
import { useIdempotencyKeys } from "../api/idempotency.ts";
import { commentsQuery, meQuery } from "../api/query.ts";
import { useCommentText } from "../text/comment.ts";
import { Button } from "../ui/button.tsx";
import { LoadMore } from "../ui/pages.tsx";
import { Empty, Failed, Waiting } from "../ui/state.tsx";
import { Composer } from "./composer.tsx";
import { has, threadsOf } from "./thread.ts";
import { ThreadCard } from "./threadcard.tsx";
import { useUnread } from "./unread.tsx";

type Props = {
  recordId: string;
  /** The comment that the address names, which is shown first. */
  commentId?: string;
};

/** The comments on a record, the latest thread first, and a field to begin another. */
export function CommentTab({ recordId, commentId }: Props) {
  const t = useCommentText();
  const { canComment, orgId, people } = useBase();
  const me = useQuery(meQuery);
  const list = useInfiniteQuery(commentsQuery(recordId));
  const threads = useMemo(() => threadsOf(list.data?.pages.flatMap((page) => page.comments) ?? []), [list.data]);
  const [resolvedShown, showResolved] = useState(false);
  const named = threads.find((thread) => has(thread, commentId));
  const idempotency = useIdempotencyKeys();
  const { fetchNextPage, hasNextPage, isFetching } = list;

  // The comment that the address names may be on a later page.
  useEffect(() => {
    if (commentId !== undefined && !named && hasNextPage && !isFetching) void fetchNextPage();
  }, [commentId, fetchNextPage, hasNextPage, isFetching, named]);

  // A person who sees the comments has read what the inbox says of them.
  const shown = threads.reduce((count, { replies }) => count + 1 + replies.length, 0);
  const unread = useUnread();
  useEffect(() => {
    if (shown > 0 && unread > 0 && orgId) markInboxRead({ orgId, body: { recordId } }).catch(() => undefined);
  }, [orgId, recordId, shown, unread]);

  if (list.isPending) return <Waiting />;
  if (isLost(list)) return <Failed error={list.error} retry={() => void list.refetch()} />;
  const others = people.people.filter(({ id }) => id !== me.data?.id);
  const open = threads.filter(({ first }) => !first.resolvedAt || (named?.first === first && !resolvedShown));
  const resolved = threads.filter((thread) => !open.includes(thread));
  const missing = commentId !== undefined && !named && !hasNextPage;
  const card = (thread: (typeof threads)[number]) => (
    <ThreadCard
      key={thread.first.threadId}
      thread={thread}
      people={others}
      me={me.data?.id}
      commentId={has(thread, commentId) ? commentId : undefined}
    />
  );
  return (
    <div className="flex flex-col gap-5">
      {canComment ? (
        <Composer
          keep={recordId}
          label={t.write}
          action={t.send}
          people={others}
          onSend={async (said) => {
            const body = { text: said };
            await createComment({ recordId, body }, { idempotencyKey: idempotency.keyFor(body) });
            idempotency.done();
          }}
        />
      ) : (
        <p className="text-[13px] text-muted">{t.readOnly}</p>
      )}
      {missing && (
        <p role="status" className="rounded-md bg-sunken px-3 py-2 text-[13px] text-muted">
          {t.missing}
        </p>
      )}
      {threads.length === 0 && (
        <Empty icon={<MessageSquare size={22} aria-hidden />} title={t.none} body={t.noneBody} className="py-8" />
      )}
      {open.length > 0 && <ol aria-label={t.threads}>{open.map(card)}</ol>}
      <LoadMore list={list} />
      {resolved.length > 0 && (
        <section>
          <Button size="sm" look="quiet" aria-expanded={resolvedShown} onClick={() => showResolved(!resolvedShown)}>
            {resolvedShown ? t.hideResolved : t.showResolved(resolved.length)}
          </Button>
          {resolvedShown && (
            <ol aria-label={t.resolvedThreads} className="mt-3">
              {resolved.map(card)}
            </ol>
          )}
        </section>
      )}
    </div>
  );
}
