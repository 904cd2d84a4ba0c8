import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useText } from "../text/index.ts";
import { Button } from "./button.tsx";
import { Row, Select } from "./form.tsx";
import { Failed, Waiting } from "./state.tsx";

type List = Pick<
  UseInfiniteQueryResult,
  "isPending" | "isError" | "error" | "refetch" | "hasNextPage" | "isFetchingNextPage" | "fetchNextPage"
>;

/** The button that reads the next page of a list; nothing after the last. */
export function LoadMore({ list }: { list: List }) {
  const text = useText();
  if (!list.hasNextPage) return null;
  return (
    <div className="mt-4 flex justify-center">
      <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {text.view.loadMore}
      </Button>
    </div>
  );
}

type PagesProps = {
  list: List;
  /** Shown instead of the entries where there are none. */
  empty: ReactNode;
  children: ReactNode;
};

/** A list that is read page by page: its entries, or why there are none. */
export function Pages({ list, empty, children }: PagesProps) {
  if (list.isPending) return <Waiting />;
  if (list.isError) return <Failed error={list.error} retry={() => void list.refetch()} />;
  return (
    <>
      {empty || children}
      <LoadMore list={list} />
    </>
  );
}

type KindSelectProps<Kind extends string> = {
  label: string;
  /** What the choice of all kinds is called. */
  all: string;
  kinds: readonly Kind[];
  names: Record<Kind, string>;
  value: Kind | undefined;
  onChange: (kind: Kind | undefined) => void;
  className?: string;
};

/** Narrows a list to one kind of its entries. */
export function KindSelect<Kind extends string>(props: KindSelectProps<Kind>) {
  const { label, all, kinds, names, value, onChange, className } = props;
  return (
    <Row label={label} className={className}>
      {(at) => (
        <Select
          {...at}
          value={value ?? ""}
          onChange={(event) => onChange(kinds.find((one) => one === event.target.value))}
        >
          <option value="">{all}</option>
          {kinds.map((one) => (
            <option key={one} value={one}>
              {names[one]}
            </option>
          ))}
        </Select>
      )}
    </Row>
  );
}
