import { Copy, ExternalLink, Hash, Link2, Maximize2, Plus, Trash2 } from "lucide-react";
import type { RecordRights, Row } from "../api/type.ts";
import { follow } from "../field/follow.ts";
import { isUnsaved } from "../record/command.ts";
import { useGridText } from "../text/grid.ts";
import { useText } from "../text/index.ts";
import { copyAndNotify } from "../ui/copy.ts";
import { MenuItem, MenuSeparator } from "../ui/lazypopup.tsx";

type Props = {
  row: Row;
  /** What the cell is a link to. */
  link: string | undefined;
  rights: RecordRights;
  onOpen: () => void;
  onDuplicate: () => void;
  /** Makes a record in the group of the row; undefined where there are no groups. */
  onAdd: (() => void) | undefined;
  onDelete: () => void;
};

/** The address of a record in the view that is open. */
function addressOf(recordId: string): string {
  const address = new URL(location.href);
  address.searchParams.set("record", recordId);
  return address.href;
}

/** What can be done with a record of a grid. */
export function RowMenu({ row, link, rights, onOpen, onDuplicate, onAdd, onDelete }: Props) {
  const t = useText().base.record;
  const words = useGridText();
  return (
    <>
      <MenuItem icon={<Maximize2 size={15} />} hint={words.space} onSelect={onOpen}>
        {t.open}
      </MenuItem>
      {link && (
        <MenuItem icon={<ExternalLink size={15} />} hint={words.followHint} onSelect={() => follow(link)}>
          {words.follow}
        </MenuItem>
      )}
      {rights.create && (
        <>
          <MenuSeparator />
          {onAdd && (
            <MenuItem icon={<Plus size={15} />} onSelect={onAdd}>
              {words.addToGroup}
            </MenuItem>
          )}
          <MenuItem icon={<Copy size={15} />} onSelect={onDuplicate}>
            {t.duplicate}
          </MenuItem>
        </>
      )}
      {!isUnsaved(row.id) && (
        <>
          <MenuSeparator />
          <MenuItem
            icon={<Link2 size={15} />}
            onSelect={() => void copyAndNotify(addressOf(row.id), t.linkCopied)}
          >
            {t.copyLink}
          </MenuItem>
          <MenuItem icon={<Hash size={15} />} onSelect={() => void copyAndNotify(row.id, words.idCopied)}>
            {words.copyId}
          </MenuItem>
        </>
      )}
      {rights.delete && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Trash2 size={15} />} danger onSelect={onDelete}>
            {t.delete}
          </MenuItem>
        </>
      )}
    </>
  );
}
