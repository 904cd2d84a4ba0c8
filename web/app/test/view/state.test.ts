import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Table, View, ViewConfig } from "../../src/api/type.ts";
import { saveLayout } from "../../src/record/layout.ts";
import { useViewState } from "../../src/view/state.ts";

vi.mock("../../src/record/layout.ts", () => ({ saveLayout: vi.fn(), layoutsSaved: vi.fn() }));

const table = { id: "tbl_1", fields: [] } as unknown as Table;
const viewWith = (config: ViewConfig) => ({ id: "viw_1", config }) as View;

test("what was saved of a view stays until the view comes with it, and what others change then follows", () => {
  const { result, rerender } = renderHook(({ view }) => useViewState(table, view, true), {
    initialProps: { view: viewWith({ calendarScale: "month" }) },
  });
  act(() => result.current.set({ calendarScale: "week" }));
  expect(result.current.config.calendarScale).toBe("week");
  const saved = vi.mocked(saveLayout).mock.calls[0]![2];
  act(() => saved({ calendarScale: "week" }));
  expect(result.current.config.calendarScale).toBe("week");
  rerender({ view: viewWith({ calendarScale: "week" }) });
  expect(result.current.config.calendarScale).toBe("week");
  rerender({ view: viewWith({ calendarScale: "day" }) });
  expect(result.current.config.calendarScale).toBe("day");
});
