import { expect, it } from "vitest";
import { ServiceMetrics } from "../../../pipelines/serve/service-metrics.ts";

it("counts calls by route and status, and reads gauges when asked", async () => {
  let open = 1;
  const metrics = new ServiceMetrics({ gradus_open: { help: "Open.", read: () => open } });
  const meter = metrics.meter("/step");
  meter.begin()(200);
  meter.begin()(200);
  meter.begin()(429);
  open = 7;
  const text = await metrics.text();
  expect(text).toContain('gradus_calls_total{route="/step",status="200"} 2');
  expect(text).toContain('gradus_calls_total{route="/step",status="429"} 1');
  expect(text).toContain('gradus_call_seconds_count{route="/step"} 3');
  expect(text).toContain("gradus_open 7");
  expect(text).toMatch(/gradus_server_cpu_seconds \d/);
  expect(metrics.contentType).toContain("text/plain");
});
