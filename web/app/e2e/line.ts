import { createServer, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

/**
 * A proxy between a browser and the service, whose connections can be cut. A page that Playwright
 * puts offline keeps its open streams, so it would still receive everything.
 */
export async function openLine() {
  const sockets = new Set<Socket>();
  let whole = true;
  const proxy = createServer((asked, answer) => {
    const { method, headers } = asked;
    const passed = request(asked.url!, { method, headers }, (response) => {
      answer.writeHead(response.statusCode!, response.headers);
      response.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    asked.pipe(passed);
  });
  // This is how Playwright sends requests of its own.
  proxy.on("connect", ({ url }, socket: Socket) => {
    const { hostname, port } = new URL(`http://${url}`);
    const there = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(there).pipe(socket);
    });
    there.on("error", () => socket.destroy());
    socket.on("close", () => there.destroy());
  });
  proxy.on("connection", (socket: Socket) => {
    if (!whole) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  const cut = () => {
    whole = false;
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  return {
    server: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cut,
    restore: () => (whole = true),
    close: () => {
      cut();
      proxy.close();
    },
  };
}
