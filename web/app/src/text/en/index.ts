import { base } from "./base.ts";
import { field } from "./field.ts";
import { file } from "./file.ts";
import { filter } from "./filter.ts";
import { home } from "./home.ts";
import { inbox } from "./inbox.ts";
import { shell } from "./shell.ts";
import { view } from "./view.ts";

const group = {
  title: "Group",
  active: (count: number) => (count === 1 ? "Grouped by 1 field" : `Grouped by ${count} fields`),
};

export const en = { ...shell, home, base, inbox, field, file, filter, group, view };
