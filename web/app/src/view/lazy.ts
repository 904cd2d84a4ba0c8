import { preloadable } from "../ui/preloadable.tsx";
import type { ColorPanelProps } from "./colorpanel.tsx";
import type { ExportItemsProps } from "./exportitems.tsx";
import type { FieldMenuProps } from "./fieldmenu.tsx";
import type { FieldPanelProps } from "./fieldpanel.tsx";
import type { FormEditorProps } from "./formeditor.tsx";
import type { GroupPanelProps } from "./grouppanel.tsx";
import type { HeadMenuProps } from "./headmenu.tsx";
import type { MomentProps } from "./moment.tsx";
import type { NewFieldsProps } from "./newfields.tsx";
import type { PastBannerProps } from "./pastbanner.tsx";
import type { ReplaceDialogProps } from "./replacedialog.tsx";
import type { RowMenuProps } from "./rowmenu.tsx";
import type { SelectionBarProps } from "./selectionbar.tsx";
import type { SelectionSumsProps } from "./selectionsums.tsx";

/** The panel of the toolbar's fields, which is loaded when it is first opened. */
export const FieldPanel = preloadable<FieldPanelProps>(async () => (await import("./fieldpanel.tsx")).FieldPanel);

/** The panel of the groups, likewise. */
export const GroupPanel = preloadable<GroupPanelProps>(async () => (await import("./grouppanel.tsx")).GroupPanel);

/** The panel of the colours, likewise. */
export const ColorPanel = preloadable<ColorPanelProps>(async () => (await import("./colorpanel.tsx")).ColorPanel);

/** The items that export and print, likewise. */
export const ExportItems = preloadable<ExportItemsProps>(
  async () => (await import("./exportitems.tsx")).ExportItems,
  null,
);

/** The choice of a moment of the past, likewise. */
export const Moment = preloadable<MomentProps>(async () => (await import("./moment.tsx")).Moment);

/** What stands above a table of the past. */
export const PastBanner = preloadable<PastBannerProps>(
  async () => (await import("./pastbanner.tsx")).PastBanner,
  null,
);

/** The menus of a field and of a row, likewise. */
export const FieldMenu = preloadable<FieldMenuProps>(async () => (await import("./fieldmenu.tsx")).FieldMenu, null);
export const RowMenu = preloadable<RowMenuProps>(async () => (await import("./rowmenu.tsx")).RowMenu, null);

/** The menu of a group's head, and what is shown of selected cells and rows. */
export const HeadMenu = preloadable<HeadMenuProps>(async () => (await import("./headmenu.tsx")).HeadMenu, null);
export const SelectionBar = preloadable<SelectionBarProps>(
  async () => (await import("./selectionbar.tsx")).SelectionBar,
  null,
);
export const SelectionSums = preloadable<SelectionSumsProps>(
  async () => (await import("./selectionsums.tsx")).SelectionSums,
  null,
);

/** The dialog for fields that a paste makes. */
export const NewFields = preloadable<NewFieldsProps>(async () => (await import("./newfields.tsx")).NewFields, null);

/** The dialog that finds and replaces. */
export const ReplaceDialog = preloadable<ReplaceDialogProps>(
  async () => (await import("./replacedialog.tsx")).ReplaceDialog,
  null,
);

/** What a form asks for and does, which those who may change it edit. */
export const FormEditor = preloadable<FormEditorProps>(async () => (await import("./formeditor.tsx")).FormEditor);
