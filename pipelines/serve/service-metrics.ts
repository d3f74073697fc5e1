import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { elapsedMs } from "../../io/clock.ts";

/** Counts the calls of one route. */
export interface RouteMeter {
  /** Begins a call; the function that it gives ends it with a status. */
  begin(): (status: number) => void;
}

const SECONDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100];

/** The figures of a service: calls by route and status, how long they take, and gauges that are read when asked for. */
export class ServiceMetrics {
  readonly #registry = new Registry();
  readonly #calls: Counter<"route" | "status">;
  readonly #seconds: Histogram<"route">;

  constructor(gauges: Readonly<Record<string, { readonly help: string; read(): number }>>) {
    const registers = [this.#registry];
    this.#calls = new Counter({
      name: "gradus_calls_total",
      help: "Calls that were answered.",
      labelNames: ["route", "status"],
      registers,
    });
    this.#seconds = new Histogram({
      name: "gradus_call_seconds",
      help: "How long calls took, waiting included.",
      labelNames: ["route"],
      buckets: SECONDS,
      registers,
    });
    const processor = {
      help: "Processor time of the server itself, workers apart.",
      read: () => {
        const { user, system } = process.cpuUsage();
        return (user + system) / 1_000_000;
      },
    };
    for (const [name, { help, read }] of Object.entries({
      ...gauges,
      gradus_server_cpu_seconds: processor,
    })) {
      const gauge: Gauge = new Gauge({ name, help, registers: [], collect: () => gauge.set(read()) });
      this.#registry.registerMetric(gauge);
    }
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** The meter of a route; its counters are found once, not at every call. */
  meter(route: string): RouteMeter {
    const answered = this.#calls.labels({ route, status: "200" });
    const seconds = this.#seconds.labels({ route });
    return {
      begin: () => {
        const start = elapsedMs();
        return (status) => {
          seconds.observe((elapsedMs() - start) / 1_000);
          if (status === 200) answered.inc();
          else this.#calls.labels({ route, status: String(status) }).inc();
        };
      },
    };
  }
}
