import {
  ArrowDown,
  ArrowUp,
  BetweenHorizontalEnd,
  BetweenHorizontalStart,
  Copy,
  ExternalLink,
  Hash,
  Link2,
  Maximize2,
  Plus,
  Trash2,
} from "lucide-react";
import type { RecordRights, Row } from "../api/type.ts";
import { follow } from "../field/follow.ts";
import { isUnsaved } from "../record/command.ts";
import { useGridText } from "../text/grid.ts";
import { useText } from "../text/index.ts";
import { copyAndNotify } from "../ui/copy.ts";
import { MenuItem, MenuSeparator } from "../ui/lazypopup.tsx";

export type RowMenuProps = {
  row: Row;
  /** What the cell is a link to. */
  link: string | undefined;
  rights: RecordRights;
  onOpen: () => void;
  onDuplicate: () => void;
  /** Makes a record in the group of the row; undefined where there are no groups. */
  onAdd: (() => void) | undefined;
  /** Makes a record before the row, or behind it; undefined where records have no manual order. */
  onInsert: ((behind: boolean) => void) | undefined;
  /** Undefined where the row cannot be moved, as is the first one up. */
  onMoveUp: (() => void) | undefined;
  onMoveDown: (() => void) | undefined;
  onDelete: () => void;
};

/** The address of a record in the view that is open. */
function addressOf(recordId: string): string {
  const address = new URL(location.href);
  address.searchParams.set("record", recordId);
  return address.href;
}

/** What can be done with a record of a grid. */
export function RowMenu(props: RowMenuProps) {
  const { row, link, rights, onOpen, onDuplicate, onAdd, onInsert, onMoveUp, onMoveDown, onDelete } = props;
  const text = useText();
  const [t, moves] = [text.base.record, text.view];
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
          {onInsert && !isUnsaved(row.id) && (
            <>
              <MenuItem icon={<BetweenHorizontalEnd size={15} />} onSelect={() => onInsert(false)}>
                {words.insertAbove}
              </MenuItem>
              <MenuItem icon={<BetweenHorizontalStart size={15} />} onSelect={() => onInsert(true)}>
                {words.insertBelow}
              </MenuItem>
            </>
          )}
          <MenuItem icon={<Copy size={15} />} onSelect={onDuplicate}>
            {t.duplicate}
          </MenuItem>
        </>
      )}
      {(onMoveUp ?? onMoveDown) && !isUnsaved(row.id) && (
        <>
          <MenuSeparator />
          {onMoveUp && (
            <MenuItem icon={<ArrowUp size={15} />} onSelect={onMoveUp}>
              {moves.moveUp}
            </MenuItem>
          )}
          {onMoveDown && (
            <MenuItem icon={<ArrowDown size={15} />} onSelect={onMoveDown}>
              {moves.moveDown}
            </MenuItem>
          )}
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
