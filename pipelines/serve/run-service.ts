import { z } from "zod";
import { EnvEpisodes, type EpisodeLimits } from "./env-episodes.ts";
import { EnvRollouts } from "./env-rollouts.ts";
import { envRoutes } from "./env-routes.ts";
import { mcpRoutes } from "./mcp-routes.ts";
import { rewardRoutes } from "./reward-routes.ts";
import type { ServedRun } from "./served-run.ts";
import { type RunningService, type ServiceRoute, serviceRoute, startService } from "./service-server.ts";
import { toolRoutes } from "./tool-routes.ts";
import type { WorkLimits } from "./work-queue.ts";

/** What is served: whole episodes come with the routes of tools and rewards. */
export type ServiceKind = "tools" | "rewards" | "env";

export interface RunServiceOptions {
  readonly kind: ServiceKind;
  readonly host: string;
  readonly port: number;
  readonly token: string | null;
  readonly bodyLimitBytes: number;
  readonly limits: WorkLimits;
  readonly episodes: EpisodeLimits;
  /** Mode of the guardrails where a client does not say; `null` leaves the config's. */
  readonly mode: "training" | "test" | null;
}

/** Most ids of one page of `GET /examples`. */
const MOST_IDS = 10_000;

/** Serves tools, rewards or episodes of a config. @throws as {@link startService}. */
export async function startRunService(run: ServedRun, options: RunServiceOptions): Promise<RunningService> {
  const { kind } = options;
  const rollouts = new EnvRollouts(run, options.mode);
  const episodes = new EnvEpisodes(options.episodes);
  const service = { run, rollouts, episodes };
  const routes = [
    examplesRoute(run),
    ...(kind === "rewards" ? [] : [...toolRoutes(service), ...mcpRoutes(service)]),
    ...(kind === "tools" ? [] : rewardRoutes(service)),
    ...(kind === "env" ? envRoutes(service) : []),
  ];
  try {
    const server = await startService({
      title: `gradus ${kind}: ${run.config.name}`,
      host: options.host,
      port: options.port,
      token: options.token,
      bodyLimitBytes: options.bodyLimitBytes,
      limits: options.limits,
      routes,
      gauges: {
        gradus_episodes_open: { help: "Episodes that are not at their end.", read: () => episodes.open },
        gradus_episodes_expired: { help: "Episodes that nobody went on with.", read: () => episodes.expired },
      },
      about: { service: kind, run: run.config.name, examples: run.examples.size },
    });
    return {
      url: server.url,
      close: async () => {
        episodes.close();
        await server.close();
      },
    };
  } catch (thrown) {
    episodes.close();
    throw thrown;
  }
}

function examplesRoute({ examples }: ServedRun): ServiceRoute {
  return serviceRoute({
    method: "GET",
    path: "/examples",
    summary: "Ids of the examples (?offset=&limit=), in the order of the datasets.",
    body: null,
    response: z.strictObject({ total: z.int(), ids: z.array(z.string()) }),
    isWork: false,
    handle: ({ query }) => {
      const offset = whole(query["offset"], 0);
      return {
        total: examples.size,
        ids: examples.ids(offset, Math.min(MOST_IDS, whole(query["limit"], MOST_IDS))),
      };
    },
  });
}

/** A whole number of a query, another one where it has none. */
function whole(text: string | undefined, other: number): number {
  const value = Number(text ?? other);
  return Number.isSafeInteger(value) && value >= 0 ? value : other;
}
