import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { CheckCheck, DatabaseBackup, Inbox, Settings } from "lucide-react";
import { useMemo, useState } from "react";
import { Link } from "../route/link.tsx";
import { markInboxRead } from "../api/change.ts";
import { inboxQuery, meQuery } from "../api/query.ts";
import type { Notice } from "../api/type.ts";
import { ago, moment } from "../locale/time.ts";
import { useLocale } from "../locale/locale.ts";
import { useText } from "../text/index.ts";
import { useCommentText } from "../text/comment.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { KindSelect, Pages } from "../ui/pages.tsx";
import { Rows } from "../ui/settings.tsx";
import { Empty } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { CommentText } from "./commenttext.tsx";

/** The person's notifications in all organizations, the latest first. */
export function InboxPage() {
  const text = useText();
  const t = useCommentText().inbox;
  const [unread, setUnread] = useState(false);
  const [busy, setBusy] = useState(false);
  const me = useQuery(meQuery);
  const list = useInfiniteQuery(inboxQuery(unread));
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data]);
  const open = list.data?.pages[0]?.unread ?? 0;

  const readAll = async () => {
    setBusy(true);
    try {
      const orgs = me.data?.orgs ?? [];
      await Promise.all(orgs.map(({ orgId }) => markInboxRead({ orgId, body: { all: true } })));
      notify(t.allRead);
    } catch (error) {
      complain(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="mx-auto max-w-[820px] px-5 py-8 sm:px-8 sm:py-10">
      <title>{`${text.inbox.title} · ${text.name}`}</title>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="min-w-0 flex-1 basis-72">
          <h1 className="text-[26px] leading-tight">{text.inbox.title}</h1>
          <p className="mt-1 text-muted">{t.body}</p>
        </div>
        <div className="flex flex-wrap items-end gap-2">
          <KindSelect
            className="w-36"
            label={t.filter}
            all={t.all}
            kinds={["unread"]}
            names={t}
            value={unread ? "unread" : undefined}
            onChange={(kind) => setUnread(kind !== undefined)}
          />
          <Button
            busy={busy}
            disabled={open === 0}
            icon={<CheckCheck size={15} aria-hidden />}
            onClick={() => void readAll()}
          >
            {t.readAll}
          </Button>
          <Link
            to="/settings/notifications"
            aria-label={t.settings}
            title={t.settings}
            className="grid size-8.5 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
          >
            <Settings size={17} aria-hidden />
          </Link>
        </div>
      </div>
      <div className="mt-6">
        <Pages
          list={list}
          empty={
            items.length === 0 && (
              <Empty
                icon={<Inbox size={22} aria-hidden />}
                title={unread ? t.noneUnread : t.empty}
                body={unread ? undefined : t.emptyBody}
              />
            )
          }
        >
          <Rows>
            {items.map((item) => (
              <Item key={item.id} item={item} me={me.data?.id} />
            ))}
          </Rows>
        </Pages>
      </div>
    </div>
  );
}

/** One item, which leads to what it is about. */
function Item({ item, me }: { item: Notice; me: string | undefined }) {
  const { comment, table, record } = item;
  if (!comment || !table || !record) return <BackupItem item={item} />;
  return <CommentItem item={{ ...item, comment, table, record }} me={me} />;
}

const itemClass = (item: Notice) =>
  join("flex items-start gap-3 px-4 py-3.5 hover:bg-hover", !item.readAt && "bg-accent-soft/40");

/** Marks an item as read that is opened. */
function read({ id, orgId, readAt }: Notice) {
  if (!readAt) markInboxRead({ orgId, body: { items: [id] } }).catch(() => undefined);
}

function BackupItem({ item }: { item: Notice }) {
  const t = useCommentText().inbox;
  return (
    <li>
      <Link
        to="/org/$orgId/backups"
        params={{ orgId: item.orgId }}
        onClick={() => read(item)}
        className={itemClass(item)}
      >
        <span className="grid size-7.5 shrink-0 place-items-center rounded-full bg-danger-soft text-danger">
          <DatabaseBackup size={16} aria-hidden />
        </span>
        <div className="min-w-0 flex-1">
          <p className="font-[560] break-words">{t.backup(item.base.name)}</p>
          <p className="mt-1 line-clamp-3 text-[14px] break-words">{item.backup?.message}</p>
          <When item={item} />
        </div>
        <Unread item={item} />
      </Link>
    </li>
  );
}

function When({ item: { createdAt, base } }: { item: Notice }) {
  const locale = useLocale();
  return (
    <p className="mt-1.5 text-[13px] text-faint">
      <time dateTime={createdAt} title={moment(createdAt, locale)}>
        {ago(createdAt, locale)}
      </time>
      {` · ${base.name}`}
    </p>
  );
}

function Unread({ item }: { item: Notice }) {
  const t = useCommentText().inbox;
  if (item.readAt) return null;
  return (
    <span className="mt-2 size-2 shrink-0 rounded-full bg-accent">
      <span className="sr-only">{t.new}</span>
    </span>
  );
}

type CommentNotice = Notice & Required<Pick<Notice, "comment" | "table" | "record">>;

function CommentItem({ item, me }: { item: CommentNotice; me: string | undefined }) {
  const texts = useCommentText();
  const t = texts.inbox;
  const { comment, base, table, record, reason } = item;
  const name = comment.author.name ?? texts.former;
  return (
    <li>
      <Link
        to="/base/$baseId/$tableId"
        params={{ baseId: base.id, tableId: table.id }}
        search={{ record: record.id, comment: comment.id }}
        onClick={() => read(item)}
        className={itemClass(item)}
      >
        <Avatar name={name} id={comment.author.id} size={30} />
        <div className="min-w-0 flex-1">
          <p className="break-words">
            <span className="font-[560]">{name}</span> {t.did[reason] ?? t.did.reply}{" "}
            <span className="text-muted">{t.on(record.name || t.untitled, table.name)}</span>
          </p>
          <CommentText comment={comment} me={me} className="mt-1 line-clamp-3 text-[14px]" />
          <When item={item} />
        </div>
        <Unread item={item} />
      </Link>
    </li>
  );
}
