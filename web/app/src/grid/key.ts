import type { GridKeyEventArgs, Item } from "@glideapps/glide-data-grid";

type Actions = {
  editable: boolean;
  deletable: boolean;
  open: (row: number) => void;
  /** Makes a record below a row. Returns whether it may. */
  insert: (row: number) => boolean;
  /** Writes the present day or time into a cell. Returns whether it has one. */
  now: (cell: Item) => boolean;
  /** Opens the menu of a row at one of its cells. */
  menu: (cell: Item) => void;
  /** Empties what is selected. */
  empty: () => void;
  fillDown: () => void;
  /** Returns whether there are cells to the right to fill. */
  fillRight: () => boolean;
  undo: () => void;
  redo: () => void;
  search: () => void;
  /** Finds and replaces in a column, if its records may be changed. */
  replace: ((column: number | undefined) => void) | undefined;
  /** Called for a letter that is typed into a column. */
  refuse: (column: number) => void;
};

/** Handles the keys whose meaning here differs from the library's. */
export function takeKey(event: GridKeyEventArgs, does: Actions) {
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  const take = (act: () => void) => {
    event.cancel();
    event.preventDefault();
    act();
  };
  if (key === " " && !event.shiftKey && !command) {
    const { location } = event;
    if (location) take(() => does.open(location[1]));
  } else if (key === "enter" && event.shiftKey && !command) {
    if (event.location && does.insert(event.location[1])) take(() => undefined);
  } else if (key === ";" && command) {
    if (event.location && does.now(event.location)) take(() => undefined);
  } else if (key === "contextmenu" || (key === "f10" && event.shiftKey)) {
    const { location } = event;
    if (location) take(() => does.menu(location));
  } else if ((key === "delete" || key === "backspace") && !command) {
    take(() => (does.editable || does.deletable) && does.empty());
  } else if (command && key === "d") take(() => does.editable && does.fillDown());
  else if (command && key === "r" && !event.shiftKey) {
    // Otherwise it loads the page again, as everywhere.
    if (does.editable && does.fillRight()) take(() => undefined);
  } else if (command && key === "z") take(event.shiftKey ? does.redo : does.undo);
  else if (command && key === "y") take(does.redo);
  else if (command && key === "f") take(does.search);
  else if (command && key === "h" && does.replace) {
    const { replace } = does;
    take(() => replace(event.location?.[0]));
  }
  else if (event.key.length === 1 && key !== " " && !command && !event.altKey && does.editable && event.location)
    does.refuse(event.location[0]);
}
