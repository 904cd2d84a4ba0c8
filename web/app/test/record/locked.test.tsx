import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { loadControls } from "../../src/field/control/index.ts";
import { factsOf, fieldTypes } from "../../src/field/facts.ts";
import { kindOf } from "../../src/field/kind/index.ts";
import { whyReadOnly } from "../../src/field/refusal.ts";
import { isWritable, parse } from "../../src/field/value.ts";
import { RecordForm } from "../../src/record/form.tsx";
import { en } from "../../src/text/en/index.ts";
import { context, fieldOf, InBase, samples } from "../fieldsample.tsx";

afterEach(cleanup);
beforeAll(async () => {
  await Promise.all([loadControls(), kindOf("attachment").Control.preload?.()]);
});

const writable = fieldTypes.filter((type) => isWritable(fieldOf(type)));

test.each(writable)("a locked field of type %s takes no value, and says who decides that", (type) => {
  const field = { ...fieldOf(type), locked: true };
  expect(isWritable(field)).toBe(false);
  expect(parse("1", field, context).error).toBe(en.field.invalid.readOnly);
  expect(whyReadOnly(field, kindOf(type), en.field).detail).toBe(en.field.readOnly.lockedBy);
  const { value } = samples[type as keyof typeof samples];
  const { container } = render(
    <InBase>
      <RecordForm fields={[field]} values={{ [field.name]: value }} onEdit={() => undefined} />
    </InBase>,
  );
  expect(screen.getByText(en.field.readOnly.lockedBy)).toBeTruthy();
  const open = container.querySelectorAll(
    ["input", "textarea", "select"].map((name) => `${name}:not([readonly], [disabled], [type=hidden])`).join(),
  );
  expect([...open].filter((one) => !one.closest("[aria-disabled=true], [data-disabled], [inert]"))).toEqual([]);
});

test("a field that is computed says how, whoever may write it", () => {
  const field = { ...fieldOf("formula"), locked: true };
  expect(factsOf("formula").readOnly).toBe(true);
  expect(whyReadOnly(field, kindOf("formula"), en.field).detail).toBe(en.field.readOnly.formula);
});
