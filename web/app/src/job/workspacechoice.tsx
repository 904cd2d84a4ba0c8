import type { Workspace } from "../api/type.ts";
import { useText } from "../text/index.ts";
import { Row, Select } from "../ui/form.tsx";

type Props = {
  workspaces: Pick<Workspace, "id" | "name">[];
  value: string | undefined;
  onChange: (workspaceId: string) => void;
};

/** Asks for the workspace of a new base, where there is more than one. */
export function WorkspaceChoice({ workspaces, value, onChange }: Props) {
  const text = useText();
  if (workspaces.length < 2) return null;
  return (
    <Row label={text.home.workspace}>
      {(at) => (
        <Select {...at} value={value} onChange={(event) => onChange(event.target.value)}>
          {workspaces.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Row>
  );
}
