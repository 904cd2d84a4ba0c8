import { Clock, Copy } from "lucide-react";
import { Suspense, useState } from "react";
import { deleteBase, updateBase } from "../api/change.ts";
import type { BaseSummary, Icon, Workspace } from "../api/type.ts";
import { type Catalogue, useText } from "../text/index.ts";
import type { MenuPlace } from "../ui/lazymenu.tsx";
import { EntityMenu } from "./entitymenu.tsx";
import { preloadable } from "../ui/preloadable.tsx";

const DuplicateDialog = preloadable(async () => (await import("../job/duplicate.tsx")).default, null);
const TimeZoneDialog = preloadable(async () => (await import("./timezone.tsx")).default, null);

const textsOf = (t: Catalogue["home"]) => ({
  rename: t.renameBase,
  label: t.baseName,
  remove: t.deleteBase,
  removeTitle: t.deleteBaseTitle,
  removeBody: t.deleteBaseBody,
});

type Props = { place: MenuPlace; base: BaseSummary; workspaces: Workspace[] };

/** What can be done with a base, in the menu on its tile. */
export default function BaseActions({ place, base, workspaces }: Props) {
  const t = useText().home;
  const [copying, setCopying] = useState(false);
  const change = (body: { name?: string; icon?: Icon; workspaceId?: string }) => updateBase({ baseId: base.id, body });
  const others = workspaces.filter((workspace) => workspace.id !== base.workspaceId);
  const [timing, setTiming] = useState(false);
  return (
    <>
      <EntityMenu
        place={place}
        align="end"
        entity={base}
        texts={textsOf(t)}
        change={change}
        more={[
          { icon: <Clock size={15} />, label: t.timeZone, onSelect: () => setTiming(true) },
          { icon: <Copy size={15} />, label: t.duplicateBase, onSelect: () => setCopying(true) },
        ]}
        moves={others.map(({ id, name }) => ({ id, name, move: () => change({ workspaceId: id }) }))}
        typed
        remove={() => deleteBase({ baseId: base.id })}
      />
      <Suspense>
        {timing && <TimeZoneDialog baseId={base.id} onClose={() => setTiming(false)} />}
        {copying && (
          <DuplicateDialog
            of={{ baseId: base.id, name: base.name }}
            workspaces={workspaces}
            into={base.workspaceId ?? undefined}
            onClose={() => setCopying(false)}
          />
        )}
      </Suspense>
    </>
  );
}
