import "./agent/policy.ts"; // before the modules that need it
import { App, type McpUiHostContext } from "@modelcontextprotocol/ext-apps";
import { StrictMode, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import { currentLocale, LocaleContext } from "./locale/locale.ts";
import { useAgentText } from "./text/agent.ts";
import { agent as text } from "./text/en/agent.ts";
import { type Answer, AnswerPage, type Apply } from "./agent/page.tsx";
import "./style/agent.css";

/**
 * The page that a client of an agent shows next to the result of a tool, in a frame without any
 * rights (MCP Apps, revision 2026-01-26). The client hands over the call and its result, and makes
 * the calls that a person asks for here.
 */

type State = { answer?: Answer; failed?: string; cancelled?: boolean };

const app = new App({ name: "rowhouse", version: "1.0.0" }, {}, { autoResize: true });

let state: State = {};
let input: Record<string, unknown> = {};
const listeners = new Set<() => void>();
const set = (next: State) => {
  state = next;
  for (const listener of listeners) listener();
};

app.addEventListener("toolinput", (params) => {
  input = params.arguments ?? {};
});
app.addEventListener("toolresult", (result) => {
  const tool = app.getHostContext()?.toolInfo?.tool.name ?? "";
  const structured = result.structuredContent;
  if (result.isError) return set({ failed: said(result.content) });
  const known = typeof structured === "object" && structured !== null && !Array.isArray(structured);
  set({ answer: { tool, input, structured: known ? (structured as Record<string, unknown>) : {} } });
});
app.addEventListener("toolcancelled", () => set({ cancelled: true }));
app.addEventListener("hostcontextchanged", (context) => follow(context));

function follow(context: McpUiHostContext | undefined) {
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.dataset.theme = context?.theme ?? (document.documentElement.dataset.theme || system);
}

const apply: Apply = async ({ tool, input: planned }, token) => {
  // The press of the button is the person's word, where the tool asks for it.
  const asks = app.getHostContext()?.toolInfo?.tool.inputSchema.properties?.confirm !== undefined;
  const confirmed = asks ? { confirm: true } : {};
  const applied = { ...planned, plan: false, ...confirmed, apply: token };
  const result = await app.callServerTool({ name: tool, arguments: applied });
  if (result.isError) throw new Error(said(result.content));
  // The agent would otherwise offer to apply what is applied. Not every client takes it.
  const news = `${text.appliedNews} ${said(result.content)}`;
  await app.updateModelContext({ content: [{ type: "text", text: news }] }).catch(() => undefined);
};

/** The text of an answer; of one that is a problem, what it says. */
function said(content: readonly { type: string; text?: unknown }[]): string {
  const whole = content.flatMap((part) => (typeof part.text === "string" ? [part.text] : [])).join("\n");
  try {
    const { detail } = JSON.parse(whole) as { detail?: unknown };
    return typeof detail === "string" ? detail : whole;
  } catch {
    return whole;
  }
}

function Page() {
  const t = useAgentText();
  const { answer, failed, cancelled } = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
  if (answer) return <AnswerPage answer={answer} apply={app.getHostCapabilities()?.serverTools ? apply : undefined} />;
  if (failed) return <p role="alert">{failed}</p>;
  return (
    <p role="status" className="text-muted">
      {cancelled ? t.cancelled : t.waiting}
    </p>
  );
}

const place = document.getElementById("root");
if (!place) throw new Error("the page has no #root");
follow(undefined);
createRoot(place).render(
  <StrictMode>
    <LocaleContext value={currentLocale()}>
      <Page />
    </LocaleContext>
  </StrictMode>,
);
await app.connect();
follow(app.getHostContext());
