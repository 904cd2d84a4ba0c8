import { FolderInput, Pencil, Smile, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { Icon } from "../api/type.ts";
import { text } from "../text/index.ts";
import { Confirm, NameDialog } from "../ui/ask.tsx";
import type { MenuPlace } from "../ui/latemenu.tsx";
import { Menu, MenuHeading, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { complain, tell } from "../ui/toast.ts";

const IconDialog = lazy(() => import("./icondialog.tsx"));
const t = text.home;

type Props = {
  place: MenuPlace;
  align?: "start" | "end";
  entity: { name: string; icon?: Icon | null };
  words: { rename: string; label: string; remove: string; removeTitle: (name: string) => string; removeBody: string };
  change: (body: { name?: string; icon?: Icon }) => Promise<unknown>;
  /** Where the entity can be moved to. */
  moves?: { id: string; name: string; move: () => Promise<unknown> }[];
  /** Deletes it; absent when that is not possible now. */
  remove?: () => Promise<unknown>;
  /** Its name has to be typed before it is deleted. */
  typed?: boolean;
};

/** What an admin can do with a base or a workspace: rename it, choose its icon, move it, delete it. */
export default function EntityMenu({ place, align, entity, words, change, moves = [], remove, typed }: Props) {
  const [dialog, setDialog] = useState<"rename" | "icon" | "delete" | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <Menu {...place} align={align}>
        <MenuItem icon={<Pencil size={15} />} onSelect={() => setDialog("rename")}>
          {t.rename}
        </MenuItem>
        <MenuItem icon={<Smile size={15} />} onSelect={() => setDialog("icon")}>
          {t.changeIcon}
        </MenuItem>
        {moves.length > 0 && (
          <>
            <MenuSeparator />
            <MenuHeading>{t.moveTo}</MenuHeading>
            {moves.map(({ id, name, move }) => (
              <MenuItem key={id} icon={<FolderInput size={15} />} onSelect={() => void move().catch(complain)}>
                {name}
              </MenuItem>
            ))}
          </>
        )}
        {remove && (
          <>
            <MenuSeparator />
            <MenuItem icon={<Trash2 size={15} />} danger onSelect={() => setDialog("delete")}>
              {words.remove}
            </MenuItem>
          </>
        )}
      </Menu>
      <NameDialog open={dialog === "rename"} onClose={close} title={words.rename} label={words.label} name={entity.name} onSave={(name) => change({ name })} />
      <Suspense>{dialog === "icon" && <IconDialog onClose={close} icon={entity.icon} name={entity.name} onSave={(icon) => change({ icon })} />}</Suspense>
      <Confirm
        open={dialog === "delete"}
        onClose={close}
        title={words.removeTitle(entity.name)}
        body={words.removeBody}
        action={words.remove}
        typed={typed ? entity.name : undefined}
        onConfirm={async () => {
          try {
            await remove?.();
          } catch (error) {
            complain(error);
            throw error;
          }
          tell(t.deleted(entity.name));
        }}
      />
    </>
  );
}
