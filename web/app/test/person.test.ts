import { beforeEach, expect, test, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
  localStorage.clear();
});

const answer = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });

test("after the session has ended nothing goes out, under nobody's name and under nobody else's, until the same person is back", async () => {
  const { get, patch, onSessionEnd, send } = await import("../src/api/client.ts");
  const person = await import("../src/api/person.ts");
  const ended = vi.fn();
  onSessionEnd(ended);
  const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async () => answer(200, {}));
  expect(person.bind("usr_p")).toBe(true);
  await patch("/tables/tbl_1/records", {});
  expect(fetched).toHaveBeenCalledTimes(1);

  fetched.mockImplementation(async () => answer(401, {}));
  await expect(patch("/tables/tbl_1/records", {})).rejects.toMatchObject({ status: 401 });
  expect(ended).toHaveBeenCalledTimes(1);
  // Somebody has signed in, and nobody knows yet who.
  fetched.mockImplementation(async () => answer(200, { id: "usr_q" }));
  await expect(patch("/tables/tbl_1/records", {})).rejects.toMatchObject({ status: 401 });
  await expect(get("/me")).rejects.toMatchObject({ status: 401 });
  expect(fetched).toHaveBeenCalledTimes(2);
  expect(await send("GET", "/api/v1/me", { whoever: true })).toEqual({ id: "usr_q" });
  expect(person.bind("usr_q")).toBe(false);
  await expect(patch("/tables/tbl_1/records", {})).rejects.toMatchObject({ status: 401 });
  expect(fetched).toHaveBeenCalledTimes(3);

  expect(person.bind("usr_p")).toBe(true);
  person.release();
  await patch("/tables/tbl_1/records", {});
  expect(fetched).toHaveBeenCalledTimes(4);
});

test("a page holds back as soon as another page of the browser has another person", async () => {
  const { patch } = await import("../src/api/client.ts");
  const person = await import("../src/api/person.ts");
  const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async () => answer(200, {}));
  const told = vi.fn();
  person.onOtherPerson(told);
  person.bind("usr_p");
  localStorage.setItem("rowhouse.person", "usr_q");
  window.dispatchEvent(new StorageEvent("storage", { key: "rowhouse.person", newValue: "usr_q" }));
  expect(told).toHaveBeenCalledTimes(1);
  await expect(patch("/tables/tbl_1/records", {})).rejects.toMatchObject({ status: 401 });
  expect(fetched).not.toHaveBeenCalled();
});
