import type { Translation } from "../part.ts";
import { account } from "./account.ts";
import { agent } from "./agent.ts";
import { airtable } from "./airtable.ts";
import { archive } from "./archive.ts";
import { backup } from "./backup.ts";
import { base } from "./base.ts";
import { board } from "./board.ts";
import { calendar } from "./calendar.ts";
import { change } from "./change.ts";
import { chart } from "./chart.ts";
import { color } from "./color.ts";
import { comment } from "./comment.ts";
import { csv } from "./csv.ts";
import { dashboard } from "./dashboard.ts";
import { field } from "./field.ts";
import { file } from "./file.ts";
import { filter } from "./filter.ts";
import { form } from "./form.ts";
import { formula } from "./formula.ts";
import { grid } from "./grid.ts";
import { home } from "./home.ts";
import { inbox } from "./inbox.ts";
import { job } from "./job.ts";
import { counted } from "./number.ts";
import { org } from "./org.ts";
import { permission } from "./permission.ts";
import { product } from "./product.ts";
import { replace } from "./replace.ts";
import { shell } from "./shell.ts";
import { richtext } from "./richtext.ts";
import { sql } from "./sql.ts";
import { timeline } from "./timeline.ts";
import { unsaved } from "./unsaved.ts";
import { view } from "./view.ts";
import { webhook } from "./webhook.ts";

const group = {
  title: "Regrouper",
  active: (count: number) => `Regroupé par ${counted(count, "champ")}`,
};

const main: Translation["main"] = { ...shell, home, base, inbox, field, file, filter, group, view };

export const fr: Translation = {
  main,
  account,
  agent,
  airtable,
  archive,
  backup,
  board,
  calendar,
  change,
  chart,
  color,
  comment,
  csv,
  dashboard,
  form,
  formula,
  grid,
  job,
  org,
  permission,
  product,
  replace,
  richtext,
  sql,
  timeline,
  unsaved,
  webhook,
};
