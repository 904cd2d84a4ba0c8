import { type ReactNode, useState } from "react";
import { useIdempotencyKeys } from "../api/idempotency.ts";
import { Problem } from "../api/problem.ts";
import type { Job, Workspace } from "../api/type.ts";
import { navigate } from "../route/router.ts";
import { useProductText } from "../text/product.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { HelpLink, type HelpPage } from "../ui/helplink.tsx";
import { notify } from "../ui/toast.ts";
import { WorkspaceChoice } from "./workspacechoice.tsx";

/** Where a dialog for an import stands: who opened it, and where a new base may go. */
export type ImportProps = {
  onClose: () => void;
  onBack?: () => void;
  workspaces: Pick<Workspace, "id" | "name">[];
  into?: string;
};

type Props<B> = ImportProps & {
  title: string;
  intro: string;
  helpPage: HelpPage;
  /** The import goes into a base that came before, so that nobody chooses a workspace. */
  isAgain: boolean;
  /** The request, or nothing while something is missing. */
  body: B | undefined;
  start: (
    request: { workspaceId: string; body: B },
    options: { idempotencyKey: string },
  ) => Promise<Pick<Job, "baseId">>;
  /** The members of the request whose mistakes stand at their inputs. */
  placed: (keyof B & string)[];
  /** The inputs, with what is wrong with a member of the request. */
  children: (wrong: (path: keyof B & string) => string | undefined) => ReactNode;
};

/** Asks for what an import from another product needs, begins it, and opens the base. */
export function ImportDialog<B extends object>(props: Props<B>) {
  return (
    <Dialog open onClose={props.onClose} title={props.title} description={props.intro} size="md" keepOnOutsidePress>
      <ImportForm {...props} />
    </Dialog>
  );
}

function ImportForm<B extends object>(props: Props<B>) {
  const { onClose, onBack, workspaces, into, isAgain, body, start, placed, children } = props;
  const text = useText();
  const t = useProductText();
  const [workspaceId, setWorkspaceId] = useState(into ?? workspaces[0]?.id ?? "");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const idempotency = useIdempotencyKeys();
  const begin = async () => {
    if (!body || busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const idempotencyKey = idempotency.keyFor({ workspaceId, ...body });
      const { baseId } = await start({ workspaceId, body }, { idempotencyKey });
      onClose();
      notify(t.begun, t.begunDetail);
      if (baseId) await navigate({ to: "/base/$baseId", params: { baseId } });
    } catch (error) {
      setProblem(Problem.from(error));
      setBusy(false);
    }
  };
  const wrong = (path: string) => problem?.items.find((item) => item.path === path)?.message;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void begin();
      }}
    >
      {children(wrong)}
      {!isAgain && <WorkspaceChoice workspaces={workspaces} value={workspaceId} onChange={setWorkspaceId} />}
      {problem && !placed.some(wrong) && (
        <p role="alert" className="text-[13px] text-danger">
          {problem.message}
        </p>
      )}
      <HelpLink page={props.helpPage}>{t.help}</HelpLink>
      <div className="flex flex-wrap justify-end gap-2 pt-1">
        {onBack && (
          <Button look="quiet" className="mr-auto" onClick={onBack}>
            {t.back}
          </Button>
        )}
        <Button onClick={onClose}>{text.action.cancel}</Button>
        <Button type="submit" look="primary" disabled={!body} busy={busy}>
          {t.begin}
        </Button>
      </div>
    </form>
  );
}
