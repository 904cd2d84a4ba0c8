import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cache } from "../../src/api/cache.ts";
import { key } from "../../src/api/key.ts";
import { type Events, LiveStream } from "../../src/api/live.ts";
import { useCommentPoll } from "../../src/comment/poll.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const nothing = () => undefined as void;

function Poll() {
  useCommentPoll("rec_1", true);
  return null;
}

test("comments are looked for only while no stream tells of them", () => {
  let ready = nothing;
  const source = { readyState: 1, close: () => undefined } as Events;
  source.addEventListener = ((type: string, handle: (event: MessageEvent) => void) => {
    if (type === "ready") ready = () => handle(new MessageEvent("ready"));
  }) as Events["addEventListener"];
  const handlers = { onReady: nothing, onChange: nothing, onPresence: nothing, onJob: nothing, onFail: nothing };
  const stream = new LiveStream("bas_1", { ...handlers, onRights: nothing, onGone: nothing }, () => source);
  const look = vi.spyOn(cache, "invalidateQueries");
  render(
    <QueryClientProvider client={cache}>
      <Poll />
    </QueryClientProvider>,
  );
  vi.advanceTimersByTime(30_000);
  expect(look).toHaveBeenCalledExactlyOnceWith({ queryKey: key.comments("rec_1") });
  stream.start();
  ready();
  vi.advanceTimersByTime(120_000);
  expect(look).toHaveBeenCalledOnce();
  stream.stop();
  vi.advanceTimersByTime(30_000);
  expect(look).toHaveBeenCalledTimes(2);
});
