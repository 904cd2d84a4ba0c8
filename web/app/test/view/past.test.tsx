import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { PastChoice } from "../../src/view/past.tsx";
import { PastBanner } from "../../src/view/pastbanner.tsx";
import { english, LocaleContext } from "../../src/locale/locale.ts";
import { fieldOf, slowTimeout } from "../fieldsample.tsx";
import { loadPopups } from "../../src/ui/lazypopup.tsx";
import { Moment } from "../../src/view/lazy.ts";

// A page loads them a moment after the table.
beforeAll(async () => {
  await Promise.all([loadPopups(), Moment.preload()]);
}, 60_000);

afterEach(cleanup);

async function open(zone?: string) {
  const onChange = vi.fn();
  render(
    <LocaleContext value={{ ...english, zone }}>
      <PastChoice asOf={undefined} onChange={onChange} />
    </LocaleContext>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Look back" }));
  return { onChange, when: await screen.findByLabelText<HTMLInputElement>("Date and time") };
}

test("a moment is chosen to the second, in the time zone of the browser", { timeout: slowTimeout }, async () => {
  const { onChange, when } = await open();
  fireEvent.input(when, { target: { value: "2026-01-31T10:20:30" } });
  await userEvent.click(screen.getByRole("button", { name: "Show" }));
  expect(onChange).toHaveBeenCalledExactlyOnceWith(new Date("2026-01-31T10:20:30").toISOString());
  expect(screen.queryByRole("button", { name: "Show" })).toBeNull();
});

test("the slider goes back by hours, and tells days and hours", { timeout: slowTimeout }, async () => {
  const { when } = await open();
  const slider = screen.getByRole("slider", { name: "How long ago" });
  expect(slider.getAttribute("aria-valuetext")).toBe("1 hour ago");
  const start = new Date(when.value).getTime();
  fireEvent.input(slider, { target: { value: "-5" } });
  expect(slider.getAttribute("aria-valuetext")).toBe("5 hours ago");
  expect(start - new Date(when.value).getTime()).toBe(4 * 3_600_000);
  for (const [hours, said] of [
    [0, "Now"],
    [47, "47 hours ago"],
    [48, "2 days ago"],
    [73, "3 days and 1 hour ago"],
    [335, "13 days and 23 hours ago"],
  ]) {
    fireEvent.input(slider, { target: { value: `-${hours}` } });
    expect(slider.getAttribute("aria-valuetext")).toBe(said);
  }
});

test("there is nothing to see in the future", { timeout: slowTimeout }, async () => {
  const { onChange, when } = await open();
  for (const value of ["2999-01-01T00:00:00", ""]) {
    fireEvent.input(when, { target: { value } });
    screen.getByText("Choose a moment in the past.");
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Show" }).disabled).toBe(true);
  }
  expect(onChange).not.toHaveBeenCalled();
});

test("somebody with a time zone of their own chooses a moment by it", { timeout: slowTimeout }, async () => {
  const { onChange, when } = await open("Asia/Tokyo");
  fireEvent.input(when, { target: { value: "" } });
  screen.getByText("Choose a moment in the past.");
  fireEvent.input(when, { target: { value: "2026-01-31T10:20:30" } });
  await userEvent.click(screen.getByRole("button", { name: "Show" }));
  expect(onChange).toHaveBeenCalledExactlyOnceWith("2026-01-31T01:20:30.000Z");
});

test("the past says that it is read-only, and leads back to now", async () => {
  const onNow = vi.fn();
  render(<PastBanner asOf="2026-01-31T10:20:30Z" fields={[]} onNow={onNow} />);
  expect(screen.getByRole("status").textContent).toMatch(/as it was on Jan 31, 2026.*read-only/);
  await userEvent.click(screen.getByRole("button", { name: "Back to now" }));
  expect(onNow).toHaveBeenCalledOnce();
});

test("the past says what follows the links of today, when that is shown", () => {
  const shown = fieldOf("count");
  render(<PastBanner asOf="2026-01-31T10:20:30Z" fields={[shown]} onNow={() => undefined} />);
  expect(screen.getByRole("status").textContent).toContain("counts follow the links of today");
});
