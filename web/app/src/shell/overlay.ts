/** What is open over the page. */
export type Overlay = "palette" | "shortcut" | null;
