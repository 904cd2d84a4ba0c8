import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Events, type LiveChange, LiveStream } from "../../src/api/live.ts";

class FakeEvents implements Events {
  readyState = 1 as EventSource["readyState"];
  private handlers = new Map<string, (event: MessageEvent<string>) => void>();

  constructor(readonly address: string) {}

  addEventListener = ((type: string, handle: (event: MessageEvent<string>) => void) => {
    this.handlers.set(type, handle);
  }) as Events["addEventListener"];

  close = () => {
    this.readyState = 2 as EventSource["readyState"];
  };

  emit(type: string, lastEventId = "", data: unknown = {}) {
    this.handlers.get(type)?.(new MessageEvent(type, { lastEventId, data: JSON.stringify(data) }));
  }

  fail(readyState: 0 | 2) {
    this.readyState = readyState as EventSource["readyState"];
    this.emit("error");
  }
}

function setup() {
  const opened: FakeEvents[] = [];
  const events: string[] = [];
  const stream = new LiveStream(
    "bas_1",
    {
      onReady: (resumed) => events.push(resumed ? "resumed" : "ready"),
      onChange: (change) => events.push(String(change.record)),
      onFail: () => events.push("failed"),
      onRights: () => events.push("rights"),
      onGone: () => events.push("gone"),
      onJob: ({ id, done }) => events.push(`${id} ${done}`),
      onPresence: (list) => events.push(`present ${list.map(({ page }) => page).join()}`),
    },
    (address) => {
      opened.push(new FakeEvents(address));
      return opened.at(-1)!;
    },
  );
  const last = () => opened.at(-1)!;
  return { stream, opened, events, last };
}

const change = (record: string): Partial<LiveChange> => ({ record });
const wait = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
const show = (state: DocumentVisibilityState) => {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  document.dispatchEvent(new Event("visibilitychange"));
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a stream that breaks goes on behind the last change that it told", async () => {
  const { stream, opened, events, last } = setup();
  stream.start();
  expect(last().address).toBe("/api/v1/bases/bas_1/live");
  expect(stream.live).toBe(false);
  last().emit("ready", "c0");
  expect(stream.live).toBe(true);
  last().emit("change", "c1", change("rec_1"));
  const first = last();
  first.fail(0);
  expect(stream.live).toBe(false);
  await wait(1000);
  expect(opened).toHaveLength(2);
  expect(last().address).toBe("/api/v1/bases/bas_1/live?cursor=c1");
  first.emit("change", "c9", change("rec_9")); // events of a closed stream are ignored
  last().emit("ready", "c1");
  last().emit("change", "c2", change("rec_2"));
  expect(events).toEqual(["ready", "rec_1", "resumed", "rec_2"]);
  stream.stop();
});

test("a service that does not answer is asked less and less often", async () => {
  const { stream, opened, last } = setup();
  stream.start();
  const tries: number[] = [];
  for (let second = 0; second < 120; second++) {
    if (last().readyState !== 2) {
      last().fail(0);
      tries.push(second);
    }
    await wait(1000);
  }
  const pauses = tries.slice(1).map((at, index) => at - tries[index]!);
  expect(pauses[0]).toBeLessThanOrEqual(2);
  expect(Math.max(...pauses)).toBeGreaterThanOrEqual(7);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(16);
  stream.stop();
  const count = opened.length;
  await wait(60_000);
  expect(opened).toHaveLength(count);
});

test("a refused cursor, and one that is too old, are given up", async () => {
  const { stream, events, last } = setup();
  stream.start();
  last().emit("ready", "c0");
  last().fail(0);
  await wait(1000);
  last().fail(2);
  await wait(2000);
  expect(last().address).toBe("/api/v1/bases/bas_1/live");
  last().emit("ready", "c5");
  last().emit("end", "c5", { reason: "slow" });
  await wait(1000);
  expect(last().address).toBe("/api/v1/bases/bas_1/live?cursor=c5");
  last().emit("ready", "c5");
  last().emit("end", "c5", { reason: "behind" });
  await wait(1000);
  expect(last().address).toBe("/api/v1/bases/bas_1/live");
  last().emit("ready", "c7");
  expect(events).toEqual(["ready", "rights", "failed", "ready", "resumed", "ready"]);
  stream.stop();
});

