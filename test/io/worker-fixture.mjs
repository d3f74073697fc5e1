import { serveTasks } from "../../dist/io/worker-server.js";

serveTasks(async (body, { progress, send }) => {
  for (const [unit, action] of body.entries()) {
    progress.mark(unit, "statement");
    if (action === "spin") for (;;) unit.toString();
    if (action === "die") process.exit(3);
    if (action === "fail") throw new Error("it failed");
    if (action === "sleep") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    if (action === "pid") await send(process.pid);
    if (action === "environment") await send(Object.keys(process.env).sort());
    progress.turn("idle");
  }
});
