import { ChevronDown, ChevronRight, ChevronsDownUp, ChevronsUpDown, Plus } from "lucide-react";
import { useGridText } from "../text/grid.ts";
import { MenuItem, MenuSeparator } from "../ui/lazypopup.tsx";

export type HeadMenuProps = {
  folded: boolean;
  onFold: () => void;
  /** Makes a record in the group; undefined for those who may not. */
  onAdd: (() => void) | undefined;
  onFoldAll: () => void;
  onUnfoldAll: () => void;
};

/** What can be done with a group of rows, from the menu of its head. */
export function HeadMenu({ folded, onFold, onAdd, onFoldAll, onUnfoldAll }: HeadMenuProps) {
  const t = useGridText();
  return (
    <>
      {onAdd && (
        <>
          <MenuItem icon={<Plus size={15} />} onSelect={onAdd}>
            {t.addToGroup}
          </MenuItem>
          <MenuSeparator />
        </>
      )}
      <MenuItem icon={folded ? <ChevronDown size={15} /> : <ChevronRight size={15} />} hint="Enter" onSelect={onFold}>
        {folded ? t.unfold : t.fold}
      </MenuItem>
      <MenuItem icon={<ChevronsDownUp size={15} />} onSelect={onFoldAll}>
        {t.foldAll}
      </MenuItem>
      <MenuItem icon={<ChevronsUpDown size={15} />} onSelect={onUnfoldAll}>
        {t.unfoldAll}
      </MenuItem>
    </>
  );
}
