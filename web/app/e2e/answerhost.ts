import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

// The page of a client of an agent, which shows the page of a server next to a result. It runs in
// the browser; the test's side makes the calls.

type Call = { name: string; arguments?: Record<string, unknown> };
type Host = { callTool: (call: Call) => Promise<never>; receive: (text: string) => Promise<void> };

/** Shows a page for a call of a tool that has been answered. */
async function show(html: string, tool: never, input: Record<string, unknown>, result: never) {
  const frame = document.createElement("iframe");
  frame.sandbox.add("allow-scripts");
  frame.title = "answer";
  frame.style.cssText = "width: 100%; height: 100px; border: 0";
  document.body.replaceChildren(frame);
  const host = window as unknown as Host;
  const bridge = new AppBridge(
    null,
    { name: "test", version: "1" },
    { serverTools: {}, updateModelContext: { text: {} } },
    { hostContext: { theme: "dark", toolInfo: { tool } } },
  );
  bridge.oncalltool = async (params) => host.callTool(params);
  bridge.onupdatemodelcontext = async ({ content }) => {
    await host.receive(JSON.stringify(content));
    return {};
  };
  bridge.onsizechange = ({ height }) => {
    if (height !== undefined) frame.style.height = `${height}px`;
  };
  bridge.oninitialized = () => {
    void bridge.sendToolInput({ arguments: input });
    void bridge.sendToolResult(result);
  };
  const target = frame.contentWindow;
  if (!target) throw new Error("the frame has no window");
  await bridge.connect(new PostMessageTransport(target, target));
  frame.srcdoc = html;
}

Object.assign(window, { show });
