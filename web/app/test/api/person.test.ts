import { beforeEach, expect, test, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
  localStorage.clear();
});

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });

test("after the session has ended nothing is sent until the same person is back", async () => {
  const { onSessionEnd } = await import("../../src/api/client.ts");
  const { updateRecords } = await import("../../src/api/change.ts");
  const { getMe } = await import("../../src/api/read.ts");
  const edit = () => updateRecords({ tableId: "tbl_1", body: { records: [] } });
  const person = await import("../../src/api/person.ts");
  const ended = vi.fn();
  onSessionEnd(ended);
  const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async () => json(200, {}));
  expect(person.bind("usr_p")).toBe(true);
  await edit();
  expect(fetched).toHaveBeenCalledTimes(1);

  fetched.mockImplementation(async () => json(401, {}));
  await expect(edit()).rejects.toMatchObject({ status: 401 });
  expect(ended).toHaveBeenCalledTimes(1);
  // A person has signed in, and it is not yet known who.
  fetched.mockImplementation(async () => json(200, { id: "usr_q" }));
  await expect(edit()).rejects.toMatchObject({ status: 401 });
  await expect(getMe()).rejects.toMatchObject({ status: 401 });
  expect(fetched).toHaveBeenCalledTimes(2);
  expect(await getMe({}, { whilePaused: true })).toEqual({ id: "usr_q" });
  expect(person.bind("usr_q")).toBe(false);
  await expect(edit()).rejects.toMatchObject({ status: 401 });
  expect(fetched).toHaveBeenCalledTimes(3);

  expect(person.bind("usr_p")).toBe(true);
  person.release();
  await edit();
  expect(fetched).toHaveBeenCalledTimes(4);
});

test("a page sends nothing once another person signs in in another page", async () => {
  const { updateRecords } = await import("../../src/api/change.ts");
  const person = await import("../../src/api/person.ts");
  const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async () => json(200, {}));
  const onOtherPerson = vi.fn();
  person.onOtherPerson(onOtherPerson);
  person.bind("usr_p");
  localStorage.setItem("rowhouse.person", "usr_q");
  window.dispatchEvent(new StorageEvent("storage", { key: "rowhouse.person", newValue: "usr_q" }));
  expect(onOtherPerson).toHaveBeenCalledTimes(1);
  await expect(updateRecords({ tableId: "tbl_1", body: { records: [] } })).rejects.toMatchObject({ status: 401 });
  expect(fetched).not.toHaveBeenCalled();
});
