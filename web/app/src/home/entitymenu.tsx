import { FolderInput, Pencil, Smile, Trash2 } from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import type { Icon } from "../api/type.ts";
import { useText } from "../text/index.ts";
import { Confirm } from "../ui/lazyconfirm.tsx";
import { NameDialog } from "../ui/lazyrename.tsx";
import type { MenuPlace } from "../ui/lazymenu.tsx";
import { Menu, MenuHeading, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { complain, notify } from "../ui/toast.ts";
import { preloadable } from "../ui/preloadable.tsx";

const IconDialog = preloadable(async () => (await import("../ui/icondialog.tsx")).default, null);

type Props = {
  place: MenuPlace;
  align?: "start" | "end";
  entity: { name: string; icon?: Icon | null };
  texts: { rename: string; label: string; remove: string; removeTitle: (name: string) => string; removeBody: string };
  change: (body: { name?: string; icon?: Icon }) => Promise<unknown>;
  /** What else can be done with it. */
  more?: { icon: ReactNode; label: string; onSelect: () => void }[];
  /** Where the entity can be moved to. */
  moves?: { id: string; name: string; move: () => Promise<unknown> }[];
  /** Deletes it; absent when that is not possible now. */
  remove?: () => Promise<unknown>;
  /** Its name has to be typed before it is deleted. */
  typed?: boolean;
};

/**
 * What an admin can do with a base or a workspace: rename it, choose its icon, move it, delete it.
 */
export function EntityMenu({ place, align, entity, texts, change, more = [], moves = [], remove, typed }: Props) {
  const t = useText().home;
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
        {more.map(({ icon, label, onSelect }) => (
          <MenuItem key={label} icon={icon} onSelect={onSelect}>
            {label}
          </MenuItem>
        ))}
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
              {texts.remove}
            </MenuItem>
          </>
        )}
      </Menu>
      <NameDialog
        open={dialog === "rename"}
        onClose={close}
        title={texts.rename}
        label={texts.label}
        name={entity.name}
        onSave={(name) => change({ name })}
      />
      <Suspense>
        {dialog === "icon" && (
          <IconDialog onClose={close} icon={entity.icon} name={entity.name} onSave={(icon) => change({ icon })} />
        )}
      </Suspense>
      <Confirm
        open={dialog === "delete"}
        onClose={close}
        title={texts.removeTitle(entity.name)}
        body={texts.removeBody}
        action={texts.remove}
        typed={typed ? entity.name : undefined}
        onConfirm={async () => {
          try {
            await remove?.();
          } catch (error) {
            complain(error);
            throw error;
          }
          notify(t.deleted(entity.name));
        }}
      />
    </>
  );
}
