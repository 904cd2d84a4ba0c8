import { expect, test } from "vitest";
import { newContext, signIn } from "./browser.ts";
import { browserFixture, createTable, testService } from "./fixture.ts";

const fixture = browserFixture("en-US");

test("a press on what lies over a popover is none outside it, by mouse and by finger", async () => {
  const { baseId, table } = await createTable("Trees", [{ name: "Name", type: "text" }], [{ Name: "Oak" }]);
  const narrow = await newContext(fixture.browser, testService(), { width: 390, height: 844, locale: "en-US" });
  const phone = await signIn(narrow.context, testService().email, testService().password);
  for (const page of [fixture.page, phone]) {
    const press = (name: string) => {
      const button = page.getByRole("alertdialog").getByRole("button", { name });
      return page === phone ? button.tap() : button.click();
    };
    await page.goto(`/base/${baseId}/${table.id}`);
    await page.getByTestId("data-grid-canvas").waitFor();
    await page.getByRole("button", { name: "Add field" }).first().click();
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("Age");
    await page.getByLabel("Type").selectOption("formula");
    const formula = page.getByRole("combobox", { name: "Formula" });
    await formula.pressSequentially("UPP");
    const offer = page.getByRole("option", { name: /^UPPER/ });
    await (page === phone ? offer.tap() : offer.click());
    await expect.poll(() => formula.inputValue()).toContain("UPPER(");
    expect(await page.getByRole("alertdialog").count()).toBe(0);

    await name.press("Escape");
    await press("Cancel");
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    await page.waitForTimeout(300); // it would come back
    expect(await page.getByRole("alertdialog").count()).toBe(0);
    expect(await name.inputValue()).toBe("Age");
    await name.press("Escape");
    await press("Discard");
    await name.waitFor({ state: "detached" });
  }
  await narrow.context.close();
});
