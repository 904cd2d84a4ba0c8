import { expect, test } from "vitest";
import { withoutCents } from "../../src/chart/figure.tsx";

test("an axis writes round numbers without cents, and all of their thousands", () => {
  expect(withoutCents("8,000", "en-US")).toBe("8,000");
  expect(withoutCents("$8,000.00", "en-US")).toBe("$8,000");
  expect(withoutCents("8.000,00 €", "de")).toBe("8.000 €");
  expect(withoutCents("8.000", "de")).toBe("8.000");
  expect(withoutCents("0.25", "en-US")).toBe("0.25");
});
