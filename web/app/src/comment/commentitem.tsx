import { Link2, MoreHorizontal, Pencil, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useBase } from "../access/base.ts";
import { deleteComment, updateComment } from "../api/change.ts";
import type { Comment } from "../api/type.ts";
import { ago, moment } from "../locale/time.ts";
import { useLocale } from "../locale/locale.ts";
import { useChangeText } from "../text/change.ts";
import { useText } from "../text/index.ts";
import { useCommentText } from "../text/comment.ts";
import { Avatar } from "../ui/avatar.tsx";
import { IconButton } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { copyAndNotify } from "../ui/copy.ts";
import { Confirm } from "../ui/confirm.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { complain } from "../ui/toast.ts";
import { CommentText } from "./commenttext.tsx";
import { Composer } from "./composer.tsx";
import { draftOf } from "./mention.ts";
import { useReturn } from "./return.ts";

type Props = {
  comment: Comment;
  people: readonly { id: string; name: string; email?: string }[];
  /** The id of the person who is signed in. */
  me: string | undefined;
  /** Set for the comment that the address names: it is brought into view. */
  pointed: boolean;
  /** What else can be done from its head. */
  action?: ReactNode;
};

/** One comment. Its author can change it; its author and admins can delete it. */
export function CommentItem({ comment, people, me, pointed, action }: Props) {
  const text = useText();
  const t = useCommentText();
  const locale = useLocale();
  const { canComment, canShape } = useBase();
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const actions = useRef<HTMLButtonElement>(null);
  useReturn(actions, editing);
  const { author, createdAt, editedAt, deletedAt } = comment;
  const means = useChangeText().by[comment.credential.slice(0, 3)]; // unless it was written in the application
  const name = author.name ?? t.former;
  const own = author.id === me;

  useEffect(() => {
    if (pointed) place.current?.scrollIntoView({ block: "center" });
  }, [pointed]);

  if (deletedAt)
    return (
      <div ref={place} className="flex items-center gap-3">
        <p className="min-w-0 flex-1 text-[13.5px] text-faint italic">{t.deleted}</p>
        {action}
      </div>
    );
  const link = () => {
    const url = new URL(location.href);
    url.searchParams.set("comment", comment.id);
    void copyAndNotify(url.href, t.linkCopied);
  };
  return (
    <div
      ref={place}
      data-pointed={pointed || undefined}
      className={join("rounded-md", pointed && "-m-2 bg-accent-soft p-2")}
    >
      <div className="flex items-center gap-2.5">
        <Avatar name={name} id={author.id} size={26} />
        <p className="min-w-0 flex-1 leading-snug break-words">
          <span className="font-[560]">{name}</span>{" "}
          <span className="text-[13px] text-muted">
            <time dateTime={createdAt} title={moment(createdAt, locale)}>
              {ago(createdAt, locale)}
            </time>
            {means && ` · ${means}`}
            {editedAt && <span title={moment(editedAt, locale)}>{` · ${t.edited}`}</span>}
          </span>
        </p>
        {action}
        <Menu
          align="end"
          trigger={
            <IconButton ref={actions} size="sm" label={t.actionsFor(name)}>
              <MoreHorizontal size={16} aria-hidden />
            </IconButton>
          }
        >
          <MenuItem icon={<Link2 size={15} aria-hidden />} onSelect={link}>
            {t.copyLink}
          </MenuItem>
          {own && canComment && (
            <MenuItem icon={<Pencil size={15} aria-hidden />} onSelect={() => setEditing(true)}>
              {text.action.edit}
            </MenuItem>
          )}
          {canComment && (own || canShape) && (
            <MenuItem icon={<Trash2 size={15} aria-hidden />} danger onSelect={() => setDeleting(true)}>
              {text.action.delete}
            </MenuItem>
          )}
        </Menu>
      </div>
      <div className="mt-1.5 ml-9">
        {editing ? (
          <Composer
            label={t.editLabel}
            initial={draftOf(comment.text, comment.mentions)}
            action={text.action.save}
            people={people}
            focused
            onCancel={() => setEditing(false)}
            onSend={async (body) => {
              await updateComment({ commentId: comment.id, body: { text: body } });
              setEditing(false);
            }}
          />
        ) : (
          <CommentText comment={comment} me={me} />
        )}
      </div>
      <Confirm
        open={deleting}
        onClose={() => setDeleting(false)}
        title={t.deleteTitle}
        body={t.deleteBody}
        action={text.action.delete}
        onConfirm={async () => {
          try {
            await deleteComment({ commentId: comment.id });
          } catch (error) {
            complain(error);
            throw error;
          }
        }}
      />
    </div>
  );
}
