import { FileArchive, Import, LayoutTemplate } from "lucide-react";
import { Suspense, useState } from "react";
import { navigate } from "../route/router.ts";
import { Problem } from "../api/problem.ts";
import { useIdempotencyKeys } from "../api/idempotency.ts";
import { createBase } from "../api/change.ts";
import type { Body, Workspace } from "../api/type.ts";
import { useAirtableText } from "../text/airtable.ts";
import { useArchiveText } from "../text/archive.ts";
import { useProductText } from "../text/product.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Input, Row } from "../ui/form.tsx";
import { WorkspaceChoice } from "../job/workspacechoice.tsx";
import { preloadable } from "../ui/preloadable.tsx";

type Props = { onClose: () => void; workspaces: Workspace[]; into?: Workspace; from?: Source };

/** Where a base comes from, if it is not an empty one. */
export type Source = "template" | "airtable" | "product" | "archive";

const AirtableImport = preloadable(async () => (await import("../job/airtableimport.tsx")).default, null);
const ArchiveImport = preloadable(async () => (await import("../job/archiveimport.tsx")).default, null);
const ProductImport = preloadable(async () => (await import("../job/productimport.tsx")).default, null);
const Templates = preloadable(async () => (await import("./templates.tsx")).default, null);

const sources = { template: Templates, airtable: AirtableImport, product: ProductImport, archive: ArchiveImport };

/** Asks for a name and a workspace, makes the base and opens it; or asks where else it comes from. */
export default function NewBase(props: Props) {
  const t = useText().home;
  const [source, setSource] = useState(props.from);
  if (source) {
    const Import = sources[source];
    return (
      <Suspense>
        <Import
          onClose={props.onClose}
          onBack={() => setSource(undefined)}
          workspaces={props.workspaces}
          into={props.into?.id}
        />
      </Suspense>
    );
  }
  return (
    <Dialog open onClose={props.onClose} title={t.newBase}>
      <NewBaseForm {...props} onImport={setSource} />
    </Dialog>
  );
}

function NewBaseForm({ onClose, workspaces, into, onImport }: Props & { onImport: (source: Source) => void }) {
  const text = useText();
  const t = text.home;
  const airtable = useAirtableText();
  const product = useProductText();
  const archive = useArchiveText();
  const [name, setName] = useState("");
  const [workspaceId, setWorkspaceId] = useState(into?.id ?? workspaces[0]?.id ?? "");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const idempotency = useIdempotencyKeys();
  const create = async () => {
    setBusy(true);
    try {
      const body: Body<"create_base"> = { name: name.trim(), workspaceId };
      const { id } = await createBase({ body }, { idempotencyKey: idempotency.keyFor(body) });
      onClose();
      await navigate({ to: "/base/$baseId", params: { baseId: id } });
    } catch (error) {
      setProblem(Problem.from(error));
      setBusy(false);
    }
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() && !busy) void create();
      }}
    >
      <Row label={t.baseName} error={problem?.message}>
        {(at) => (
          <Input
            {...at}
            autoComplete="off"
            maxLength={200}
            value={name}
            placeholder={t.baseNamePlaceholder}
            onChange={(e) => setName(e.target.value)}
          />
        )}
      </Row>
      <WorkspaceChoice workspaces={workspaces} value={workspaceId} onChange={setWorkspaceId} />
      <div className="flex flex-wrap justify-end gap-2 pt-1">
        <Button onClick={onClose}>{text.action.cancel}</Button>
        <Button type="submit" look="primary" disabled={!name.trim()} busy={busy}>
          {t.createBase}
        </Button>
      </div>
      <div className="-mx-2.5 flex flex-wrap gap-1 border-t border-line pt-3">
        <Button look="quiet" icon={<LayoutTemplate size={16} aria-hidden />} onClick={() => onImport("template")}>
          {archive.templateOpen}
        </Button>
        <Button look="quiet" icon={<Import size={16} aria-hidden />} onClick={() => onImport("airtable")}>
          {airtable.open}
        </Button>
        <Button look="quiet" icon={<Import size={16} aria-hidden />} onClick={() => onImport("product")}>
          {product.open}
        </Button>
        <Button look="quiet" icon={<FileArchive size={16} aria-hidden />} onClick={() => onImport("archive")}>
          {archive.open}
        </Button>
      </div>
    </form>
  );
}
