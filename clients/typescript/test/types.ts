// What the compiler must and must not accept. Nothing runs it.

import { type Client, hasCode } from "@rowhouse/client";

// As `rowhouse types --lang typescript` writes it.
interface Ship {
  Name: string | null;
  Kind: "Ferry" | "Tug" | null;
  "Laid up": boolean;
  readonly Age: number | null;
}

export async function typed(client: Client, error: unknown): Promise<string | null> {
  const ships = client.table<Ship>("tbl_1");
  await ships.create([{ Name: "Aase", Kind: "Tug" }, { "Laid up": true }], { upsertOn: ["Name"] });
  await ships.update("rec_1", { Kind: null });
  await client.table("tbl_1").create([{ Anything: 1 }]);
  if (hasCode(error, "version_changed")) return error.code;

  // @ts-expect-error: no such option
  await ships.create([{ Kind: "Barge" }]);
  // @ts-expect-error: no such field
  await ships.update("rec_1", { Knd: "Tug" });
  // @ts-expect-error: the service computes it
  await ships.update("rec_1", { Age: 3 });
  // @ts-expect-error: no such field
  await ships.create([], { upsertOn: ["Nmae"] });
  // @ts-expect-error: no such field
  ships.records({ fields: ["Nmae"] });
  // @ts-expect-error: no such code
  hasCode(error, "version_change");
  // @ts-expect-error: no such kind
  client.watch("bas_1", { kinds: ["create"] });
  // @ts-expect-error: the type of the field
  const wrong: number = (await ships.get("rec_1")).fields.Name;
  return (await ships.get("rec_1")).fields.Name ?? String(wrong);
}