test("a base that is gone is not asked for again, one with other rights is", async () => {
  const { stream, opened, events, last } = setup();
  stream.start();
  last().emit("ready", "c0");
  last().emit("end", "", { reason: "rights" });
  expect(events).toEqual(["ready", "rights"]); // at once
  await wait(1000);
  expect(opened).toHaveLength(2);
  expect(last().address).toBe("/api/v1/bases/bas_1/live"); // what they see now continues nothing
  last().emit("ready", "c0");
  last().emit("end", "", { reason: "gone" });
  await wait(60_000);
  expect(opened).toHaveLength(2);
  expect(events).toEqual(["ready", "rights", "ready", "gone", "present "]);
  stream.stop();
});

test("a page whose stream is refused looks once whether it may still see the base", async () => {
  const { stream, events, last } = setup();
  stream.start();
  last().emit("ready", "c0");
  last().emit("end", "c0", { reason: "stopping" });
  await wait(1000);
  last().fail(2);
  expect(events).toEqual(["ready", "rights", "failed"]);
  await wait(3000);
  last().fail(2);
  expect(events).toEqual(["ready", "rights", "failed", "failed"]);
  stream.stop();
});

test("a page that nobody sees lets go of the stream, and resumes it when it is seen", async () => {
  const { stream, opened, last } = setup();
  stream.start();
  last().emit("ready", "c3");
  show("hidden");
  await wait(30_000);
  show("visible");
  await wait(60_000);
  expect(stream.live).toBe(true);
  show("hidden");
  await wait(61_000);
  expect(stream.live).toBe(false);
  expect(last().readyState).toBe(2);
  expect(opened).toHaveLength(1);
  show("visible");
  expect(last().address).toBe("/api/v1/bases/bas_1/live?cursor=c3");
  last().emit("ready", "c3");
  // After a long time everything is read again instead.
  show("hidden");
  await wait(800_000);
  show("visible");
  expect(opened).toHaveLength(3);
  expect(last().address).toBe("/api/v1/bases/bas_1/live");
  stream.stop();
});

test("who is there is told, and is no change", () => {
  const { stream, events, last } = setup();
  stream.start();
  last().emit("ready", "c0");
  last().emit("presence", "", { present: [{ person: "usr_1", page: "one" }] });
  expect(events).toEqual(["ready", "present one"]);
  stream.stop();
});

test("how far a job is is told, and is no change", () => {
  const { stream, events, last } = setup();
  stream.start();
  last().emit("ready", "c0");
  last().emit("job", "", { id: "job_1", done: 4000 });
  expect(events).toEqual(["ready", "job_1 4000"]);
  stream.stop();
});

test("a stream that cannot be opened says so, and one that breaks does not", async () => {
  const { stream, events, last } = setup();
  stream.start();
  last().fail(2);
  expect(events).toEqual(["failed"]);
  await wait(1000);
  last().emit("ready", "c0");
  last().fail(0);
  expect(events).toEqual(["failed", "ready"]);
  stream.stop();
});

test("who was there is forgotten when the stream stays away, and not when it soon comes back", async () => {
  const { stream, events, last } = setup();
  stream.start();
  last().emit("ready", "c0");
  last().emit("presence", "", { present: [{ person: "usr_2", page: "theirs" }] });
  last().fail(0);
  await wait(5000);
  last().emit("ready", "c0");
  await wait(60_000);
  expect(events).toEqual(["ready", "present theirs", "resumed"]);
  last().fail(0);
  await wait(39_000);
  expect(events).toHaveLength(3);
  await wait(1000);
  expect(events.at(-1)).toBe("present ");
  stream.stop();
});
