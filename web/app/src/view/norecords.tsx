import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/state.tsx";

type Props = { narrowed: boolean; past: boolean; onClear: () => void; onAdd?: () => void };

/**
 * What a view shows that has no records: nothing there yet, nothing there at a time of the past, or
 * nothing that matches.
 */
export function NoRecords({ narrowed, past, onClear, onAdd }: Props) {
  const text = useText();
  if (narrowed) {
    const clear = <Button onClick={onClear}>{text.base.clearFilter}</Button>;
    return <Empty title={text.base.noMatchTitle} body={text.base.noMatchBody} action={clear} />;
  }
  if (past) return <Empty title={text.base.noRecordsThenTitle} />;
  const add = onAdd && (
    <Button look="primary" onClick={onAdd}>
      {text.base.newRecord}
    </Button>
  );
  return <Empty title={text.base.noRecordsTitle} body={text.base.noRecordsBody} action={add} />;
}
