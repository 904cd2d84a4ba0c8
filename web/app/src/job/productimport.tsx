import { type ReactNode, useState } from "react";
import { navigate } from "../route/router.ts";
import { startProductImport } from "../api/change.ts";
import { useIdempotencyKeys } from "../api/idempotency.ts";
import { Problem } from "../api/problem.ts";
import type { Body, Job, Workspace } from "../api/type.ts";
import { useProductText } from "../text/product.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Input, Row, Select } from "../ui/form.tsx";
import { HelpLink } from "../ui/helplink.tsx";
import { notify } from "../ui/toast.ts";
import { WorkspaceChoice } from "./workspacechoice.tsx";

type Product = Body<"start_product_import">["product"];

const products: Product[] = ["nocodb", "baserow"];

/** The base that came from a product before, into which its changes go. */
type Former = { baseId: string; from: NonNullable<Job["from"]> };

type Props = {
  onClose: () => void;
  onBack?: () => void;
  workspaces: Pick<Workspace, "id" | "name">[];
  into?: string;
  former?: Former;
};

/** Asks for a token and a base of NocoDB or Baserow, and begins the import. */
export default function ProductImport(props: Props) {
  const t = useProductText();
  const { former } = props;
  return (
    <Dialog
      open
      onClose={props.onClose}
      title={former ? t.againTitle : t.title}
      description={former ? t.againIntro : t.intro}
      size="md"
      keepOnOutsidePress
    >
      <ProductForm {...props} />
    </Dialog>
  );
}

function ProductForm({ onClose, onBack, workspaces, into, former }: Props) {
  const text = useText();
  const t = useProductText();
  const [product, setProduct] = useState<Product>(former?.from.product === "baserow" ? "baserow" : "nocodb");
  const [values, setValues] = useState({
    productBaseId: former?.from.productBaseId ?? "",
    token: "",
    address: former?.from.address ?? "",
  });
  const [workspaceId, setWorkspaceId] = useState(into ?? workspaces[0]?.id ?? "");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const idempotency = useIdempotencyKeys();
  const ready = values.token.trim() !== "" && values.productBaseId.trim() !== "";
  const begin = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const body: Body<"start_product_import"> = {
        product,
        productBaseId: values.productBaseId.trim(),
        token: values.token.trim(),
      };
      if (values.address.trim()) body.address = values.address.trim();
      if (former) body.baseId = former.baseId;
      const { baseId } = await startProductImport(
        { workspaceId, body },
        { idempotencyKey: idempotency.keyFor({ workspaceId, ...body }) },
      );
      onClose();
      notify(t.begun, t.begunDetail);
      if (baseId) await navigate({ to: "/base/$baseId", params: { baseId } });
    } catch (error) {
      setProblem(Problem.from(error));
      setBusy(false);
    }
  };
  const wrong = (path: string) => problem?.items.find((item) => item.path === path)?.message;
  const placed = ["token", "productBaseId", "address"].some((path) => wrong(path));
  const input = (name: keyof typeof values, label: string, hint: ReactNode, fixed: boolean) => (
    <Row label={label} hint={hint} error={wrong(name)}>
      {(at) => (
        <Input
          {...at}
          type={name === "token" ? "password" : "text"}
          autoComplete="off"
          maxLength={500}
          value={values[name]}
          readOnly={fixed}
          onChange={(e) => setValues({ ...values, [name]: e.target.value })}
        />
      )}
    </Row>
  );
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready && !busy) void begin();
      }}
    >
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
      {input("productBaseId", t.base[product], former ? undefined : t.baseHint[product], former !== undefined)}
      {input("token", t.token[product], t.tokenFate, false)}
      {input("address", t.address, former ? undefined : t.addressHint, former !== undefined)}
      {!former && <WorkspaceChoice workspaces={workspaces} value={workspaceId} onChange={setWorkspaceId} />}
      {problem && !placed && (
        <p role="alert" className="text-[13px] text-danger">
          {problem.message}
        </p>
      )}
      <HelpLink page="how-to/move-from-nocodb-or-baserow">{t.help}</HelpLink>
      <div className="flex flex-wrap justify-end gap-2 pt-1">
        {onBack && (
          <Button look="quiet" className="mr-auto" onClick={onBack}>
            {t.back}
          </Button>
        )}
        <Button onClick={onClose}>{text.action.cancel}</Button>
        <Button type="submit" look="primary" disabled={!ready} busy={busy}>
          {t.begin}
        </Button>
      </div>
    </form>
  );
}
