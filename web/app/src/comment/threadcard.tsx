import { CheckCircle2, Reply, RotateCcw } from "lucide-react";
import { useRef, useState } from "react";
import { useBase } from "../access/base.ts";
import { createComment, resolveComment } from "../api/change.ts";
import { useIdempotencyKeys } from "../api/idempotency.ts";
import { ago } from "../locale/time.ts";
import { useLocale } from "../locale/locale.ts";
import { useCommentText } from "../text/comment.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { complain } from "../ui/toast.ts";
import { CommentItem } from "./commentitem.tsx";
import { Composer } from "./composer.tsx";
import { useReturn } from "./return.ts";
import type { Thread } from "./thread.ts";

type Props = {
  thread: Thread;
  people: readonly { id: string; name: string; email?: string }[];
  /** The id of the person who is signed in. */
  me: string | undefined;
  /** The comment of the thread that is pointed out. */
  commentId?: string;
};

/** One thread, with the ways to answer it, to resolve it and to open it again. */
export function ThreadCard({ thread, people, me, commentId }: Props) {
  const t = useCommentText();
  const locale = useLocale();
  const { canComment } = useBase();
  const [replying, setReplying] = useState(false);
  const [busy, setBusy] = useState(false);
  const { first, replies } = thread;
  const idempotency = useIdempotencyKeys();
  const reply = useRef<HTMLButtonElement>(null);
  useReturn(reply, replying);
  const { threadId, recordId, resolvedAt, resolvedBy } = first;

  const resolve = async (resolved: boolean) => {
    setBusy(true);
    try {
      await resolveComment({ commentId: threadId, body: { resolved } });
    } catch (error) {
      complain(error);
    } finally {
      setBusy(false);
    }
  };
  const action = canComment && !resolvedAt && (
    <IconButton size="sm" label={t.resolve} disabled={busy} onClick={() => void resolve(true)}>
      <CheckCircle2 size={16} aria-hidden />
    </IconButton>
  );
  return (
    <li
      className={join(
        "mb-4 rounded-lg border border-line px-4 pt-4 pb-2.5 last:mb-0",
        resolvedAt ? "bg-sunken" : "bg-surface shadow-low",
      )}
    >
      {resolvedAt && (
        <div className="mb-3 flex items-center gap-2 text-[13px] text-muted">
          <CheckCircle2 size={15} className="shrink-0 text-accent" aria-hidden />
          <p className="min-w-0 flex-1">{t.resolvedBy(resolvedBy?.name ?? t.former, ago(resolvedAt, locale))}</p>
          {canComment && (
            <Button
              size="sm"
              look="quiet"
              busy={busy}
              icon={<RotateCcw size={14} aria-hidden />}
              onClick={() => void resolve(false)}
            >
              {t.reopen}
            </Button>
          )}
        </div>
      )}
      <CommentItem comment={first} people={people} me={me} pointed={first.id === commentId} action={action} />
      {replies.length > 0 && (
        <ol aria-label={t.replies} className="mt-4 flex flex-col gap-4 border-l-2 border-line pl-3.5">
          {replies.map((reply) => (
            <li key={reply.id}>
              <CommentItem comment={reply} people={people} me={me} pointed={reply.id === commentId} />
            </li>
          ))}
        </ol>
      )}
      {canComment && (
        <div className="mt-2.5">
          {replying ? (
            <Composer
              keep={threadId}
              label={t.reply}
              action={t.reply}
              people={people}
              focused
              onCancel={() => setReplying(false)}
              onSend={async (said) => {
                const body = { text: said, replyTo: threadId };
                await createComment({ recordId, body }, { idempotencyKey: idempotency.keyFor(body) });
                idempotency.done();
                setReplying(false);
              }}
            />
          ) : (
            <Button
              ref={reply}
              size="sm"
              look="quiet"
              className="-ml-2 text-muted"
              icon={<Reply size={15} aria-hidden />}
              onClick={() => setReplying(true)}
            >
              {t.reply}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}
