import { useState } from "react";
import { startProductImport } from "../api/change.ts";
import type { Body, Job } from "../api/type.ts";
import { useProductText } from "../text/product.ts";
import { Input, Row, Select } from "../ui/form.tsx";
import { ImportDialog, type ImportProps } from "./importdialog.tsx";

type Product = Body<"start_product_import">["product"];

const products: Product[] = ["nocodb", "baserow"];

/** The base that came from a product before, into which its changes go. */
type Former = { baseId: string; from: NonNullable<Job["from"]> };

/** Asks for a token and a base of NocoDB or Baserow, and begins the import. */
export default function ProductImport({ former, ...props }: ImportProps & { former?: Former }) {
  const t = useProductText();
  const [product, setProduct] = useState<Product>(former?.from.product === "baserow" ? "baserow" : "nocodb");
  const [values, setValues] = useState({
    productBaseId: former?.from.productBaseId ?? "",
    token: "",
    address: former?.from.address ?? "",
  });
  const [productBaseId, token, address] = [values.productBaseId.trim(), values.token.trim(), values.address.trim()];
  const body: Body<"start_product_import"> = { product, productBaseId, token };
  if (address) body.address = address;
  if (former) body.baseId = former.baseId;
  const inputs = [
    { name: "productBaseId", label: t.base[product], hint: t.baseHint[product], isFixed: former !== undefined },
    { name: "token", label: t.token[product], hint: t.tokenFate, isFixed: false },
    { name: "address", label: t.address, hint: t.addressHint, isFixed: former !== undefined },
  ] as const;
  return (
    <ImportDialog
      {...props}
      title={former ? t.againTitle : t.title}
      intro={former ? t.againIntro : t.intro}
      helpPage="how-to/move-from-nocodb-or-baserow"
      isAgain={former !== undefined}
      body={productBaseId && token ? body : undefined}
      start={startProductImport}
      placed={["productBaseId", "token", "address"]}
    >
      {(wrong) => (
        <>
          <Row label={t.product}>
            {(at) => (
              <Select
                {...at}
                value={product}
                disabled={former !== undefined}
                onChange={(e) => setProduct(e.target.value as Product)}
              >
                {products.map((one) => (
                  <option key={one} value={one}>
                    {t.name[one]}
                  </option>
                ))}
              </Select>
            )}
          </Row>
          {inputs.map(({ name, label, hint, isFixed }) => (
            <Row key={name} label={label} hint={isFixed ? undefined : hint} error={wrong(name)}>
              {(at) => (
                <Input
                  {...at}
                  type={name === "token" ? "password" : "text"}
                  autoComplete="off"
                  maxLength={500}
                  value={values[name]}
                  readOnly={isFixed}
                  onChange={(e) => setValues({ ...values, [name]: e.target.value })}
                />
              )}
            </Row>
          ))}
        </>
      )}
    </ImportDialog>
  );
}
