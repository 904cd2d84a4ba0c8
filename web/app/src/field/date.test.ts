import { expect, test } from "vitest";

import { fromLocal, partsOf } from "./date";

test("a day without a midnight begins at the first time that a clock shows on it", () => {
  const days: [string, number, number, number, string][] = [
    ["America/Santiago", 2024, 9, 8, "2024-09-08T04:00:00Z"],
    ["America/Havana", 2024, 3, 10, "2024-03-10T05:00:00Z"],
    ["Pacific/Apia", 2011, 12, 30, "2011-12-30T10:00:00Z"], // which is the day after it, since that day never was
    ["Europe/Berlin", 2024, 3, 31, "2024-03-30T23:00:00Z"],
  ];
  for (const [zone, year, month, day, want] of days) expect(fromLocal(year, month, day, 0, 0, zone)).toBe(want);
  expect(partsOf(fromLocal(2024, 9, 8, 0, 0, "America/Santiago"), "America/Santiago")).toMatchObject({ day: 8, hour: 1 });
});
