import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cache } from "../../src/api/cache.ts";
import Palette from "../../src/shell/palette.tsx";

const navigate = vi.hoisted(() => vi.fn());
const open = vi.hoisted(() => ({ baseId: "bas_1" as string | undefined }));
vi.mock("../../src/route/router.ts", async (original) => ({
  ...(await original<object>()),
  navigate,
  useParams: () => open,
}));

afterEach(cleanup);
beforeEach(() => {
  cache.clear();
  navigate.mockClear();
  open.baseId = "bas_1";
  Element.prototype.scrollIntoView = () => undefined;
});

const lighthouse = {
  id: "rec_1",
  tableId: "tbl_1",
  table: "Places",
  title: "Lighthouse",
  snippet: "painted white and red",
  score: 3,
};

/** Opens the palette with a service that finds one record, whatever it is asked for. */
function setup() {
  const asked: string[] = [];
  const closed = vi.fn();
  vi.stubGlobal("fetch", async (request: Request) => {
    const url = new URL(request.url);
    if (!url.pathname.endsWith("/search")) return Response.json({ bases: [], orgs: [], members: [] });
    asked.push(`${url.pathname} ${url.searchParams.get("q")}`);
    return Response.json({ results: [lighthouse], tables: 1, searched: 1, hasMore: false });
  });
  render(
    <QueryClientProvider client={cache}>
      <Palette onClose={closed} onHelp={() => undefined} />
    </QueryClientProvider>,
  );
  return { asked, closed, user: userEvent.setup() };
}

test("records that the service finds are offered, although their text does not contain what was typed", async () => {
  const { asked, closed, user } = setup();
  await user.type(screen.getByRole("combobox"), "red lighthose");
  const option = await screen.findByRole("option", { name: /Lighthouse/ });
  expect(option.textContent).toContain("Places · painted white and red");
  expect(asked.at(-1)).toBe("/api/v1/bases/bas_1/search red lighthose");
  expect(asked.length).toBeLessThan(4); // and not once a letter
  await user.click(option);
  expect(closed).toHaveBeenCalled();
  expect(navigate).toHaveBeenCalledWith({
    to: "/base/$baseId/$tableId",
    params: { baseId: "bas_1", tableId: "tbl_1" },
    search: { record: "rec_1" },
  });
});

test("nothing is looked for in a single letter, or without an open base", async () => {
  const { asked, user } = setup();
  await user.type(screen.getByRole("combobox"), "l");
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(asked).toEqual([]);
  cleanup();
  open.baseId = undefined;
  const other = setup();
  await other.user.type(screen.getByRole("combobox"), "light");
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(other.asked).toEqual([]);
  await waitFor(() => expect(screen.queryByRole("option", { name: /Lighthouse/ })).toBeNull());
});

test("an action whose name was typed stands before records that the service finds", async () => {
  const { user } = setup();
  await user.type(screen.getByRole("combobox"), "theme: dark");
  await screen.findByRole("option", { name: /Lighthouse/ });
  const options = screen.getAllByRole("option").map((option) => option.textContent);
  expect(options[0]).toBe("Theme: Dark");
  expect(options.at(-1)).toContain("Lighthouse");
});
